// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the pictures of the page that the README shows, docs/images/page-GAME.png, from the programs as they are built:
// `node tests/web/pictures.mjs`, on a machine that does nothing else. Then look at them.
import {fileURLToPath} from 'node:url';
import {serve, startBrowser, Player} from './driver.mjs';

const PICTURES = {
  chess: {options: {width: 1280, height: 860}, moves: ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5'], depth: 18},
  shogi: {options: {width: 390, height: 844, touch: true, dark: true}, moves: ['7g7f', '3c3d', '2g2f', '8c8d', '2f2e'], depth: 16},
};

const browser = await startBrowser();
for (const [game, {options, moves, depth}] of Object.entries(PICTURES)) {
  const engine = await serve(game), player = await new Player(game, browser, engine.address).open(options), {page} = player;
  await player.mode('analyse');
  await page.selectOption('#multipv', '3');
  for (const [i, move] of moves.entries()) {
    await player.settled();
    await page.fill('#typed-move', move);
    await page.press('#typed-move', 'Enter');
    await player.moves(i + 1);
  }
  await page.evaluate(() => document.activeElement.blur());
  await player.until(least => document.querySelectorAll('#lines li').length === 3 && parseInt(document.getElementById('engine-depth').textContent.replace(/\D+/, '')) >= least, depth, `depth ${depth}`, 600000);
  await page.screenshot({path: fileURLToPath(new URL(`../../docs/images/page-${game}.png`, import.meta.url))});
  await player.close();
  await engine.stop();
}
await browser.close();
