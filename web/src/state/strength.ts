// SPDX-License-Identifier: GPL-3.0-or-later
// How strong a person is, from results against levels of known strength: the most likely Elo number under the usual
// logistic curve, with the range that holds nineteen times out of twenty. Pure, so that tests can check it against known answers.
import type { GameSummary, Side } from '../api/client';
import { levelMarks } from './new-game';

export interface Result {
  opponent: number; // Elo
  score: 0 | 0.5 | 1;
}

export interface Estimate {
  elo: number;
  margin: number; // 95 %: from elo - margin to elo + margin
}

export const gamesNeeded = 5;
export const gamesCounted = 40; // older ones say little about today

// A mild belief that keeps five wins in a row from meaning "infinitely strong"; it counts about as much as one game.
const belief = { elo: 1200, deviation: 500 };
const slope = Math.LN10 / 400;

export function estimate(results: readonly Result[]): Estimate {
  let elo = belief.elo;
  let information = 0;
  // Newton's method; the likelihood has one top, and a few steps reach it.
  for (let step = 0; step < 50; ++step) {
    let gradient = (belief.elo - elo) / belief.deviation ** 2;
    information = 1 / belief.deviation ** 2;
    for (const { opponent, score } of results) {
      const expected = 1 / (1 + 10 ** ((opponent - elo) / 400));
      gradient += slope * (score - expected);
      information += slope ** 2 * expected * (1 - expected);
    }
    const move = Math.max(-200, Math.min(200, gradient / information));
    elo += move;
    if (Math.abs(move) < 0.01) break;
  }
  return { elo, margin: 1.96 / Math.sqrt(information) };
}

// The estimate after each game from the fifth on, oldest first.
export function course(results: readonly Result[]): Estimate[] {
  const points: Estimate[] = [];
  for (let count = gamesNeeded; count <= results.length; ++count)
    points.push(estimate(results.slice(Math.max(0, count - gamesCounted), count)));
  return points;
}

export const sideOf = (game: GameSummary, name: string): Side | null =>
  game.white.kind === 'user' && game.white.name === name ? 'white' : game.black.kind === 'user' && game.black.name === name ? 'black' : null;

export function scoreFor(game: GameSummary, side: Side): 0 | 0.5 | 1 | null {
  if (game.status !== 'finished' || !game.result) return null;
  if (game.result === '1/2-1/2') return 0.5;
  return (game.result === '1-0') === (side === 'white') ? 1 : 0;
}

export function opponentElo(game: GameSummary): number | null {
  const computer = game.white.kind === 'computer' ? game.white : game.black.kind === 'computer' ? game.black : null;
  if (!computer) return null;
  return computer.elo ?? levelMarks.find(({ level }) => level === computer.level)?.elo ?? null;
}

// Games that measure: finished, against a level, from the usual start, without help. Given newest first, returned oldest first.
export function measuringResults(games: readonly GameSummary[], name: string): Result[] {
  const results: Result[] = [];
  for (const game of games) {
    const side = sideOf(game, name);
    const opponent = opponentElo(game);
    const score = side && scoreFor(game, side);
    if (opponent === null || score === null || game.chess960 || game.from_position || game.assisted) continue;
    results.push({ opponent, score });
  }
  return results.reverse();
}

export interface LevelRow {
  from: number; // Elo
  to: number;
  white: [won: number, drawn: number, lost: number];
  black: [won: number, drawn: number, lost: number];
}

const bandWidth = 200;

// Wins, draws and losses by level and colour, weakest level first.
export function byLevel(games: readonly GameSummary[], name: string): LevelRow[] {
  const rows = new Map<number, LevelRow>();
  for (const game of games) {
    const side = sideOf(game, name);
    const elo = opponentElo(game);
    const score = side && scoreFor(game, side);
    if (!side || elo === null || score === null) continue;
    const band = Math.floor(elo / bandWidth) * bandWidth;
    const row: LevelRow = rows.get(band) ?? { from: band, to: band + bandWidth - 1, white: [0, 0, 0], black: [0, 0, 0] };
    row[side][score === 1 ? 0 : score === 0.5 ? 1 : 2]! += 1;
    rows.set(band, row);
  }
  return [...rows.values()].sort((a, b) => a.from - b.from);
}
