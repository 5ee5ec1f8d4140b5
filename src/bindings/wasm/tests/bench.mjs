// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark of the program, `rokada bench`, in the program and in WebAssembly: the same positions to the same depth with the
// same hash table, so the same nodes to the last one. Used by the tests of the package and by `make bench-web`.
import { spawnSync } from 'node:child_process';

const usual = 14; // the depth of src/cli/bench.hpp

export const evaluations = ['classical', 'network'];

// Runs it in the program: { nodes, speed, positions: [{ fen, nodes }] }.
export function benchProgram(program, evaluation, depth = usual) {
  const { stdout, stderr, status } = spawnSync(program, ['bench', '--eval', evaluation, '--depth', String(depth)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} bench: ${stderr || `exit code ${status}`}`);
  const positions = [...stderr.matchAll(/^ *(\d+) {2}(\S.*)$/gm)].map(([, nodes, fen]) => ({ fen, nodes: Number(nodes) }));
  return { nodes: Number(/^Nodes searched: (\d+)/m.exec(stdout)[1]), speed: Number(/^Nodes\/second: (\d+)/m.exec(stdout)[1]), positions };
}

// Runs it in an engine of the package, with the positions the program has told.
export function benchPackage(engine, positions, evaluation, depth = usual) {
  const problem = engine.setOption('Hash', '16') || engine.setOption('Evaluation', evaluation);
  if (problem) throw new Error(problem);
  const begin = performance.now();
  const searched = positions.map(({ fen }) => {
    let nodes = 0;
    engine.newGame();
    const { ok, error } = engine.think(fen, [], { depth }, (line) => (nodes = line.nodes));
    if (!ok) throw new Error(`${fen}: ${error}`);
    return { fen, nodes };
  });
  const nodes = searched.reduce((sum, each) => sum + each.nodes, 0);
  return { nodes, speed: (nodes / (performance.now() - begin)) * 1000, positions: searched };
}
