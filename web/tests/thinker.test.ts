// SPDX-License-Identifier: GPL-3.0-or-later
// How long the computer in the browser seems to think: like a person, but never longer than its clock bears.
import { describe, expect, it } from 'vitest';
import type { Game } from '../src/api/client';
import { seemingTime } from '../src/wasm/thinker';

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
