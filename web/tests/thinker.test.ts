// SPDX-License-Identifier: GPL-3.0-or-later
// How long the computer in the browser seems to think: like a person, but never longer than its clock bears.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Game } from '../src/api/client';
import { makeThinker, patience, seemingTime } from '../src/wasm/thinker';

const game = (player: Partial<Game['white']>, left?: number): Game =>
  ({ turn: 'white', white: { kind: 'computer', ...player }, black: { kind: 'guest' }, clocks: left === undefined ? null : { white_ms: left, black_ms: 60_000, running: 'white' } }) as unknown as Game;

describe('the pace of the computer in the browser', () => {
  it('is what the engine says for a level', () => {
    expect(seemingTime(game({ level: 'Easy' }), 1800)).toBe(1800);
    expect(seemingTime(game({ elo: 1350 }, 300_000), 2400)).toBe(2400);
  });

  it('is a short moment at full strength', () => {
    expect(seemingTime(game({ level: 'Full' }), 3000)).toBe(500);
    expect(seemingTime(game({ level: 'Full' }, 300_000), 3000)).toBe(500);
  });

  it('never endangers the clock', () => {
    for (const left of [0, 50, 500, 1500, 2000, 5000, 20_000, 180_000])
      for (const pace of [0, 250, 4000, 60_000]) {
        const wait = seemingTime(game({ level: 'Easy' }, left), pace);
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(Math.max(0, left - 1500));
        expect(wait).toBeLessThanOrEqual(left * 0.12);
      }
  });
});

describe('a device that is too slow for a level', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  const think = async (player: Partial<Game['white']>, took: number, left?: number) => {
    const engine = { pace: 0, stop: () => {}, search: () => new Promise<string>((resolve) => setTimeout(() => resolve('e2e4'), took)) };
    const thinker = makeThinker(engine);
    const found: boolean[] = [];
    for (let i = 0; i < 3; ++i) {
      const move = thinker.think({ ...game(player, left), clock: left === undefined ? null : { initial: 300, mode: 'increment' }, initial_fen: '', moves: [] } as unknown as Game);
      await vi.advanceTimersByTimeAsync(took + 1000);
      await move;
      found.push(thinker.slow ?? false);
    }
    return found;
  };

  it('is noticed when it was late twice', async () => {
    expect(await think({ level: 'Hard' }, patience + 100)).toEqual([false, true, true]);
    expect(await think({ level: 'Hard' }, patience - 500)).toEqual([false, false, false]);
  });

  it('is noticed with a clock too, but not at full strength, which uses its clock', async () => {
    expect(await think({ level: 'Hard' }, patience + 100, 300_000)).toEqual([false, true, true]);
    expect(await think({ level: 'Full' }, patience + 100, 300_000)).toEqual([false, false, false]);
  });
});
