// SPDX-License-Identifier: GPL-3.0-or-later
// The page in a real browser: finds the tools, starts `serve` and Chromium, and does on the page what people do: press,
// drag, tap, type, paste. Everything the page tries to load from elsewhere and every complaint in its console is kept in
// `faults`; a page without faults has an empty list.
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {existsSync, readdirSync, statSync} from 'node:fs';
import {delimiter, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

// How long something that must come may take. Nothing waits so long that comes, however busy the machine is.
export const PATIENCE = 60000;

const root = new URL('../../', import.meta.url);

// Where packages of npm may be: the folder of the environment, build/node, beside the project or above it, and those that
// are there for all. Node itself looks into the folders of NODE_PATH too.
const toolFolders = [process.env.WEB_TOOLS, fileURLToPath(new URL('build/node', root)), fileURLToPath(root), join(process.execPath, '../../lib')].filter(Boolean);

// A package of npm, or null.
export function tool(name) {
  for (const folder of toolFolders) {
    try {
      return createRequire(join(resolve(folder), '/'))(name);
    } catch {
      // not in this one
    }
  }
  return null;
}

// A module of a package that other modules alone can load, or null.
export async function toolModule(name, path) {
  const folders = [...toolFolders.map(folder => join(resolve(folder), 'node_modules')), ...(process.env.NODE_PATH || '').split(delimiter).filter(Boolean)];
  const file = folders.map(folder => join(folder, name, path)).find(existsSync);
  return file ? import(pathToFileURL(file)) : null;
}

export function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = (process.env.PATH || '').split(':');
  return names.flatMap(name => folders.map(folder => `${folder}/${name}`)).find(existsSync);
}

export function program(game) {
  return fileURLToPath(new URL(`twofold-${game}`, root));
}

// Starts `serve`; resolves to {address, stop}, rejects with what the program said instead of an address.
export function serve(game, port = 0) {
  const child = spawn(program(game), ['serve', '--port', String(port)], {stdio: ['ignore', 'pipe', 'pipe']});
  return new Promise((started, reject) => {
    let said = '';
    const hear = data => {
      said += data;
      const found = /http:\/\/127\.0\.0\.1:\d+\/\w+\//.exec(said);
      if (found) started({address: found[0], child, stop: () => new Promise(done => child.exitCode !== null || child.signalCode ? done() : (child.once('exit', done), child.kill()))});
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', reject);
    child.on('exit', code => reject(new Error(`serve ended with ${code}: ${said}`)));
  });
}

// The page of one file, if `make web` has made it and nothing of the page has changed since.
function pageFile(game) {
  const path = fileURLToPath(new URL(`build/web/twofold-${game}.html`, root));
  if (!existsSync(path)) return {missing: 'no page of one file (make web)'};
  const made = statSync(path).mtimeMs, folder = new URL('src/page/', root);
  const newer = readdirSync(folder).find(name => /\.(html|css|js)$/.test(name) && statSync(new URL(name, folder)).mtimeMs > made);
  return newer ? {missing: `the page of one file is older than ${newer} (make web)`} : {path};
}

// The two engines a page can have: {kind, missing, start}; `start` resolves to {address, stop}.
export function backends(game) {
  const {path, missing} = pageFile(game);
  return [
    {kind: 'serve', missing: null, start: () => serve(game)},
    {kind: 'file', missing, start: async () => ({address: pathToFileURL(path).href, stop: async () => {}})},
  ];
}

export async function startBrowser() {
  const flags = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  if (process.getuid() === 0) flags.push('--no-sandbox');
  return tool('playwright-core').chromium.launch({executablePath: findChromium(), args: flags});
}

export class Player {
  constructor(game, browser, address) {
    Object.assign(this, {game, browser, address, faults: [], size: game === 'chess' ? 8 : 9});
  }

  // Opens the page in a context of its own; `script` runs in the page before its own.
  async open({width = 1200, height = 900, touch, dark, language = 'en-GB', context, script} = {}) {
    this.context = context || await this.browser.newContext({viewport: {width, height}, hasTouch: Boolean(touch), colorScheme: dark ? 'dark' : 'light', locale: language, acceptDownloads: true, permissions: ['clipboard-read', 'clipboard-write']});
    this.page = await this.context.newPage();
    const {page} = this, home = this.address.startsWith('file:') ? this.address : new URL(this.address).origin;
    page.setDefaultTimeout(PATIENCE);
    page.on('console', message => ['error', 'warning'].includes(message.type()) && this.faults.push(`console: ${message.text()}`));
    page.on('pageerror', error => this.faults.push(`script: ${error.message}`));
    page.on('request', request => request.url().startsWith(home) || /^(blob|data):/.test(request.url()) || this.faults.push(`foreign request: ${request.url()}`));
    await page.addInitScript(() => addEventListener('securitypolicyviolation', event => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));
    // Both games run at a time and have one clipboard: what this page has put there is kept beside it.
    await page.addInitScript(() => {
      const {clipboard} = navigator, write = clipboard.writeText.bind(clipboard);
      clipboard.writeText = async text => {
        await write(text);
        globalThis.copied = text;
      };
    });
    if (script) await page.addInitScript(script);
    await page.goto(this.address);
    await this.ready();
    return this;
  }

  async ready() {
    await this.page.waitForSelector('body.ready');
    await this.page.waitForSelector('.tf-board .piece');
  }

  close() {
    return this.context.close();
  }

  // Waits until a function of the page's text is true; says what was awaited when it never is.
  async until(test, argument, what, timeout = PATIENCE) {
    try {
      return await (await this.page.waitForFunction(test, argument, {timeout, polling: 40})).jsonValue();
    } catch {
      throw new Error(`waited in vain for ${what || test}`);
    }
  }

  text(id) {
    return this.page.locator('#' + id).textContent();
  }

  press(id) {
    return this.page.locator('#' + id).click();
  }

  mode(name) {
    return this.page.click(`#tabs [data-mode=${name}]`);
  }

  // The middle of a square, or of a man in hand such as P*, on the screen, which is scrolled to it, as a person does.
  async point(at, side = 0, turned = this.turned) {
    const boxOf = async what => {
      await this.page.locator(what).scrollIntoViewIfNeeded();
      return this.page.locator(what).boundingBox();
    };
    if (at.endsWith('*')) {
      const box = await boxOf(`.tf-held[data-kind=${at[0]}][data-side="${side}"]`);
      return {x: box.x + box.width / 2, y: box.y + box.height / 2};
    }
    const box = await boxOf('.tf-svg'), chess = this.game === 'chess', edge = chess ? 0 : 30, high = chess ? 100 : 108;
    let x = chess ? at.charCodeAt(0) - 97 : 9 - at[0], y = chess ? 8 - at[1] : at.charCodeAt(1) - 97;
    if (turned) [x, y] = [this.size - 1 - x, this.size - 1 - y];
    const unit = box.width / (this.size * 100 + 2 * edge);
    return {x: box.x + (x * 100 + 50 + edge) * unit, y: box.y + ((y + 0.5) * high + edge) * unit};
  }

  async click(at, side) {
    const {x, y} = await this.point(at, side);
    await this.page.mouse.click(x, y);
  }

  async tap(at, side) {
    const {x, y} = await this.point(at, side);
    await this.page.touchscreen.tap(x, y);
  }

  async drag(from, to, side) {
    const a = await this.point(from, side), b = await this.point(to);
    await this.page.mouse.move(a.x, a.y);
    await this.page.mouse.down();
    await this.page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, {steps: 3});
    await this.page.mouse.move(b.x, b.y, {steps: 2});
    await this.page.mouse.up();
  }

  // Plays a move of the protocol: way is click, tap or drag; a choice of promotion is answered.
  async play(move, way = 'click', side = 0) {
    const [, origin, to] = /^([A-Z]\*|..)(..)/.exec(move);
    if (way === 'drag') await this.drag(origin, to, side);
    else {
      await this[way](origin, side);
      await this[way](to);
    }
    const choice = this.page.locator(`.tf-choice button[data-move="${move}"]`);
    if (await choice.count()) await choice.click();
  }

  // What the page gives to copy: FEN, PGN and the like.
  async copied(format) {
    await this.page.evaluate(() => globalThis.copied = '');
    await this.page.click(`[data-copy=${format}]`);
    return this.until(() => globalThis.copied, null, `${format} in the clipboard`);
  }

  // The position on the board.
  fen() {
    return this.copied(this.game === 'chess' ? 'FEN' : 'SFEN');
  }

  // Where the men and hands that may move can go, as dots show it: a sorted list of from+to.
  targets(side) {
    return this.page.evaluate(({game, side: mover}) => {
      const host = document.querySelector('.tf-board'), svg = host.querySelector('.tf-svg'), found = [], size = game === 'chess' ? 8 : 9;
      const edge = game === 'chess' ? 0 : 30, high = game === 'chess' ? 100 : 108, box = svg.getBoundingClientRect(), unit = box.width / (size * 100 + 2 * edge);
      const labels = [...svg.querySelectorAll('.ground .label')].map(label => label.textContent), turned = game === 'chess' ? labels[0] === 'h' : labels[0] === '1';
      const name = (x, y) => {
        const [a, b] = turned ? [size - 1 - x, size - 1 - y] : [x, y];
        return game === 'chess' ? 'abcdefgh'[a] + (8 - b) : 9 - a + 'abcdefghi'[b];
      };
      host.setPointerCapture = () => {};
      const send = (element, type, clientX, clientY) => element.dispatchEvent(new PointerEvent(type, {bubbles: true, cancelable: true, clientX, clientY, pointerId: 1}));
      const look = (element, x, y, origin) => {
        send(element, 'pointerdown', x, y);
        send(element, 'pointerup', x, y);
        if (!svg.querySelector('.under .selected') && !host.querySelector('.tf-held.selected')) return;
        for (const mark of svg.querySelectorAll('.over .target')) {
          const at = mark.getBBox();
          found.push(origin + name(Math.floor((at.x + at.width / 2) / 100), Math.floor((at.y + at.height / 2) / high)));
        }
        send(element, 'pointerdown', x, y);
        send(element, 'pointerup', x, y);
      };
      for (const man of svg.querySelectorAll('.piece')) {
        const [, x, y] = /translate\(([\d.-]+)px, ([\d.-]+)px/.exec(man.style.transform).map(Number), column = Math.round(x / 100), row = Math.round((y - high / 2 + 50) / high);
        look(svg, box.left + (column * 100 + 50 + edge) * unit, box.top + ((row + 0.5) * high + edge) * unit, name(column, row));
      }
      for (const held of host.querySelectorAll(`.tf-held[data-side="${mover}"]`)) {
        const at = held.getBoundingClientRect();
        look(held, at.left + at.width / 2, at.top + at.height / 2, held.dataset.kind + '*');
      }
      delete host.setPointerCapture;
      return [...new Set(found)].sort();
    }, {game: this.game, side});
  }

  // Waits until the move list has this many moves and the board takes the next one or the game is over.
  async moves(count) {
    await this.until(n => document.querySelectorAll('#moves .rows > .mv').length >= n, count, `${count} moves in the list`);
  }

  // Waits until the board of a study takes the next move, or says why there is none.
  settled() {
    return this.until(() => document.querySelector('.tf-board').dataset.mode === 'move' || document.getElementById('status').textContent, null, 'the board to be ready');
  }

  // A position typed into the field of the set-up board, and where to go with it.
  async setUp(fen, where) {
    await this.mode('setup');
    await this.page.fill('#fen', fen);
    await this.until(() => document.getElementById('verdict').textContent.startsWith('✓'), null, `a good verdict on ${fen}`);
    if (where) await this.press(where);
    if (where === 'setup-analyse') await this.settled();
  }

  // Starts a game from the form.
  async start({side = 0, level, clock, start}) {
    const {page} = this;
    await page.check(`[name=side][value="${side}"]`, {force: true});
    if (level !== undefined) await page.locator('#level').evaluate((field, value) => {
      field.value = value;
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, {bubbles: true}));
    }, level);
    if (start) await page.selectOption('#start', start);
    await page.selectOption('#time', clock ? 'own' : 'none');
    for (const [id, value] of Object.entries(clock || {})) await page.fill('#' + id, String(value));
    await this.press('new-start');
    this.turned = side === 1;
    await this.until(() => document.body.dataset.play !== 'form', null, 'the game to start');
    if (side === 0) await this.myTurn();
  }

  // Waits for the end of a review: as long as it goes on it may take its time.
  async reviewed() {
    for (let seen = {}; !seen.ended;) {
      seen = await this.until(before => {
        const ended = Boolean(document.querySelector('#players:not([hidden])')) && document.body.dataset.review.includes('ready');
        const now = {ended, text: document.getElementById('progress-text').textContent};
        return (ended || now.text !== before) && now;
      }, seen.text, 'the review to go on');
    }
  }

  over() {
    return this.until(() => document.body.dataset.play === 'over' && `${document.getElementById('over-title').textContent}. ${document.getElementById('over-text').textContent}`, null, 'the end of the game');
  }

  myTurn() {
    return this.until(() => document.body.dataset.play === 'over' || document.querySelector('.tf-board').dataset.mode === 'move', null, 'my turn');
  }
}
