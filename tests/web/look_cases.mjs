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

// The writing that stands out too little from its ground: below 4.5 to 1, as the guidelines for the web have it; dots and rings
// on the board below 3 to 1. What cannot be pressed now may be pale.
const PALE = () => {
  const channels = text => {
    const numbers = text.match(/[\d.]+/g).map(Number), unit = text.startsWith('color(') ? 1 : 255;
    return {rgb: numbers.slice(0, 3).map(x => x / unit), alpha: numbers[3] ?? 1};
  };
  const light = rgb => rgb.map(x => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4).reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
  const over = ({rgb, alpha}, ground) => rgb.map((x, i) => x * alpha + ground[i] * (1 - alpha));
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const ground = element => element ? over(channels(getComputedStyle(element).backgroundColor), ground(element.parentElement)) : [1, 1, 1];
  const found = [], note = (what, value, least) => value < least && found.push(`${what}: ${value.toFixed(2)}`);
  for (const element of document.querySelectorAll('body *:not(svg *, option)')) {
    const text = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.textContent.trim()).join('');
    if (!text || !element.checkVisibility({opacityProperty: true}) || element.closest(':disabled, .unseen, .notice')) continue;
    const under = ground(element.matches('.value:not(.behind)') ? element.previousElementSibling : element); // the bar fills from below
    note(`${element.id || element.className || element.tagName} '${text.slice(0, 30)}'`, ratio(over(channels(getComputedStyle(element).color), under), under), 4.5);
  }
  const fill = (selector, key = 'fill') => channels(getComputedStyle(document.querySelector(selector))[key]).rgb;
  const shogi = document.body.dataset.game === 'shogi', squares = shogi ? ['.wood'] : ['.sq:not(.odd)', '.sq.odd'];
  for (const at of squares) {
    const label = shogi ? '.label' : at === '.sq.odd' ? '.label.on-dark' : '.label.on-light';
    note(`${label} on ${at}`, ratio(fill(label), fill(at)), 4.5);
    const dot = document.querySelector('.target');
    if (dot) note(`a dot on ${at}`, ratio(over({rgb: fill('.target'), alpha: +getComputedStyle(dot).opacity}, fill(at)), fill(at)), 3);
  }
  const marks = document.querySelector('.over');
  for (const kind of ['good', 'inaccuracy', 'mistake', 'blunder']) {
    marks.insertAdjacentHTML('beforeend', `<g class="sign-mark ${kind} trial"><circle/><text>?</text></g>`);
    note(`the sign of ${kind}`, ratio(fill('.trial text'), fill('.trial circle')), 4.5);
    document.querySelector('.trial').remove();
  }
  return {found, dots: document.querySelectorAll('.target').length};
};

async function contrast(player) {
  const {page, game} = player, still = () => player.until(() => document.getAnimations().every(each => each.playState !== 'running'), null, 'colours to stand still');
  for (const theme of ['light', 'dark']) {
    await player.press('help-button');
    await page.selectOption('#theme', theme);
    await still();
    same((await page.evaluate(PALE)).found, [], `${game}: pale in ${theme}, settings`);
    await page.keyboard.press('Escape');
    for (const mode of MODES) {
      await player.mode(mode);
      if (mode === 'analyse') {
        await player.settled();
        await player.until(() => document.querySelector('#lines li') && document.querySelector('#wdl i'), null, 'a line');
        await player.click(game === 'chess' ? 'e2' : '7g');
        await player.until(() => document.querySelector('.target'), null, 'the dots');
      }
      if (mode === 'setup') await player.until(() => document.getElementById('verdict').textContent.startsWith('✓'), null, 'the verdict');
      await still();
      const {found, dots} = await page.evaluate(PALE);
      same(found, [], `${game}: pale in ${theme}, ${mode}`);
      if (mode === 'analyse') check(dots > 0, `${game}: dots to look at`);
    }
  }
}

async function japanese(player) {
  const {page, game} = player;
  same(await page.getAttribute('html', 'lang'), 'ja', `${game}: Japanese as the browser has it`);
  same(await page.textContent('#tabs [data-mode=play]'), '対局', `${game}: words in Japanese`);
  if (game === 'shogi') check((await page.locator('.ground .label').allTextContents()).includes('九'), 'shogi: ranks as Japanese writes them');
  await player.press('help-button');
  await page.selectOption('#language', 'en');
  same(await page.textContent('#tabs [data-mode=play]'), 'Play', `${game}: words in English`);
  if (game !== 'shogi') return;
  const ranks = async () => (await page.locator('.ground .label').allTextContents()).filter(text => !(text > 0)).join('');
  same(await ranks(), 'abcdefghi', 'shogi: ranks as English writes them');
  const king = () => page.locator('.piece .sign').first().textContent(), seen = new Set();
  for (const style of ['one', 'two', 'west']) {
    await page.selectOption('#piece-style', style);
    seen.add(`${await king()} ${await page.locator('.piece .sign').count()}`);
  }
  same(seen.size, 3, `shogi: three styles of men: ${[...seen]}`);
}

// Moves as each language writes them, the ones that were there before included; and the names of castles.
async function movesByLanguage(player) {
  const {page, game} = player, shown = () => [...document.querySelectorAll('#moves .mv')].map(button => button.textContent).join(' ');
  const speak = async (language, wanted) => {
    await player.press('help-button');
    await page.selectOption('#language', language);
    await page.keyboard.press('Escape');
    await player.until(wish => [...document.querySelectorAll('#moves .mv')].map(button => button.textContent).join(' ') === wish, wanted, `${wanted}, not ${await page.evaluate(shown)}`);
  };
  await player.mode('analyse');
  for (const [i, move] of ['7g7f', '3c3d', '8h2b+', '3a2b'].entries()) {
    await player.play(move, 'click', i % 2);
    await player.moves(i + 1);
    await player.settled();
  }
  await page.keyboard.press('ArrowLeft');
  await player.until(() => document.querySelector('#lines .mv'), null, 'a line');
  check(/^[▲△]/.test(await page.textContent('#lines .mv')), `${game}: lines in Japanese: ${await page.textContent('#lines')}`);
  await speak('en', 'P-7f P-3d Bx2b+ Sx2b');
  await speak('ja', '▲７六歩 △３四歩 ▲２二角成 △同銀');
  await player.setUp('lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B1RG1SK1/LNS2G1NL b - 1', 'setup-analyse');
  await player.until(() => /美濃/.test(document.getElementById('opening').textContent), null, 'the name of the castle');
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
}

// Other work on the machine can make it late: the best of ten counts.
async function startsSoon(player) {
  const took = [];
  for (let i = 0; i < 10 && !(took.at(-1) < 3000); i++) {
    const began = performance.now();
    await player.page.goto(player.address);
    await player.ready();
    took.push(Math.round(performance.now() - began));
  }
  check(Math.min(...took) < 3000, `${player.game}: a board after ${took} ms`);
}

export function lookCases(game) {
  return [
    ['360 px', {width: 360, height: 740, touch: true}, fits],
    ['1400 px', {width: 1400, height: 900}, fits],
    ['dark', {only: 'serve', dark: true}, dark],
    ['contrast', {only: 'serve'}, contrast],
    ['Japanese', {only: 'serve', language: 'ja-JP'}, japanese],
    ['names of controls', {only: 'serve'}, named],
    ...game === 'shogi' ? [['moves in Japanese', {language: 'ja-JP'}, movesByLanguage]] : [],
    ['policy', {only: 'serve'}, policy],
    ['start', {}, startsSoon],
  ];
}
