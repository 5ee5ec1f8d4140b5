// SPDX-License-Identifier: GPL-3.0-or-later
// The package as others get it: packed, unpacked elsewhere, imported by its name under plain Node.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { benchPackage, benchProgram, evaluations } from './bench.mjs';

const source = join(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(source, '../../../build/rokada');
const folder = mkdtempSync(join(tmpdir(), 'rokada-package-'));
const home = join(folder, 'node_modules/@rokada/wasm');
let wasm, rules, engine;

before(async () => {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source, stdio: 'pipe' });
  mkdirSync(home, { recursive: true });
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', join(folder, file), '-C', home, '--strip-components=1']);
  wasm = await import(pathToFileURL(join(home, 'dist/index.js')));
  rules = await wasm.loadRules(readFileSync(join(home, 'dist/rokada-rules.wasm')));
  engine = await wasm.loadEngine(readFileSync(join(home, 'dist/rokada-engine.wasm')));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the package holds what its description promises, and nothing else', () => {
  const files = readdirSync(join(home, 'dist')).sort();
  for (const name of ['index.js', 'index.d.ts', 'game.d.ts', 'rokada.d.ts', 'rokada-rules.wasm', 'rokada-engine.wasm', 'rokada-engine-threads.wasm']) assert.ok(files.includes(name), name);
  assert.deepEqual(readdirSync(home).sort(), ['README.md', 'dist', 'package.json']);
});

test('the example of the README runs', () => {
  const example = /```js\n([^]*?)```/.exec(readFileSync(join(home, 'README.md'), 'utf8'))[1];
  writeFileSync(join(folder, 'example.mjs'), example);
  const out = execFileSync('node', ['example.mjs'], { cwd: folder, encoding: 'utf8' });
  assert.match(out, /Qxf7#/);
});

test('a game is played, taken back and ends', () => {
  const game = new wasm.Game(rules);
  assert.equal(game.legalMoves().length, 20);
  for (const move of ['f3', 'e7e5', 'g2-g4', 'Qh4']) assert.ok(game.play(move).ok, move);
  assert.deepEqual(game.san, ['f3', 'e5', 'g4', 'Qh4#']);
  assert.deepEqual(game.outcome, { winner: 'black', reason: 'checkmate' });
  assert.deepEqual(game.legalMoves(), []);
  assert.equal(game.play('a3').ok, false);
  assert.ok(game.takeBack());
  assert.equal(game.outcome, null);
  assert.equal(game.turn, 'black');
  assert.equal(game.opening.code, 'A00');
});

test('bad input is answered, not thrown about', () => {
  assert.throws(() => new wasm.Game(rules, 'no position'));
  const game = new wasm.Game(rules);
  assert.equal(game.play('Ke3').ok, false);
  assert.deepEqual(game.moves, []);
});

test('a fallen flag loses only to a side that could still mate', () => {
  const able = (fen, side) => rules.canMate(fen, side).able;
  assert.equal(able('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 'white'), true);
  assert.equal(able('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 'black'), false);
  assert.equal(able('4k3/8/8/8/8/8/3NN3/4K3 w - - 0 1', 'white'), true);
  assert.equal(rules.canMate('nonsense', 'white').ok, false);
});

test('Chess960 starts where its number says', () => {
  const game = wasm.Game.chess960(rules, 518);
  assert.ok(game.fen.startsWith('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w'));
  assert.notEqual(wasm.Game.chess960(rules, 0).fen, game.fen);
});

test('the engine searches with callbacks and obeys its level', () => {
  const game = new wasm.Game(engine, '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1');
  const lines = [];
  const answer = wasm.search(engine, game, { depth: 6 }, (line) => lines.push(line));
  assert.equal(answer.best, 'a1a8');
  assert.ok(lines.length > 0 && lines.at(-1).score.mate === 1);
  for (const level of ['Easy', 1234, 'Full']) assert.equal(wasm.setLevel(engine, level), '');
  assert.notEqual(wasm.setLevel(engine, 12), '');
});

test('the engine searches the nodes that the program searches', { skip: !existsSync(program) && 'there is no build/rokada' }, async () => {
  const fresh = await wasm.loadEngine(readFileSync(join(home, 'dist/rokada-engine.wasm')));
  const depth = 12; // a third of the whole benchmark, which `make bench-web` runs
  for (const evaluation of evaluations) {
    const { nodes, positions } = benchProgram(program, evaluation, depth);
    assert.equal(positions.length, 40);
    const here = benchPackage(fresh, positions, evaluation, depth);
    assert.deepEqual(here.positions, positions);
    assert.equal(here.nodes, nodes);
  }
});

test('a whole game is reviewed: the blunder, its reason, and progress on the way', () => {
  const game = new wasm.Game(rules);
  for (const move of ['f3', 'e5', 'g4', 'Qh4#']) game.play(move);
  const heard = [];
  const { ok, review } = engine.review(game.initialFen, game.moves, { nodes: 4000 }, (progress) => heard.push(progress));
  assert.ok(ok);
  assert.deepEqual(review.moves.map(({ san }) => san), game.san);
  assert.equal(review.moves[2].judgement, 'blunder');
  assert.equal(review.moves[2].reasons[0].code, 'allows-mate');
  assert.equal(review.moves[2].reasons[0].mateIn, 1);
  assert.ok(heard.some(({ done, all }) => done > 0 && done <= all) && heard.some(({ plies }) => plies === 0));
  assert.equal(engine.review('nonsense', []).ok, false);
});

test('an engine of one thread is stopped from outside too, and keeps what it knows; so is a review', async () => {
  writeFileSync(join(folder, 'single.mjs'), `
    import { readFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    import { fileURLToPath } from 'node:url';
    import { loadEngine } from '@rokada/wasm';
    const engine = await loadEngine(readFileSync(fileURLToPath(import.meta.resolve('@rokada/wasm/engine.wasm'))));
    parentPort.on('message', ({ number, fen, moves, limits, fresh }) => {
      if (fresh) engine.newGame();
      const hear = (line) => parentPort.postMessage({ number, line });
      const answer = moves ? engine.review(fen, moves, limits, hear, number) : engine.think(fen, [], limits, hear, number);
      parentPort.postMessage({ number, answer });
    });
    parentPort.postMessage({ stopper: engine.stopper });
  `);
  const single = new Worker(join(folder, 'single.mjs'));
  const heard = [];
  const hear = async (wanted) => {
    for (;;) {
      const found = heard.find(wanted);
      if (found) return found;
      await new Promise((resolve) => single.once('message', resolve));
    }
  };
  single.on('message', (message) => heard.push(message));
  try {
    const { stopper } = await hear((message) => message.stopper);
    const fen = 'r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8';
    const ends = async (number) => {
      const asked = Date.now();
      wasm.stopSearches(stopper, number);
      const { answer } = await hear((message) => message.number === number && message.answer);
      assert.ok(Date.now() - asked < 2000, `number ${number} did not end`);
      return answer;
    };
    single.postMessage({ number: 1, fen, limits: { infinite: true } });
    await hear((message) => message.number === 1 && message.line?.depth >= 12);
    assert.notEqual((await ends(1)).best, '');
    single.postMessage({ number: 2, fen, limits: { depth: 10 } });
    single.postMessage({ number: 3, fen, limits: { depth: 10 }, fresh: true });
    const [warm, cold] = await Promise.all([2, 3].map((number) => hear((message) => message.number === number && message.line?.depth === 10)));
    assert.ok(warm.line.nodes < 0.8 * cold.line.nodes, `${warm.line.nodes} nodes where a fresh search needs ${cold.line.nodes}`);
    const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
    single.postMessage({ number: 4, fen: start, moves: ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1c4'], limits: { nodes: 50_000_000 } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal((await ends(4)).ok, false);
    // One that has not begun ends as well.
    wasm.stopSearches(stopper, 5);
    single.postMessage({ number: 5, fen, limits: { infinite: true } });
    await hear((message) => message.number === 5 && message.answer);
  } finally {
    await single.terminate();
  }
});

test('several threads search together and end together', async () => {
  const seat = join(folder, 'seat.mjs');
  writeFileSync(seat, "import { workerData } from 'node:worker_threads';\nimport { takeSeat } from '@rokada/wasm';\nawait takeSeat(workerData);\n");
  const together = await wasm.loadEngine(readFileSync(join(home, 'dist/rokada-engine-threads.wasm')));
  const workers = [];
  try {
    const threads = await together.useThreads(3, (data) => workers.push(new Worker(seat, { workerData: data })), 20_000);
    assert.equal(threads, 3);
    assert.equal(workers.length, 2);
    for (let i = 0; i < 5; ++i) {
      let last;
      const answer = together.think('r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4', [], { depth: 8 }, (line) => (last = line));
      assert.deepEqual([answer.ok, answer.best, last.score], [true, 'h5f7', { mate: 1 }]);
    }
    const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
    const begin = Date.now();
    assert.equal(together.think(start, [], { movetime: 300 }).ok, true);
    assert.ok(Date.now() - begin < 3000);
    // Options, fewer threads and another evaluation go through the same hands.
    for (const [name, value] of [['Threads', '2'], ['Evaluation', 'classical'], ['Threads', '3'], ['Evaluation', 'network'], ['Hash', '8']]) {
      assert.equal(together.setOption(name, value), '');
      assert.equal(together.think(start, ['e2e4'], { depth: 6 }).ok, true);
    }
    // More than the page brought is not more.
    assert.equal(together.setOption('Threads', '8'), '');
    assert.equal(together.think(start, [], { depth: 6 }).ok, true);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
});

test('a search is stopped from outside, and the threads keep what they know', async () => {
  writeFileSync(join(folder, 'seat.mjs'), "import { workerData } from 'node:worker_threads';\nimport { takeSeat } from '@rokada/wasm';\nawait takeSeat(workerData);\n");
  writeFileSync(join(folder, 'thinker.mjs'), `
    import { readFileSync } from 'node:fs';
    import { parentPort, Worker } from 'node:worker_threads';
    import { fileURLToPath } from 'node:url';
    import { loadEngine } from '@rokada/wasm';
    const engine = await loadEngine(readFileSync(fileURLToPath(import.meta.resolve('@rokada/wasm/engine-threads.wasm'))));
    const threads = await engine.useThreads(2, (seat) => new Worker(new URL('./seat.mjs', import.meta.url), { workerData: seat }), 20_000);
    parentPort.on('message', ({ number, fen, limits, alone, fresh }) => {
      if (alone) engine.setOption('Threads', '1');
      if (fresh) engine.newGame();
      const answer = engine.think(fen, [], limits, (line) => parentPort.postMessage({ number, line }), number);
      parentPort.postMessage({ number, answer });
    });
    parentPort.postMessage({ threads, stopper: engine.stopper });
  `);
  const thinker = new Worker(join(folder, 'thinker.mjs'));
  const heard = [];
  const waiting = new Set();
  thinker.on('message', (message) => {
    heard.push(message);
    for (const look of waiting) look(message);
  });
  const hear = (wanted) =>
    new Promise((resolve, reject) => {
      const look = (message) => {
        if (!wanted(message)) return;
        waiting.delete(look);
        resolve(message);
      };
      waiting.add(look);
      thinker.once('error', reject);
      const before = heard.find(wanted);
      if (before) look(before);
    });
  try {
    const { threads, stopper } = await hear((message) => message.stopper);
    assert.equal(threads, 2);
    const fen = 'r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8';
    thinker.postMessage({ number: 1, fen, limits: { infinite: true } });
    await hear((message) => message.number === 1 && message.line?.depth >= 13);
    const asked = Date.now();
    wasm.stopSearches(stopper, 1);
    const { answer } = await hear((message) => message.number === 1 && message.answer);
    assert.equal(answer.ok, true);
    assert.notEqual(answer.best, '');
    assert.ok(Date.now() - asked < 2000, 'the search did not end');
    // Stopped before they begin, others waiting behind them.
    wasm.stopSearches(stopper, 3);
    for (const number of [2, 3]) thinker.postMessage({ number, fen, limits: { infinite: true } });
    // What the stopped search has found out spares the next one work; one thread, so that nodes can be compared.
    thinker.postMessage({ number: 4, fen, limits: { depth: 11 }, alone: true });
    thinker.postMessage({ number: 5, fen, limits: { depth: 11 }, fresh: true });
    const [warm, cold] = await Promise.all([4, 5].map((number) => hear((message) => message.number === number && message.line?.depth === 11)));
    assert.ok(warm.line.nodes < 0.8 * cold.line.nodes, `${warm.line.nodes} nodes where a fresh search needs ${cold.line.nodes}`);
  } finally {
    await thinker.terminate();
  }
});

test('a level says how long a person would have thought', () => {
  wasm.setLevel(engine, 1200);
  const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  const free = engine.think(start, ['e2e4'], { movetime: 200 });
  assert.ok(free.pace >= 250 && free.pace <= 4000, `${free.pace} ms`);
  assert.ok(engine.think(start, ['e2e4'], { wtime: 1500, btime: 1500 }).pace <= 180);
  wasm.setLevel(engine, 'Full');
});
