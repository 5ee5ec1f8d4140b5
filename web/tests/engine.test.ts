// SPDX-License-Identifier: GPL-3.0-or-later
// The real engine module under Node, as a worker uses it.
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadEngine, type Engine, type Line } from '@rokada/wasm';
import { standardFen } from '../src/board/fen';

const file = new URL('../../src/bindings/wasm/dist/rokada-engine.wasm', import.meta.url);

describe('the engine module', () => {
  let engine: Engine;
  beforeAll(async () => {
    expect(existsSync(file), 'src/bindings/wasm/build makes it').toBe(true);
    engine = await loadEngine(readFileSync(file));
  });

  it('finds a mate and says in how many moves', () => {
    let last: Line | undefined;
    const answer = engine.think('6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1', [], { depth: 6 }, (line) => (last = line));
    expect(answer).toMatchObject({ ok: true, best: 'a1a8' });
    expect(last).toMatchObject({ rank: 1, score: { mate: 1 }, san: ['Ra8#'] });
  });

  it('keeps to its time', () => {
    const begin = performance.now();
    expect(engine.think(standardFen, ['e2e4'], { movetime: 200 })).toMatchObject({ ok: true });
    expect(performance.now() - begin).toBeLessThan(1500);
  });

  it('gives as many lines as wanted, best first', () => {
    expect(engine.setOption('MultiPV', '3')).toBe('');
    const found = new Map<number, Line>();
    engine.think(standardFen, [], { depth: 7 }, (line) => void found.set(line.rank, line));
    expect([...found.keys()].sort()).toEqual([1, 2, 3]);
    expect(found.get(1)!.score.cp!).toBeGreaterThanOrEqual(found.get(3)!.score.cp!);
    expect(engine.setOption('MultiPV', '1')).toBe('');
  });

  it('lists its options and explains a wrong one', () => {
    expect(engine.options().map(({ name }) => name)).toEqual(expect.arrayContaining(['Hash', 'MultiPV', 'UCI_Elo', 'UCI_LimitStrength']));
    expect(engine.setOption('MultiPV', 'many')).not.toBe('');
    expect(engine.setOption('NoSuchThing', '1')).not.toBe('');
  });

  it('has no move where there is none, and refuses nonsense', () => {
    expect(engine.think('7k/5Q2/6K1/8/8/8/8/8 b - - 0 1', [], { depth: 3 })).toMatchObject({ ok: true, best: '' });
    expect(engine.think('nonsense', [], { depth: 3 }).ok).toBe(false);
    expect(engine.think(standardFen, ['e2e5'], { depth: 3 }).ok).toBe(false);
  });

  it('plays weaker when asked to', () => {
    expect(engine.setOption('UCI_LimitStrength', 'true')).toBe('');
    expect(engine.setOption('UCI_Elo', '800')).toBe('');
    expect(engine.think(standardFen, [], { movetime: 300 })).toMatchObject({ ok: true });
    engine.setOption('UCI_LimitStrength', 'false');
  });
});
