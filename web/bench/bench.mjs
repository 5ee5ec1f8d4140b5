// SPDX-License-Identifier: GPL-3.0-or-later
// What the browser client weighs and how quick it is, with the limits it must keep. `make bench-web` runs it against
// build/rokada and Debian's Chromium; the engine of the page is compared with the npm package `stockfish` under Node.
//   node bench/bench.mjs [FOLDER WITH node_modules/stockfish]
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { startBrowser, startServer, visitor } from '../e2e/support.mjs';
import { benchRokada, benchStockfish } from './engines.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, '../dist/assets');
const asset = (pattern) => join(assets, readdirSync(assets).find((name) => pattern.test(name)));
const oneThread = /^rokada-engine-(?!threads-).*\.wasm$/;
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(0)} KB`;
let broken = 0;

function say(what, value, limit) {
  const over = limit && limit.value > limit.most;
  if (over) ++broken;
  console.log(`${what.padEnd(58)} ${String(value).padStart(12)}${limit ? `   ${over ? 'OVER' : 'within'} ${limit.text}` : ''}`);
}

const server = await startServer([], { embedded: true });
const browser = await startBrowser();

// ---- weight: what a first visit to the home page fetches, before anybody asks for the engine
{
  const { context, page } = await visitor(browser, server.address, { serviceWorkers: 'block' });
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  let total = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (total += encodedDataLength));
  await page.goto('/', { waitUntil: 'networkidle' });
  say('home page, all files, compressed', kilobytes(total), { value: total, most: 150 * 1024, text: '150 KB' });
  await context.close();
  const engine = readFileSync(asset(oneThread));
  const packed = brotliCompressSync(engine).length;
  say('engine and network, compressed', kilobytes(packed), { value: packed, most: 1.5 * 1024 * 1024, text: '1.5 MB' });
}

// ---- the engine in the page: cold load, first answer, speed
{
  const { context, page } = await visitor(browser, server.address, { serviceWorkers: 'block' });
  await page.goto('/about');
  const files = [oneThread, /^engine-worker.*\.js$/, /^rokada-engine-threads-.*\.wasm$/].map((pattern) => `/assets/${asset(pattern).slice(assets.length + 1)}`);
  const result = await page.evaluate(async ([wasm, script, shared]) => {
    const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
    const run = async (address, threads) => {
      const begin = performance.now();
      const module = await WebAssembly.compileStreaming(fetch(address));
      const worker = new Worker(script);
      const hear = (wanted, onLine) => new Promise((resolve) => {
        worker.onmessage = ({ data }) => (data.kind === wanted ? resolve(data) : onLine?.(data.line));
      });
      const search = (movetime) => worker.postMessage({ kind: 'search', id: movetime, search: { fen, moves: [], options: {}, limits: { movetime } } });
      worker.postMessage({ kind: 'load', module, threads });
      await hear('ready');
      const ready = performance.now() - begin;
      search(100);
      await hear('done');
      const answered = performance.now() - begin;
      let last;
      search(3000);
      await hear('done', (line) => (last = line));
      worker.terminate();
      return { ready, answered, speed: last.nodes / last.time };
    };
    return { ...(await run(wasm, 1)), two: await run(shared, 2) };
  }, files);
  say('engine ready from a cold load', `${result.ready.toFixed(0)} ms`, { value: result.ready, most: 1500, text: '1500 ms' });
  say('its answer to a search of 100 ms, from the start', `${result.answered.toFixed(0)} ms`, { value: result.answered - result.ready, most: 200, text: 'ready + 200 ms' });
  say('engine in the page', `${result.speed.toFixed(0)} kn/s`);
  say('the one with threads, ready with two of them', `${result.two.ready.toFixed(0)} ms`);
  say('the one with threads, two of them', `${result.two.speed.toFixed(0)} kn/s`);
  await context.close();
}

// ---- the board: from the click to the painted piece, and the work while dragging
{
  const { context, page, board } = await visitor(browser, server.address);
  await page.goto('/');
  await page.locator('label:has(input[value=device])').click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  await page.evaluate(() => {
    window.delays = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (/^(pointerdown|pointerup|mousedown|click)$/.test(entry.name)) window.delays.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  });
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  for (const [from, to] of [['e2', 'e4'], ['e7', 'e5'], ['g1', 'f3'], ['b8', 'c6'], ['f1', 'c4'], ['g8', 'f6']]) await board.move(from, to);
  await page.waitForTimeout(500);
  const clicks = JSON.parse((await browser.stopTracing()).toString()).traceEvents;
  const delays = await page.evaluate(() => window.delays);
  const slowest = Math.max(16, ...delays);
  // Processor time, which a busy machine does not stretch: handlers, style, layout and painting.
  const busy = clicks.filter(({ name, tdur, args }) => tdur && (/^(UpdateLayoutTree|Layout|PrePaint|Paint|Layerize|Commit|FireAnimationFrame)$/.test(name) || (name === 'EventDispatch' && /^(pointer|mouse|click|board)/.test(args?.data?.type))));
  say('from input to painted piece, slowest of 12 clicks', `${slowest.toFixed(0)} ms`, { value: slowest, most: 50, text: '50 ms' });
  say('processor time of the page for one click, on average', `${(busy.reduce((sum, { tdur }) => sum + tdur, 0) / 12000).toFixed(1)} ms`);

  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  const [x, y] = await board.point('d2');
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 1; i <= 120; ++i) await page.mouse.move(x + 60 * Math.sin(i / 10), y - i * 1.5);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const spans = traceEvents.filter(({ ph, dur }) => ph === 'X' && dur !== undefined);
  const work = spans.filter(({ name, args }) => (name === 'EventDispatch' && /^(pointer|mouse)move$/.test(args?.data?.type)) || name === 'FireAnimationFrame');
  const layouts = spans.filter(({ name }) => name === 'Layout' || name === 'UpdateLayoutTree');
  const moves = work.filter(({ name, args }) => name === 'EventDispatch' && /move$/.test(args.data.type)).length / 2;
  const each = work.reduce((sum, { dur }) => sum + dur, 0) / 1000 / Math.max(1, moves);
  const forced = layouts.filter((layout) => work.some(({ ts, dur, tid }) => tid === layout.tid && layout.ts >= ts && layout.ts + layout.dur <= ts + dur)).length;
  say('work of the page for one pointer event while dragging', `${each.toFixed(2)} ms`, { value: each, most: 4, text: '4 ms' });
  say('forced layouts while dragging', forced, { value: forced, most: 0, text: 'none' });
  await context.close();
}
await browser.close();
await server.stop();

// ---- the same engine under Node, beside the stockfish package
const ours = await benchRokada(join(here, '../../src/bindings/wasm/dist/rokada-engine.wasm'));
const size = (path) => kilobytes(brotliCompressSync(readFileSync(path)).length);
say('Rokada under Node, one thread, 3 s a position', `${(ours / 1000).toFixed(0)} kn/s`);
const folder = process.argv[2];
const other = folder && join(folder, 'node_modules/stockfish/bin');
if (other && existsSync(other)) {
  const script = readdirSync(other).find((name) => /lite-single\.js$/.test(name));
  const theirs = await benchStockfish(join(other, script));
  say(`${script.replace(/\.js$/, '')} under Node, the same`, `${(theirs / 1000).toFixed(0)} kn/s`);
  const wasm = join(other, script.replace(/js$/, 'wasm'));
  say(`${script.replace(/\.js$/, '')}, compressed (as it is: ${kilobytes(statSync(wasm).size)})`, size(wasm));
} else console.log('The npm package stockfish is not there; `make bench-web` fetches it.');
if (broken) {
  if (loadavg()[0] > cpus().length) console.log(`The machine is busy (load ${loadavg()[0].toFixed(1)} on ${cpus().length} processors): times are those of a loaded one.`);
  console.log(`${broken} over its limit`);
  process.exitCode = 1;
}
