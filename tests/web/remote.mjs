// SPDX-License-Identifier: GPL-3.0-or-later
// Browsers that playwright-core cannot drive as Debian ships them: firefox-esr through its Marionette port, WebKit through
// WebKitWebDriver. Both take the same commands, those of WebDriver; what differs is how these travel. Needs node alone.
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {connect, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const PATIENCE = 60000;

export function findProgram(name) {
  return (process.env.PATH || '').split(':').map(folder => `${folder}/${name}`).find(existsSync);
}

const pause = ms => new Promise(done => setTimeout(done, ms));

async function freePort() {
  const server = createServer();
  const port = await new Promise(done => server.listen(0, '127.0.0.1', () => done(server.address().port)));
  await new Promise(done => server.close(done));
  return port;
}

class Remote {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'twofold-remote-'));
    this.children = [];
  }

  start(name, words, options) {
    const child = spawn(name, words, {stdio: ['ignore', 'pipe', 'pipe'], ...options});
    child.said = '';
    for (const pipe of [child.stdout, child.stderr]) pipe.on('data', data => child.said += data);
    child.gone = new Promise(done => child.once('exit', done).once('error', done));
    child.gone.then(() => child.ended = true);
    this.children.push(child);
    return child;
  }

  // The value of an expression in the page.
  value(expression) {
    return this.command('ExecuteScript', {script: `return (${expression});`, args: []});
  }

  async until(expression, what = expression, ms = PATIENCE) {
    for (const end = Date.now() + ms; Date.now() < end; await pause(60)) if (await this.value(expression)) return;
    throw new Error(`waited in vain for ${what}`);
  }

  goto(url) {
    return this.command('Navigate', {url});
  }

  // Presses at a point of the screen, as a mouse does.
  async press({x, y}) {
    const at = {type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y), origin: 'viewport'};
    const actions = [at, {type: 'pointerDown', button: 0}, {type: 'pause', duration: 20}, {type: 'pointerUp', button: 0}];
    await this.command('PerformActions', {actions: [{type: 'pointer', id: 'mouse', parameters: {pointerType: 'mouse'}, actions}]});
  }

  async close() {
    for (const child of [...this.children].reverse()) {
      if (child.ended) continue;
      child.kill();
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
      await child.gone;
      clearTimeout(timer);
    }
    rmSync(this.folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
  }
}

// ---- Firefox: numbered arrays of JSON over a socket, each after its length ----
export class Firefox extends Remote {
  static lack() {
    return findProgram('firefox-esr') || findProgram('firefox') ? null : 'no firefox-esr';
  }

  async open() {
    const port = await freePort();
    writeFileSync(join(this.folder, 'user.js'), [
      `user_pref("marionette.port", ${port});`,
      'user_pref("browser.shell.checkDefaultBrowser", false);',
      'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
      'user_pref("app.update.enabled", false);',
      'user_pref("browser.tabs.remote.autostart", true);',
    ].join('\n'));
    const child = this.start(findProgram('firefox-esr') || findProgram('firefox'), ['--marionette', '--headless', '--no-remote', '--profile', this.folder, 'about:blank'],
      {env: {...process.env, HOME: this.folder, MOZ_CRASHREPORTER_DISABLE: '1'}});
    this.waiting = new Map();
    this.number = 0;
    for (const end = Date.now() + PATIENCE; !this.socket; await pause(200)) {
      if (child.ended || Date.now() > end) throw new Error(`firefox does not answer: ${child.said.slice(-300)}`);
      await this.connect(port).catch(() => {});
    }
    await this.command('NewSession', {strictFileInteractability: true});
    return this;
  }

  connect(port) {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        this.socket = socket;
        resolve();
      });
      let held = Buffer.alloc(0);
      socket.on('error', reject);
      socket.on('data', data => {
        held = Buffer.concat([held, data]);
        for (let colon; (colon = held.indexOf(':')) > 0;) {
          const end = colon + 1 + Number(held.subarray(0, colon));
          if (held.length < end) return;
          this.take(JSON.parse(held.subarray(colon + 1, end)));
          held = held.subarray(end);
        }
      });
    });
  }

  take(message) {
    if (!Array.isArray(message)) return; // its greeting
    const [, id, error, result] = message, asked = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) asked.reject(new Error(error.message));
    else asked.resolve(result && typeof result === 'object' && 'value' in result ? result.value : result);
  }

  command(name, parameters) {
    const id = ++this.number, text = JSON.stringify([0, id, `WebDriver:${name}`, parameters]);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {resolve, reject});
      this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }
}

// ---- WebKit: HTTP, as the standard has it. Its small browser wants a screen: Xvfb is one, where there is none ----
const PATHS = {Navigate: 'url', ExecuteScript: 'execute/sync', PerformActions: 'actions'};

export class WebKit extends Remote {
  static browser() {
    const folders = ['/usr/lib', ...['x86_64', 'aarch64'].map(machine => `/usr/lib/${machine}-linux-gnu`), '/usr/libexec'];
    return folders.flatMap(folder => ['4.1', '4.0', '6.0'].map(version => `${folder}/webkit2gtk-${version}/MiniBrowser`).concat(`${folder}/webkitgtk-6.0/MiniBrowser`)).find(existsSync);
  }

  static lack() {
    if (!findProgram('WebKitWebDriver')) return 'no WebKitWebDriver (webkit2gtk-driver)';
    if (!WebKit.browser()) return 'no MiniBrowser of WebKitGTK';
    return process.env.DISPLAY || process.env.WAYLAND_DISPLAY || findProgram('Xvfb') ? null : 'no screen and no Xvfb (xvfb)';
  }

  async screen() {
    if (process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return process.env;
    const child = this.start('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp']);
    for (const end = Date.now() + PATIENCE; !/^\d+\n/.test(child.said); await pause(50)) if (child.ended || Date.now() > end) throw new Error(`Xvfb: ${child.said.slice(-300)}`);
    return {...process.env, DISPLAY: `:${parseInt(child.said)}`};
  }

  async open() {
    const port = await freePort(), env = {...await this.screen(), HOME: this.folder, XDG_RUNTIME_DIR: this.folder, NO_AT_BRIDGE: '1', LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1'};
    const child = this.start('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {env});
    this.address = `http://127.0.0.1:${port}/session`;
    const options = {binary: WebKit.browser(), args: ['--automation']};
    for (const end = Date.now() + PATIENCE; ; await pause(200)) {
      if (child.ended || Date.now() > end) throw new Error(`WebKitWebDriver: ${child.said.slice(-300)}`);
      if (await fetch(`http://127.0.0.1:${port}/status`).catch(() => null)) break;
    }
    const {sessionId} = await this.post(this.address, {capabilities: {alwaysMatch: {'webkitgtk:browserOptions': options}}});
    this.address += `/${sessionId}`;
    return this;
  }

  async post(address, body) {
    const reply = await fetch(address, {method: 'POST', body: JSON.stringify(body)}), {value} = await reply.json();
    if (!reply.ok) throw new Error(value.message || value.error);
    return value;
  }

  command(name, parameters) {
    return this.post(`${this.address}/${PATHS[name]}`, parameters);
  }

  async close() {
    await fetch(this.address, {method: 'DELETE'}).catch(() => {});
    await super.close();
  }
}
