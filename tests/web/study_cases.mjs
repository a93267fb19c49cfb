// SPDX-License-Identifier: GPL-3.0-or-later
// Analysis, review and the set-up board: moves of every kind by press, drag and tap, random games held to rules of other
// libraries, variations, lines and arrows, records of every format by paste, the verdict on positions.
import {readFileSync} from 'node:fs';
import {check, same} from './harness.mjs';
import {judge, dice, firstGame} from './rules.mjs';

const SPECIAL = {
  chess: [
    ['castling', 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1', ['e1g1', 'e8c8']],
    ['castling onto the rook', 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1', ['e1h1'], ['e1g1']],
    ['en passant', '4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1', ['d7d5', 'e5d6']],
    ['promotion to a queen', '7k/P7/8/8/8/8/8/K7 w - - 0 1', ['a7a8q']],
    ['promotion to a knight', '1r5k/P7/8/8/8/8/8/K7 w - - 0 1', ['a7b8n']],
  ],
  shogi: [
    ['promotion', '4k4/9/9/2S6/9/9/9/9/4K4 b - 1', ['7d7c+']],
    ['no promotion', '4k4/9/9/2S6/9/9/9/9/4K4 b - 1', ['7d7c']],
    ['promotion without a choice', '4k4/2P6/9/9/9/9/9/9/4K4 b - 1', ['7b7a+']],
    ['drops of both', '4k4/9/9/9/9/9/9/9/4K4 b 2Pp 1', ['P*5e', 'P*3c', 'P*1h']],
  ],
};

const GAMES = {
  chess: [
    ['PGN', '[White "A. First"]\n[Black "B. Second"]\n[Result "0-1"]\n\n1. e4 e5 2. f3 Nc6 3. g4 $4 {weak} d6 4. Bc4 Qh4+ 0-1\n', 8, /A\. First – B\. Second/],
    ['a list of moves', 'e2e4 e7e5 g1f3 b8c6', 4],
    ['FEN', '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 0],
    ['EPD', '4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "one";', 0],
  ],
  shogi: [
    ['KIF', '開始日時：2024/05/01\n手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:01/00:00:01)\n   3 ２二角成(88) ( 0:01/00:00:02)\n   4 同　銀(31)   ( 0:01/00:00:02)\n   5 投了\n', 4, /甲 – 乙/],
    ['KI2', '先手：甲\n後手：乙\n手合割：平手\n▲７六歩 △３四歩 ▲２二角成 △同銀\n', 4],
    ['CSA', "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n%TORYO\n", 4],
    ['SFEN', '4k4/9/4P4/9/9/9/9/9/4K4 b G 1', 0],
    ['a list of moves', 'position startpos moves 7g7f 3c3d 2g2f', 3],
  ],
};

const off = player => player.page.locator('#engine-on').evaluate(button => button.getAttribute('aria-checked') === 'true' && button.click());
const count = () => document.querySelectorAll('#moves .rows > .mv').length;

async function specialMoves(player, way) {
  const {game} = player;
  await player.mode('analyse');
  await off(player);
  for (const [name, fen, moves, played = moves] of SPECIAL[game]) {
    await player.setUp(fen, 'setup-analyse');
    const rules = judge(game, fen);
    for (const [i, move] of played.entries()) {
      const {side} = rules;
      if (!rules.legal().includes(move)) break;
      await player.play(moves[i] === move ? move : moves[i], way, side);
      rules.play(move);
      await player.moves(i + 1);
      await player.settled();
    }
    const shown = (await player.fen()).split(' '), wanted = rules.fen().split(' ');
    same(shown.slice(0, 3), wanted.slice(0, 3), `${game}: ${name} by ${way}`);
  }
}

// Both sides play random moves by press; at every step the dots are those of the other library, no more and no fewer.
async function randomGames(player) {
  const {game} = player, starts = game === 'chess'
    ? [undefined, 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1', '8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1']
    : [undefined, 'l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1'];
  await player.mode('analyse');
  await off(player);
  for (const [n, fen] of starts.entries()) {
    const rules = judge(game, fen), roll = dice(40 + n);
    if (fen) await player.setUp(fen, 'setup-analyse');
    for (let ply = 0; ply < 24; ply++) {
      const {side} = rules, legal = rules.legal();
      if (!legal.length) break;
      if (!same(await player.targets(side), rules.targets(), `${game}: the dots at ${rules.fen()}`)) break;
      const move = legal[roll(legal.length)];
      await player.play(move, 'click', side);
      rules.play(move);
      await player.moves(ply + 1);
      await player.settled();
    }
  }
}

async function engineLines(player) {
  const {game, page} = player;
  await player.mode('analyse');
  await page.selectOption('#multipv', '3');
  await player.until(() => document.querySelectorAll('#lines li').length === 3 && document.querySelectorAll('.arrow').length === 3, null, 'three lines and three arrows');
  check(/^[+−]/.test(await player.text('engine-score')) && /depth \d+/.test(await player.text('engine-depth')), `${game}: score and depth`);
  check(/Expected result for/.test(await page.getAttribute('#meter', 'aria-label')) && await page.locator('#wdl i').count() === 3, `${game}: the bar and win, draw, loss`);
  const rules = judge(game), first = await page.evaluate(() => [...document.querySelectorAll('#lines li')].map(line => line.querySelector('.mv').textContent));
  same(new Set(first).size, 3, `${game}: three different first moves: ${first}`);
  await page.check('#show-threat');
  await player.until(() => document.querySelector('.arrow.threat'), null, 'the arrow of the threat');
  await page.uncheck('#show-arrows');
  await player.until(() => !document.querySelector('.arrow.best'), null, 'the arrows to go');
  await page.locator('#lines li .mv').first().click();
  await player.moves(1);
  rules.play(rules.legal()[0]);
  same((await player.fen()).split(' ')[1], rules.fen().split(' ')[1], `${game}: a press on a line plays it`);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Space');
  await player.until(() => document.getElementById('engine-on').getAttribute('aria-checked') === 'false', null, 'the engine to be off');
}

// A setting changed while the engine thinks is taken, kept over a reload, and the engine thinks on.
async function engineSettings(player) {
  const {page, game} = player, name = game === 'chess' ? 'Hash' : 'USI_Hash', field = page.locator('#option-list label').filter({hasText: new RegExp(`^${name}$`)}).locator('input');
  await player.mode('analyse');
  await player.until(() => document.querySelector('#lines li'), null, 'a line');
  await page.click('#options summary');
  await field.fill('24');
  await field.press('Tab');
  await player.until(wanted => Object.keys(localStorage).some(key => localStorage[key].includes(`"${wanted}":24`)), name, 'the setting to be taken');
  await player.until(() => document.querySelector('#lines li'), null, 'the engine to think on');
  await page.reload();
  await player.ready();
  same(await field.inputValue(), '24', `${game}: the setting comes back`);
}

async function variations(player) {
  const {game, page} = player, [a, b, c] = game === 'chess' ? ['e2e4', 'e7e5', 'c7c5'] : ['7g7f', '3c3d', '8c8d'];
  await player.mode('analyse');
  await off(player);
  await page.evaluate(() => document.activeElement.blur());
  await player.play(a);
  await player.moves(1);
  await player.play(b, 'drag', 1);
  await player.moves(2);
  const end = await player.fen();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowLeft');
  await player.until(() => document.querySelector('[data-node="1"][aria-current]'), null, 'one move back');
  await player.play(c, 'drag', 1);
  await player.until(() => document.querySelector('#moves .variation .mv'), null, 'the variation');
  same(await page.evaluate(count), 2, `${game}: the main line stays`);
  await page.keyboard.press('ArrowUp');
  await player.until(() => document.querySelector('[data-node="2"][aria-current]'), null, 'the main line again');
  same(await player.fen(), end, `${game}: nothing is lost by stepping back`);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Home');
  await player.until(() => !document.querySelector('#moves [aria-current]'), null, 'the start');
  await page.keyboard.press('End');
  await player.until(() => document.querySelector('[data-node="2"][aria-current]'), null, 'the end');
  await page.keyboard.press('f');
  await player.until(shogi => document.querySelector('.ground .label').textContent === (shogi ? '1' : 'h'), game === 'shogi', 'the board to turn');
}

async function paste(player, text) {
  await player.page.click('#open-button');
  await player.page.fill('#paste', text);
  await player.press('paste-open');
  await player.until(() => !document.getElementById('open-dialog').open, null, 'the record to be read');
}

async function records(player) {
  for (const [name, text, moves, title] of GAMES[player.game]) {
    await paste(player, text);
    await player.until(wanted => document.body.dataset.mode === (wanted ? 'review' : 'analyse'), moves, `${name} to be shown`);
    await player.until(wanted => document.querySelectorAll('#moves .rows > .mv').length === wanted, moves, `${moves} moves of ${name}`);
    if (title) check(title.test(await player.text('review-intro')), `${player.game}: ${name}: ${await player.text('review-intro')}`);
    await off(player);
  }
  await player.page.click('#open-button');
  await player.page.fill('#paste', 'this is no game');
  await player.press('paste-open');
  await player.until(() => document.querySelector('.notice.bad'), null, 'the word that it cannot be read');
  await player.page.click('.notice.bad .plain', {timeout: 5000}); // not behind the dialog
  await player.until(() => !document.querySelector('.notice.bad'), null, 'the word that it cannot be read to go');
}

async function review(player) {
  const {page, game} = player, [, text, moves] = GAMES[game][0];
  await paste(player, text);
  await player.moves(moves);
  await page.selectOption('#effort', '30000');
  await player.press('review-run');
  await player.reviewed();
  const shares = await page.locator('#players [data-k=accuracy]').allTextContents();
  check(shares.every(share => +share >= 0 && +share <= 100), `${game}: accuracy of both: ${shares}`);
  check(await page.locator('#graph .curve').count() === 1, `${game}: the graph`);
  const box = await page.locator('#graph').boundingBox();
  await page.mouse.click(box.x + box.width * 0.99, box.y + box.height / 2);
  await player.until(n => document.querySelector(`#moves [data-node="${n}"][aria-current]`), moves, 'a press on the graph to go to its move');
  if (game === 'chess') {
    check(await page.locator('#moves .mv.blunder, #moves .mv.mistake').count() > 0, 'chess: g4 is marked');
    await player.press('mark-prev');
    await player.until(() => document.getElementById('remark').textContent, null, 'the remark');
    await player.until(() => document.querySelector('.sign-mark'), null, 'the sign on the board');
    if (await page.isEnabled('#show-better')) {
      await player.press('show-better');
      await player.until(() => document.querySelector('#moves .variation'), null, 'the better line');
    }
  }
  await player.until(() => document.querySelector('#lines li'), null, 'the engine to think while a record is saved');
  const [download] = await Promise.all([page.waitForEvent('download'), player.press(game === 'chess' ? 'export-pgn' : 'export-kif')]);
  const saved = readFileSync(await download.path(), 'utf8');
  check(game === 'chess' ? /\[Result "0-1"\][^]* 0-1\s*$/.test(saved) : /投了/.test(saved), `${game}: with its result: ${saved.slice(-200)}`);
  check(/\.(pgn|kif)/.test(download.suggestedFilename()), `${game}: the annotated record is saved as ${download.suggestedFilename()}`);
}

// A file as people have it, several games in it: one is chosen, every move of it is that of the other library, and the whole
// of it is judged.
async function realFile(player) {
  const {page, game} = player, chess = game === 'chess', path = new URL(chess ? '../data/chess/pgn/kasparov-deep-blue-1997.pgn' : '../data/shogi/games.kif', import.meta.url).pathname;
  await page.setInputFiles('#file', path);
  await player.until(() => document.querySelectorAll('#games:not([hidden]) option').length > 1, null, 'the list of games');
  await page.selectOption('#games', '1');
  await player.until(() => document.body.dataset.mode === 'review' && document.querySelector('#moves .mv'), null, 'the game');
  const rules = firstGame(game, readFileSync(path, 'utf8')), shown = await page.evaluate(count);
  same(shown, rules.length, `${game}: the moves of the file`);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('End');
  await player.until(n => document.querySelector(`#moves [data-node="${n}"][aria-current]`), shown, 'the last move');
  const same3 = text => text.split(' ').slice(0, 3);
  same(same3(await player.fen()), same3(rules.fen), `${game}: the last position of the file`);
  await page.selectOption('#effort', '30000');
  await player.press('review-run');
  await player.until(() => document.getElementById('progress').value > 0, null, 'progress');
  await player.reviewed();
  check(await page.locator('#graph .dot').count() > 0, `${game}: marks on the graph`);
  const [download] = await Promise.all([page.waitForEvent('download'), player.press('export-html')]);
  check(/<!DOCTYPE html>/i.test(readFileSync(await download.path(), 'utf8')), `${game}: the report is saved`);
}

// A file that is chosen twice is opened twice; all games of a large one can be chosen; one that is too large is refused with
// a sentence, and the engine does not even hear of it.
async function files(player) {
  const {page, game} = player, [name, text] = GAMES[game][0], file = {name: `game.${name.toLowerCase()}`, mimeType: 'text/plain'};
  for (let i = 0; i < 2; i++) {
    await page.setInputFiles('#file', {...file, buffer: Buffer.from(text)});
    await player.until(() => document.body.dataset.mode === 'review', null, 'the game');
    same(await page.inputValue('#file'), '', `${game}: nothing stays chosen`);
    await player.mode('play');
  }
  const games = 1200, many = game === 'chess' ? '[Event "one"]\n\n1. e4 e5 *\n\n' : 'V2.2\nPI\n+\n+7776FU\n/\n';
  await page.setInputFiles('#file', {...file, name: `many.${game === 'chess' ? 'pgn' : 'csa'}`, buffer: Buffer.from(many.repeat(games))});
  await player.until(n => document.querySelectorAll('#games:not([hidden]) option').length === n, games, 'all the games to choose from');
  await page.selectOption('#games', String(games));
  await player.until(() => document.body.dataset.mode === 'review', null, 'the last game');
  check(!/\?/.test(await player.text('review-intro')), `${game}: no question marks for a day that is unknown: ${await player.text('review-intro')}`);
  await page.setInputFiles('#file', {...file, buffer: Buffer.alloc(13e6, '1. e4 e5 ')});
  await player.until(() => /too large/.test(document.querySelector('.notice.bad')?.textContent), null, 'the word that the file is too large');
}

// The mode is changed before the engine has answered: the board is that of the last one.
async function hastyModes(player) {
  const {page, game} = player, modes = ['play', 'analyse', 'review', 'setup'];
  for (const first of modes) for (const second of modes) {
    await page.evaluate(names => {
      for (const name of names) document.querySelector(`#tabs [data-mode=${name}]`).click();
    }, [first, second]);
    await player.until(name => name !== 'setup' || document.getElementById('verdict').textContent.startsWith('✓'), second, 'the verdict');
    if (second === 'setup') {
      await player.mode('analyse');
      await player.play(game === 'chess' ? 'b1c3' : '9g9f');
      await page.evaluate(() => document.querySelector('#tabs [data-mode=setup]').click());
      await player.until(() => document.getElementById('verdict').textContent.startsWith('✓'), null, 'the verdict on the move');
      await page.evaluate(() => new Promise(done => setTimeout(done, 300)));
      same(await page.getAttribute('.tf-board', 'data-mode'), 'edit', `${game}: the set-up board stays one after ${first}`);
    }
  }
}

// Moves are counted as the record counts them, before any of them is judged.
async function numbers(player) {
  const {game, page} = player, asked = game === 'chess'
    ? [['1. e4 e5 2. Nf3 *', 3, ['1.', '2.']], ['[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 20"]\n\n20... Kd7 21. e4 *', 2, ['20.', '21.']]]
    : [['7g7f 3c3d 2g2f', 3, ['1', '3']], ['position sfen 4k4/9/9/9/9/9/9/9/4K4 w P 20 moves 5a5b P*5g 5b5a', 3, ['20', '21']]];
  for (const [text, moves, wanted] of asked) {
    await paste(player, text);
    await player.until(n => document.querySelectorAll('#moves .rows > .mv').length === n, moves, `the moves of ${text}`);
    await player.until(list => [...document.querySelectorAll('#moves .rows > .no')].map(cell => cell.textContent).join() === list, wanted.join(), `the numbers ${wanted}, not ${await page.textContent('#moves')}`);
  }
}

// Variations of a record are shown, and are in the record that is copied.
async function recordVariations(player) {
  const {game, page} = player, [format, text, wanted] = game === 'chess'
    ? ['PGN', '1. e4 e5 (1... c5 2. Nf3 (2. c3) 2... d6) 2. Nf3 *', [/1\. e4 e5 \(1\.\.\. c5 2\. Nf3 \(2\. c3\) 2?\.?\.?\.? ?d6\) 2\. Nf3/]]
    : ['KIF', '手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n変化：2手\n   2 ８四歩(83)\n', [/変化：2手/, /８四歩/, /２六歩/]];
  await paste(player, text);
  await player.moves(3);
  same(await page.locator('#moves .variation').count(), 1, `${game}: the variation is shown`);
  const copied = (await player.copied(format)).replace(/\s+/g, ' ');
  for (const part of wanted) check(part.test(copied), `${game}: ${part} in ${copied}`);
}

// A file that is dropped on the page.
async function dropped(player) {
  const {page, game} = player, [name, text, moves] = GAMES[game][0];
  await page.evaluate(({file, content}) => {
    const data = new DataTransfer();
    data.items.add(new File([content], file));
    for (const type of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: data}));
  }, {file: `game.${name.toLowerCase()}`, content: text});
  await player.until(() => document.body.dataset.mode === 'review', null, 'the game');
  await player.moves(moves);
}

// Typed and pressed faster than the engine answers: what is played is what the text says, or nothing is to be pressed.
async function hastySetUp(player) {
  const {page, game} = player, fen = game === 'chess' ? '7k/8/8/8/8/8/8/K5R1 w - - 0 1' : '4k4/9/9/9/9/9/9/9/4K4 b R 1';
  await player.mode('setup');
  await player.until(() => document.getElementById('verdict').textContent.startsWith('✓'), null, 'the first verdict');
  const stale = await page.evaluate(text => {
    const field = document.getElementById('fen');
    field.value = text;
    field.dispatchEvent(new Event('input'));
    return !document.getElementById('setup-play').disabled || document.getElementById('verdict').textContent.startsWith('✓');
  }, fen);
  same(stale, false, `${game}: no verdict of the position before`);
  await player.until(() => !document.getElementById('setup-play').disabled, null, 'the verdict');
  const late = await page.evaluate(async text => {
    const field = document.getElementById('fen'), type = value => {
      field.value = value;
      field.dispatchEvent(new Event('input'));
    };
    type(text);
    type('no position');
    await new Promise(done => setTimeout(done, 600));
    return document.getElementById('verdict').textContent;
  }, fen);
  check(late.startsWith('✗'), `${game}: a late answer is none on what was typed since: ${late}`);
}

async function setUp(player) {
  const {page, game} = player, chess = game === 'chess';
  await player.mode('setup');
  await player.press('setup-clear');
  await player.until(() => document.getElementById('verdict').textContent.startsWith('✗'), null, 'a bad verdict on an empty board');
  const told = () => page.getAttribute('.tf-svg', 'aria-label');
  check(!/king/i.test(await told()), `${game}: an empty board in words: ${await told()}`);
  check(await page.isDisabled('#setup-play'), `${game}: no game from an illegal position`);
  for (const [brush, at] of chess ? [['K', 'e1'], ['k', 'e8'], ['Q', 'd1']] : [['K', '5i'], ['k', '5a'], ['R', '2h']]) {
    await page.click(`[data-brush="${brush}"]`);
    await player.click(at);
  }
  await player.until(() => document.getElementById('verdict').textContent.startsWith('✓'), null, 'a good verdict');
  check((chess ? /queen d1/i : /rook 2h/i).test(await told()), `${game}: the set-up board in words: ${await told()}`);
  same((await page.inputValue('#fen')).split(' ')[0], chess ? '4k3/8/8/8/8/8/8/3QK3' : '4k4/9/9/9/9/9/9/7R1/4K4', `${game}: the text follows the board`);
  await page.click('[data-brush=""]');
  await player.drag(chess ? 'd1' : '2h', chess ? 'd2' : '3h');
  await player.until(part => document.getElementById('fen').value.includes(part), chess ? '/3Q4/4K3' : '/6R2/4K4', 'a man moved by hand');
  if (!chess) {
    await page.click('.tf-held[data-kind=P][data-side="1"]');
    await player.until(() => document.getElementById('fen').value.includes(' p '), null, 'a pawn in hand');
  }
  await player.press('setup-analyse');
  await player.until(() => document.querySelector('#lines li'), null, 'the engine to look at it');
}

export function studyCases() {
  return [
    ['special moves by click', {}, player => specialMoves(player, 'click')],
    ['special moves by drag', {}, player => specialMoves(player, 'drag')],
    ['special moves by tap', {touch: true, width: 360, height: 740}, player => specialMoves(player, 'tap')],
    ['random games', {only: 'serve'}, randomGames],
    ['lines and arrows', {}, engineLines],
    ['engine settings', {}, engineSettings],
    ['variations and keys', {}, variations],
    ['records', {}, records],
    ['review', {}, review],
    ['review of a real file', {}, realFile],
    ['a dropped file', {}, dropped],
    ['files of every size', {}, files],
    ['modes in haste', {}, hastyModes],
    ['numbers of moves', {}, numbers],
    ['variations of a record', {}, recordVariations],
    ['set-up board', {}, setUp],
    ['set-up board in haste', {}, hastySetUp],
  ];
}
