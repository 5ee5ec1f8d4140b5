// SPDX-License-Identifier: GPL-3.0-or-later
// Engine scores for people: from White's side, as text and as a share of the evaluation bar.
import type { EngineScore } from '../wasm/engine-protocol';

export function whiteScore(score: EngineScore, turn: 'white' | 'black'): EngineScore {
  if (turn === 'white') return score;
  return score.mate !== undefined ? { mate: -score.mate } : { cp: -(score.cp ?? 0) };
}

export function scoreText(score: EngineScore): string {
  if (score.mate !== undefined) return score.mate < 0 || Object.is(score.mate, -0) ? `−#${Math.abs(score.mate)}` : `#${score.mate}`;
  const pawns = (score.cp ?? 0) / 100;
  if (Math.abs(pawns) < 0.005) return '0.00';
  return `${pawns > 0 ? '+' : '−'}${Math.abs(pawns).toFixed(2)}`;
}

// White's winning chances in percent, the usual logistic curve over centipawns.
export function winPercent(score: EngineScore): number {
  if (score.mate !== undefined) return score.mate < 0 || Object.is(score.mate, -0) ? 0 : 100;
  const cp = Math.max(-1000, Math.min(1000, score.cp ?? 0));
  return 100 / (1 + Math.exp(-0.00368208 * cp));
}
