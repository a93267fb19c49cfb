// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a page and an engine together, for `make web`:
//   node scripts/web.mjs file GAME ENGINE.wasm OUT.html      one file that needs nothing else
//   node scripts/web.mjs site GAME FOLDER-OF-BUILDS OUT-FOLDER   a folder for a web host
// The page is src/page: its modules have one import or export a line, so they are joined by leaving those words out, each
// module after those it needs.
import {copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {gzipSync} from 'node:zlib';

const PAGE = 'src/page', WEB = 'src/web';
const page = name => readFileSync(join(PAGE, name), 'utf8');
const web = name => readFileSync(join(WEB, name), 'utf8');

function fail(why) {
  console.error(`web: ${why}`);
  process.exit(1);
}

// ---- joining ----
const IMPORT = /^import \{[^}]*\} from '\.\/([\w.-]+)';$/;
const EXPORT = /^export (?=(?:async )?(?:function|const|let|class)\b)/;

function joinModules(name, done = new Map()) {
  if (done.has(name)) return '';
  done.set(name, '');
  let before = '', own = '';
  for (const line of page(name).split('\n')) {
    const found = line.match(IMPORT);
    if (found) before += joinModules(found[1], done);
    else if (/^(import|export)\b/.test(line) && !EXPORT.test(line)) fail(`${name}: this cannot be joined: ${line}`);
    else own += line.replace(EXPORT, '') + '\n';
  }
  const names = [...own.matchAll(/^(?:async )?(?:function\*?|const|let|class) (\w+)/gm)].map(match => match[1]);
  for (const word of names) {
    const other = [...done].find(([, words]) => words.includes(` ${word} `));
    if (other) fail(`${name} and ${other[0]} both define ${word}`);
  }
  done.set(name, ` ${names.join(' ')} `);
  return before + own;
}

// Inside a script element nothing may look like its end; in a script these are the same strings.
const asScript = text => text.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
const asLiteral = value => asScript(JSON.stringify(value)).replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');

// The page with everything it names put in.
function inlinePage(game, scripts) {
  let html = page('index.html');
  html = html.replace(/<link rel="stylesheet" href="([\w.-]+)">/g, (all, name) => `<style>\n${page(name)}</style>`);
  html = html.replace(/<link rel="icon" href="([\w.-]+\.svg)">/g,
    (all, name) => `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(page(name))}">`);
  let entry = '';
  html = html.replace(/<script type="module" src="([\w.-]+)"><\/script>\n?/, (all, name) => {
    entry = `<script type="module">\n${asScript(joinModules(name))}</script>\n`;
    return '';
  });
  if (!entry) fail('index.html names no module');
  const left = html.match(/ (?:src|href)="(?!data:|#|https?:)[^"]+"/);
  if (left) fail(`index.html needs another file:${left[0]}`);
  const end = html.lastIndexOf('</body>');
  return html.slice(0, end) + scripts + entry + html.slice(end);
}

// ---- one file ----
function makeFile(game, wasm, out) {
  const packed = gzipSync(readFileSync(wasm), {level: 9}).toString('base64');
  const source = `globalThis.TWOFOLD = {isAddress: false, threads: null, worker: ${asLiteral(web('worker.js'))}, wasm: "${packed}"};\n`;
  const html = inlinePage(game, `<script>\n${source}</script>\n<script>\n${asScript(web('engine.js'))}</script>\n`);
  writeFileSync(out, html);
  console.log(`${out}: ${Buffer.byteLength(html)} bytes`);
}

// ---- a folder ----
const HEADERS = [['Cross-Origin-Opener-Policy', 'same-origin'], ['Cross-Origin-Embedder-Policy', 'require-corp']];

function makeSite(game, builds, out) {
  const to = join(out, game);
  mkdirSync(to, {recursive: true});
  for (const name of readdirSync(PAGE)) if (/\.(html|css|js|svg|png|webmanifest)$/.test(name)) copyFileSync(join(PAGE, name), join(to, name));
  for (const name of ['worker.js', 'engine.js', 'threads.js']) copyFileSync(join(WEB, name), join(to, name));
  for (const name of ['engine.wasm', 'engine-threads.js', 'engine-threads.wasm', 'engine-threads.worker.js']) {
    copyFileSync(join(builds, name), join(to, name));
  }
  writeFileSync(join(to, 'engine-source.js'),
    "globalThis.TWOFOLD = {isAddress: true, worker: 'worker.js', wasm: 'engine.wasm', threads: 'threads.js'};\n");
  const scripts = '<script src="engine-source.js"></script>\n<script src="engine.js"></script>\n';
  const html = page('index.html').replace('<script type="module"', all => scripts + all);
  if (!html.includes(scripts)) fail('index.html names no module');
  writeFileSync(join(to, 'index.html'), html);
  // For hosts that read one of these; others are told in docs/web.md.
  writeFileSync(join(out, '_headers'), '/*\n' + HEADERS.map(([name, value]) => `  ${name}: ${value}\n`).join(''));
  writeFileSync(join(out, '.htaccess'), '<IfModule mod_headers.c>\n' +
    HEADERS.map(([name, value]) => `  Header set ${name} "${value}"\n`).join('') + '</IfModule>\nAddType application/wasm .wasm\n');
  console.log(`${to}/: ${readdirSync(to).length} files`);
}

const [what, game, from, out] = process.argv.slice(2);
if (what === 'file' && out) makeFile(game, from, out);
else if (what === 'site' && out) makeSite(game, from, out);
else fail(`${basename(process.argv[1])} file|site GAME FROM OUT`);
