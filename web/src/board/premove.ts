// SPDX-License-Identifier: GPL-3.0-or-later
// Where a piece might go on a later move, whatever the opponent does in between: geometry without
// blockers, so that a recapture or an opened line can be planned. Legality is checked when its time comes.
import { files, type Placement } from './fen';

export interface Premove {
  from: string;
  to: string;
  promotion?: 'q' | 'r' | 'b' | 'n';
}

export const maxPremoves = 8;

function place(square: string): [number, number] {
  return [files.indexOf(square[0]!), Number(square[1])];
}

export function premoveTargets(placement: Placement, from: string): string[] {
  const piece = placement.get(from);
  if (!piece) return [];
  const [file, rank] = place(from);
  const white = piece[0] === 'w';
  const reaches = (df: number, dr: number): boolean => {
    const [across, along] = [Math.abs(df), Math.abs(dr)];
    switch (piece[1]) {
      case 'N': return across * along === 2;
      case 'B': return across === along;
      case 'R': return df === 0 || dr === 0;
      case 'Q': return across === along || df === 0 || dr === 0;
      case 'K': {
        const home = white ? 1 : 8;
        const castling = rank === home && dr === 0 && file === 4 && across === 2;
        return Math.max(across, along) === 1 || castling;
      }
      default: {
        const step = white ? 1 : -1;
        const start = white ? 2 : 7;
        return (dr === step && across <= 1) || (dr === 2 * step && across === 0 && rank === start);
      }
    }
  };
  const targets: string[] = [];
  for (let f = 0; f < 8; ++f)
    for (let r = 1; r <= 8; ++r)
      if ((f !== file || r !== rank) && reaches(f - file, r - rank)) targets.push(`${files[f]}${r}`);
  return targets;
}

// The board as it would look after the queue, for drawing and for choosing the next premove.
export function virtualPlacement(placement: Placement, queue: readonly Premove[]): Placement {
  const result = new Map(placement);
  for (const { from, to, promotion } of queue) {
    const piece = result.get(from);
    if (!piece) continue;
    result.delete(from);
    const letter = promotion ? promotion.toUpperCase() : piece[1];
    result.set(to, `${piece[0]}${letter}` as typeof piece);
    const [df] = [place(to)[0] - place(from)[0]];
    if (piece[1] === 'K' && Math.abs(df) === 2) {
      const rank = from[1];
      const rookFrom = `${df > 0 ? 'h' : 'a'}${rank}`;
      const rook = result.get(rookFrom);
      if (rook) {
        result.delete(rookFrom);
        result.set(`${df > 0 ? 'f' : 'd'}${rank}`, rook);
      }
    }
  }
  return result;
}

export const premoveUci = (move: Premove): string => move.from + move.to + (move.promotion ?? '');
