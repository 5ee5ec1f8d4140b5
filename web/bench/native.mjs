// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of the page, one thread, under Node, beside the program compiled for the same width of vectors (x86-64-v2):
// `rokada bench` in both with either evaluation, in turns, the medians. Fails if WebAssembly is too slow or searches other nodes.
//   node bench/native.mjs PROGRAM [ROUNDS]
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchPackage, benchProgram, evaluations } from '../../src/bindings/wasm/tests/bench.mjs';
import { loadEngine } from '../../src/bindings/wasm/dist/index.js';

const least = 0.55;
const [program, rounds = '5'] = process.argv.slice(2);
const wasm = join(dirname(fileURLToPath(import.meta.url)), '../../src/bindings/wasm/dist/rokada-engine.wasm');
const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

const engine = await loadEngine(readFileSync(wasm));
let failed = false;
for (const evaluation of evaluations) {
  const { positions } = benchProgram(program, evaluation);
  benchPackage(engine, positions.slice(0, 2), evaluation); // Node compiles a second time what runs often
  const native = [];
  const page = [];
  for (let round = 0; round < Number(rounds); ++round) {
    native.push(benchProgram(program, evaluation));
    page.push(benchPackage(engine, positions, evaluation));
  }
  const [theirs, ours] = [native, page].map((results) => median(results.map(({ speed }) => speed)));
  const ratio = ours / theirs;
  const slow = ratio < least;
  console.log(`bench, ${evaluation}: the program ${(theirs / 1000).toFixed(0)} kn/s, WebAssembly under Node ${(ours / 1000).toFixed(0)} kn/s, ${ratio.toFixed(2)} of it, ${slow ? 'BELOW' : 'above'} ${least}`);
  const nodes = new Set([...native, ...page].map((result) => result.nodes));
  if (nodes.size > 1) console.log(`bench, ${evaluation}: NOT THE SAME nodes: the program ${native[0].nodes}, WebAssembly ${page[0].nodes}`);
  failed ||= slow || nodes.size > 1;
}
process.exitCode = failed ? 1 : 0;
