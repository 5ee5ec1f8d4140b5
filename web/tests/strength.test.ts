// SPDX-License-Identifier: GPL-3.0-or-later
import { describe, expect, it } from 'vitest';
import type { GameSummary } from '../src/api/client';
import { byLevel, course, estimate, measuringResults, type Result } from '../src/state/strength';

const many = (count: number, opponent: number, score: Result['score']): Result[] => Array.from({ length: count }, () => ({ opponent, score }));

function game(id: string, result: string, over: object = {}): GameSummary {
  return {
    id, opponent: 'computer', white: { kind: 'user', name: 'Ana' }, black: { kind: 'computer', name: 'Computer', elo: 1200 },
    seat: 'white', status: 'finished', result, fen: '', ply: 40, turn: 'white', assisted: false, created_at: '', updated_at: '', ...over,
  } as GameSummary;
}

describe('the estimate of strength', () => {
  it('is the level against which half the points are won', () => {
    const { elo } = estimate([...many(100, 1600, 1), ...many(100, 1600, 0)]);
    expect(Math.abs(elo - 1600)).toBeLessThan(5);
  });

  it('follows the logistic curve: three points of four are 191 more', () => {
    const { elo } = estimate([...many(300, 1500, 1), ...many(100, 1500, 0)]);
    expect(Math.abs(elo - 1691)).toBeLessThan(6);
  });

  it('finds the strength of a made-up player within its own margin nineteen times of twenty', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
    let inside = 0;
    for (let round = 0; round < 400; ++round) {
      const truth = 1000 + 500 * random();
      const results = Array.from({ length: 30 }, (): Result => {
        const opponent = truth - 200 + 400 * random();
        return { opponent, score: random() < 1 / (1 + 10 ** ((opponent - truth) / 400)) ? 1 : 0 };
      });
      const { elo, margin } = estimate(results);
      if (Math.abs(elo - truth) <= margin) ++inside;
    }
    expect(inside / 400).toBeGreaterThan(0.92);
    expect(inside / 400).toBeLessThan(0.99);
  });

  it('stays finite and unsure after wins only', () => {
    const { elo, margin } = estimate(many(5, 800, 1));
    expect(elo).toBeGreaterThan(900);
    expect(elo).toBeLessThan(2200);
    expect(margin).toBeGreaterThan(250);
  });

  it('begins with the fifth game', () => {
    expect(course(many(4, 1000, 1))).toEqual([]);
    expect(course(many(6, 1000, 1))).toHaveLength(2);
  });

  it('leaves out help, Chess960, positions of one’s own, games between people and unfinished ones', () => {
    const games = [
      game('a', '1-0'),
      game('helped', '1-0', { assisted: true }),
      game('b', '0-1', { chess960: true }),
      game('f', '1-0', { from_position: true }),
      game('c', '1-0', { black: { kind: 'user', name: 'Bo' } }),
      game('d', '1-0', { status: 'playing', result: undefined }),
      game('e', '1/2-1/2'),
    ];
    expect(measuringResults(games, 'Ana')).toEqual([{ opponent: 1200, score: 0.5 }, { opponent: 1200, score: 1 }]);
  });

  it('counts by level and colour', () => {
    const black = { white: { kind: 'computer', name: '', level: 'Easy' }, black: { kind: 'user', name: 'Ana' } };
    expect(byLevel([game('a', '1-0'), game('b', '0-1'), game('c', '0-1', black)], 'Ana')).toEqual([
      { from: 800, to: 999, white: [0, 0, 0], black: [1, 0, 0] },
      { from: 1200, to: 1399, white: [1, 0, 1], black: [0, 0, 0] },
    ]);
  });
});
