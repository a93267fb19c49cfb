// SPDX-License-Identifier: GPL-3.0-or-later
// Chromium without a window, driven through its debugging pipe: messages of JSON that end with a zero byte, one way and
// the other. Needs node and the browser and nothing else.
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
  '--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage', '--remote-debugging-pipe'];

// The name of a browser that is here; null when there is none.
export function findChromium() {
  const names = [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].filter(Boolean);
  return names.find(name => spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name]).status === 0) || null;
}

export class Browser {
  constructor(program) {
    this.folder = mkdtempSync(join(tmpdir(), 'twofold-web-'));
    this.child = spawn(program, [...FLAGS, `--user-data-dir=${this.folder}`, 'about:blank'],
      {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
    this.waiting = new Map();
    this.number = 0;
    this.gone = new Promise(resolve => this.child.once('exit', resolve));
    let held = '';
    this.child.stdio[4].setEncoding('utf8');
    this.child.stdio[4].on('data', chunk => {
      const parts = (held + chunk).split('\0');
      held = parts.pop();
      for (const part of parts) this.take(JSON.parse(part));
    });
    this.child.stdio[3].on('error', () => {});
    this.child.once('exit', () => {
      for (const {reject} of this.waiting.values()) reject(new Error('the browser has ended'));
    });
  }

  take(message) {
    const asked = this.waiting.get(message.id);
    if (!asked) return;
    this.waiting.delete(message.id);
    if (message.error) asked.reject(new Error(message.error.message));
    else asked.resolve(message.result);
  }

  ask(method, params = {}, sessionId = undefined) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {resolve, reject});
      this.child.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + '\0');
    });
  }

  // A tab at an address; the promise is kept when it is loaded.
  async open(url) {
    const {targetId} = await this.ask('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await this.ask('Target.attachToTarget', {targetId, flatten: true});
    const tab = new Tab(this, targetId, sessionId);
    await tab.ask('Page.enable');
    await tab.ask('Page.navigate', {url});
    await tab.until('document.readyState === "complete" && location.href !== "about:blank"');
    return tab;
  }

  async close() {
    this.ask('Browser.close').catch(() => {});
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 3000);
    await this.gone;
    clearTimeout(timer);
    rmSync(this.folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
  }
}

class Tab {
  constructor(browser, target, session) {
    this.browser = browser;
    this.target = target;
    this.session = session;
  }

  ask(method, params) {
    return this.browser.ask(method, params, this.session);
  }

  // The value of an expression; promises are waited for.
  async value(expression) {
    const {result, exceptionDetails: wrong} =
      await this.ask('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true, userGesture: true});
    if (wrong) throw new Error(wrong.exception && wrong.exception.description || wrong.text);
    return result.value;
  }

  // Calls a function in the page with plain values.
  call(run, ...values) {
    return this.value(`(${run})(${values.map(value => JSON.stringify(value)).join(', ')})`);
  }

  async until(condition, ms = 20000) {
    for (const end = Date.now() + ms; Date.now() < end;) {
      if (await this.value(condition).catch(() => false)) return;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    throw new Error(`not within ${ms} ms: ${condition}`);
  }

  close() {
    return this.browser.ask('Target.closeTarget', {targetId: this.target});
  }
}
