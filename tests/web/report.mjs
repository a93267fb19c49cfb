// SPDX-License-Identifier: GPL-3.0-or-later
// The page that `analyse --html` writes, in Chromium, both games: played through by keys, swipes and clicks, the better
// move as an arrow, the line one would have had, copies, clocks, wide, narrow, dark and on paper.
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {spawnSync} from 'node:child_process';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {check, same, skip, finish} from './harness.mjs';
import {tool, findChromium, program, startBrowser} from './driver.mjs';

const PAGE_MOST = 150000;
const GAMES = {
  chess: {file: 'game.pgn', moves: 13, blunder: 10, format: 'PGN', text: `[White "Anna"]\n[Black "Boris"]\n[WhiteElo "1512"]\n[BlackElo "1498"]\n[Result "1-0"]\n
1. e4 {[%clk 0:04:58]} e5 {[%clk 0:04:57]} 2. Nf3 {[%clk 0:04:50]} d6 {[%clk 0:04:40]} 3. Bc4 {[%clk 0:04:45]} Bg4 {[%clk 0:04:30]}
4. Nc3 {[%clk 0:04:30]} g6 {[%clk 0:03:30]} 5. Nxe5 {[%clk 0:04:20]} Bxd1 {[%clk 0:03:28]} 6. Bxf7+ Ke7 7. Nd5# 1-0\n`},
  shogi: {file: 'game.kif', moves: 6, blunder: 6, format: 'KIF', text: `手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:09/00:00:09)\n   3 ４六歩(47)   ( 0:04/00:00:05)\n   4 ８四歩(83)   ( 0:01/00:00:10)
   5 ２六歩(27)   ( 0:03/00:00:08)\n   6 ８八角成(22)   ( 0:02/00:00:12)\n   7 投了\n`},
};

async function open(browser, address, options) {
  const context = await browser.newContext(options), page = await context.newPage(), faults = [];
  page.on('pageerror', error => faults.push(String(error)));
  page.on('console', line => line.type() === 'error' && faults.push(line.text()));
  page.on('request', request => /^(file|data|blob|about):/.test(request.url()) || faults.push(`asks for ${request.url()}`));
  await page.goto(address);
  await page.waitForSelector('.boardhost svg');
  return {context, page, faults};
}

const head = page => page.textContent('h3.at');

// Keys, clicks, lines, copies and times, as on a wide screen.
async function playThrough(game, browser, address) {
  const {moves, blunder, format} = GAMES[game];
  const {context, page, faults} = await open(browser, address, {viewport: {width: 1280, height: 900}, permissions: ['clipboard-read', 'clipboard-write']});
  const board = () => page.locator('.boardhost .piece').evaluateAll(men => men.map(man => man.outerHTML).sort().join('\n'));
  await page.keyboard.press('Home');
  const start = await board();
  for (let i = 0; i < moves; i++) await page.keyboard.press('ArrowRight');
  same(await page.locator('.mv.now').count(), 1, `${game}: one move is marked in the list`);
  const end = await board();
  check(end !== start, `${game}: the board follows the keys`);
  await page.keyboard.press('ArrowRight');
  check(await board() === end, `${game}: the last position is the last`);
  await page.keyboard.press('ArrowLeft');
  check(await board() !== end, `${game}: back`);
  await page.locator(`.mv[id$="p${blunder}"]`).click();
  if (game === 'chess') {
    check((await head(page)).includes('??'), `${game}: the mark of the move: ${await head(page)}`);
    same(await page.locator('.boardhost .arrow').count(), 2, `${game}: the move played and the better one are arrows`);
    check((await page.textContent('.remark')).includes('Better was'), `${game}: the remark`);
    const before = await board();
    await page.locator('.line button').nth(1).click();
    check(await board() !== before, `${game}: the line one would have had is on the board`);
    await page.keyboard.press('Escape');
    check(await board() === before, `${game}: and the game again`);
    check(/1512/.test(await page.textContent('section')) && /1498/.test(await page.textContent('section')), `${game}: ratings`);
  }
  same(await page.locator('.times rect').count() > 0, true, `${game}: times as bars`);
  await page.locator('.copies button').nth(0).click();
  await page.waitForTimeout(100);
  check((await page.evaluate(() => navigator.clipboard.readText())).split('/').length >= 8, `${game}: the position is copied`);
  await page.locator('.copies button').nth(1).click();
  await page.waitForTimeout(100);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  check(copied.includes(game === 'chess' ? '1. e4' : '７六歩'), `${game}: the ${format} is copied`);
  same(faults, [], `${game}: faults of the page`);
  check((await page.pdf({format: 'A4'})).length > 10000, `${game}: paper`);
  await context.close();
}

// A telephone in the dark: nothing beyond the edge, swipes lead through the game.
async function onTelephone(game, browser, address) {
  const {context, page, faults} = await open(browser, address, {viewport: {width: 360, height: 700}, hasTouch: true, isMobile: true, colorScheme: 'dark'});
  same(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${game}: a narrow page`);
  const swipe = (from, to) => page.evaluate(([a, b]) => {
    const host = document.querySelector('.boardhost'), {top} = host.getBoundingClientRect();
    const send = (type, x) => {
      const touch = new Touch({identifier: 1, target: host, clientX: x, clientY: top + 50});
      host.dispatchEvent(new TouchEvent(type, {touches: type === 'touchend' ? [] : [touch], changedTouches: [touch], bubbles: true}));
    };
    send('touchstart', a);
    send('touchend', b);
  }, [from, to]);
  await page.locator('.nav button').first().click();
  const start = await head(page);
  await swipe(250, 100);
  const first = await head(page);
  check(first !== start, `${game}: a swipe to the left goes on`);
  await swipe(100, 250);
  same(await head(page), start, `${game}: one to the right goes back`);
  await swipe(100, 120);
  same(await head(page), start, `${game}: a short one is none`);
  const [paper, ink] = await page.evaluate(() => ['backgroundColor', 'color'].map(name => getComputedStyle(document.body)[name]).map(rgb => +/\d+/.exec(rgb)[0]));
  check(paper < 60 && ink > 180, `${game}: dark paper ${paper}, light ink ${ink}`);
  await page.emulateMedia({media: 'print', colorScheme: 'dark'});
  const [now, other] = await page.evaluate(() => [document.querySelector('.mv.now') || document.querySelector('.mv'), document.body].map(node => getComputedStyle(node).color));
  same(now, other, `${game}: on paper every move is in ink`);
  check(+/\d+/.exec(other)[0] < 100, `${game}: on paper ink is dark: ${other}`);
  same(faults, [], `${game}: faults of the narrow page`);
  await context.close();
}

async function run(game, browser, folder) {
  const {file, text} = GAMES[game], input = join(folder, file), output = join(folder, `${game}.html`);
  writeFileSync(input, text);
  const {status, stderr} = spawnSync(program(game), ['analyse', input, '--nodes', '3000', '-q', '--html', output], {encoding: 'utf8'});
  if (!check(status === 0, `${game}: analyse ends with ${status}: ${stderr}`)) return;
  check(statSync(output).size <= PAGE_MOST, `${game}: ${statSync(output).size} bytes for a game`);
  check(!/(src|href)="?https?:/.test(readFileSync(output, 'utf8')), `${game}: the page asks nobody`);
  const address = String(pathToFileURL(output));
  await playThrough(game, browser, address);
  await onTelephone(game, browser, address);
}

const lack = !tool('playwright-core') ? 'no playwright-core (scripts/setup-web.sh installs it)' : !findChromium() ? 'no chromium' : null;
if (lack) skip(`reports in a browser: ${lack}`);
else {
  const folder = mkdtempSync(join(tmpdir(), 'twofold-report-')), browser = await startBrowser();
  for (const game of ['chess', 'shogi']) {
    try {
      await run(game, browser, folder);
    } catch (error) {
      check(false, `${game}: the report in a browser: ${error.message.split('\n')[0]}`);
    }
  }
  await browser.close();
  rmSync(folder, {recursive: true, force: true});
}
finish('report');
