// SPDX-License-Identifier: GPL-3.0-or-later
// Captured pieces and the balance in points, from what stands on the board.
import { readPlacement, type PieceLetter } from './fen';

export const points: Record<PieceLetter, number> = { P: 1, N: 3, B: 3, R: 5, Q: 9, K: 0 };
const order: PieceLetter[] = ['Q', 'R', 'B', 'N', 'P'];

export interface Material {
  // Pieces each side has taken, most valuable first.
  taken: { white: PieceLetter[]; black: PieceLetter[] };
  balance: number; // positive when White is ahead
}

function count(fen: string): Record<'w' | 'b', Record<PieceLetter, number>> {
  const empty = () => ({ P: 0, N: 0, B: 0, R: 0, Q: 0, K: 0 });
  const counts = { w: empty(), b: empty() };
  for (const piece of readPlacement(fen).values()) ++counts[piece[0] as 'w' | 'b'][piece[1] as PieceLetter];
  return counts;
}

// A promoted pawn counts as a lost pawn and a gained piece: the piece never shows as "minus one taken".
export function material(fen: string, initialFen: string): Material {
  const now = count(fen);
  const start = count(initialFen);
  const result: Material = { taken: { white: [], black: [] }, balance: 0 };
  for (const [side, taker] of [['b', 'white'], ['w', 'black']] as const) {
    const promoted = order.slice(0, 4).reduce((sum, letter) => sum + Math.max(0, now[side][letter] - start[side][letter]), 0);
    for (const letter of order) {
      let lost = start[side][letter] - now[side][letter];
      if (letter === 'P') lost -= promoted;
      for (let i = 0; i < lost; ++i) result.taken[taker].push(letter);
    }
  }
  for (const letter of order) result.balance += points[letter] * (now.w[letter] - now.b[letter]);
  return result;
}
