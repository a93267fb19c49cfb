// SPDX-License-Identifier: GPL-3.0-or-later
// How the page fits: a narrow phone and a wide screen, dark and light, Japanese, names of all controls for those who hear
// the page, the policy of the server, and how soon there is a board.
import {check, same} from './harness.mjs';

const MODES = ['play', 'analyse', 'review', 'setup'];

// Nothing sticks out sideways, and the board is whole on the screen.
async function fits(player) {
  const {page, game} = player;
  for (const mode of MODES) {
    await player.mode(mode);
    await page.waitForTimeout(150);
    const {wide, screen, board} = await page.evaluate(() => ({wide: document.documentElement.scrollWidth, screen: innerWidth, board: document.querySelector('.tf-svg').getBoundingClientRect().toJSON()}));
    check(wide <= screen, `${game}: ${mode} is ${wide} px wide on ${screen}`);
    check(board.left >= 0 && board.right <= screen && board.width >= Math.min(screen, 400) * 0.7, `${game}: the board in ${mode}: ${Math.round(board.left)} to ${Math.round(board.right)} of ${screen}`);
  }
}

// Brightness of the ground and of the writing, 0 to 1.
const shades = () => ['backgroundColor', 'color'].map(key => getComputedStyle(document.body)[key].match(/\d+/g).slice(0, 3).reduce((sum, x) => sum + +x, 0) / 765);

async function dark(player) {
  const [ground, ink] = await player.page.evaluate(shades);
  check(ground < 0.2 && ink > 0.7, `${player.game}: dark as the system has it: ${ground} ${ink}`);
  await player.press('help-button');
  await player.page.selectOption('#theme', 'light');
  const [light, black] = await player.page.evaluate(shades);
  check(light > 0.8 && black < 0.3, `${player.game}: light by choice: ${light} ${black}`);
}

async function japanese(player) {
  const {page, game} = player;
  same(await page.getAttribute('html', 'lang'), 'ja', `${game}: Japanese as the browser has it`);
  same(await page.textContent('#tabs [data-mode=play]'), '対局', `${game}: words in Japanese`);
  await player.press('help-button');
  await page.selectOption('#language', 'en');
  same(await page.textContent('#tabs [data-mode=play]'), 'Play', `${game}: words in English`);
  if (game !== 'shogi') return;
  const king = () => page.locator('.piece .sign').first().textContent(), seen = new Set();
  for (const style of ['one', 'two', 'west']) {
    await page.selectOption('#piece-style', style);
    seen.add(`${await king()} ${await page.locator('.piece .sign').count()}`);
  }
  same(seen.size, 3, `shogi: three styles of men: ${[...seen]}`);
}

// Every control that can be reached has a name; the board is told in words.
async function named(player) {
  const {page, game} = player;
  for (const mode of MODES) {
    await player.mode(mode);
    await page.waitForTimeout(150);
    const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, textarea, summary')].filter(x => x.checkVisibility() && x.type !== 'hidden').filter(x =>
      !(x.getAttribute('aria-label') || x.textContent || [...(x.labels || [])].map(label => label.textContent).join('')).trim()).map(x => x.outerHTML.slice(0, 120)));
    same(nameless, [], `${game}: controls without a name in ${mode}`);
    const twice = await page.evaluate(() => [...document.querySelectorAll('[id]')].map(x => x.id).filter((id, i, all) => all.indexOf(id) !== i));
    same(twice, [], `${game}: ids that stand twice`);
  }
  await player.mode('analyse');
  check(/king/.test(await page.getAttribute('.tf-svg', 'aria-label')), `${game}: the board in words`);
  await player.play(game === 'chess' ? 'g1f3' : '7g7f');
  await player.until(() => /1/.test(document.getElementById('live').textContent), null, 'the move to be spoken');
}

async function policy(player) {
  const reply = await player.page.request.get(player.address), headers = reply.headers();
  check(/default-src 'none'/.test(headers['content-security-policy']) && !/unsafe/.test(headers['content-security-policy']), `${player.game}: a strict policy: ${headers['content-security-policy']}`);
  same(headers['referrer-policy'], 'no-referrer', `${player.game}: no referrer`);
  const began = performance.now();
  await player.page.goto(player.address);
  await player.ready();
  check(performance.now() - began < 3000, `${player.game}: a board after ${Math.round(performance.now() - began)} ms`);
}

export function lookCases() {
  return [
    ['360 px', {width: 360, height: 740, touch: true}, fits],
    ['1400 px', {width: 1400, height: 900}, fits],
    ['dark', {dark: true}, dark],
    ['Japanese', {language: 'ja-JP'}, japanese],
    ['names of controls', {}, named],
    ['policy and start', {}, policy],
  ];
}
