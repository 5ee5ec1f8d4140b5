// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes per second of two WebAssembly engines over the same positions, each alone, with one thread and 16 MB.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const positions = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
];
const time = 3000;

export async function benchRokada(file) {
  const here = dirname(fileURLToPath(import.meta.url));
  const module = join(here, '../../src/bindings/wasm/dist/index.js');
  if (!existsSync(module)) throw new Error(`${module} is missing: npm run prepack in src/bindings/wasm`);
  const { loadEngine } = await import(pathToFileURL(module).href);
  const engine = await loadEngine(readFileSync(file));
  let nodes = 0;
  let spent = 0;
  for (const fen of positions) {
    let last;
    engine.newGame();
    engine.think(fen, [], { movetime: time }, (line) => (last = line));
    nodes += last.nodes;
    spent += last.time;
  }
  return (nodes / spent) * 1000;
}

// Speaks UCI over its pipes, as any program would.
export async function benchStockfish(script) {
  const engine = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  let rest = '';
  let onLine = () => {};
  engine.stdout.on('data', (bytes) => {
    const parts = (rest + bytes).split('\n');
    rest = parts.pop();
    for (const line of parts) onLine(line.trim());
  });
  const ask = (command, until, hear = () => {}) =>
    new Promise((resolve) => {
      onLine = (line) => {
        hear(line);
        if (line.startsWith(until)) resolve();
      };
      engine.stdin.write(`${command}\n`);
    });
  let nodes = 0;
  let spent = 0;
  await ask('uci', 'uciok');
  for (const fen of positions) {
    let last = '';
    await ask('ucinewgame\nisready', 'readyok');
    await ask(`position fen ${fen}\ngo movetime ${time}`, 'bestmove', (line) => {
      if (/ nodes /.test(line)) last = line;
    });
    nodes += Number(/ nodes (\d+)/.exec(last)[1]);
    spent += Number(/ time (\d+)/.exec(last)[1]);
  }
  engine.stdin.write('quit\n');
  engine.kill();
  return (nodes / spent) * 1000;
}
