// SPDX-License-Identifier: GPL-3.0-or-later
// What stands where, read from the first field of a FEN. For drawing only; the rules live in C++.

export type PieceLetter = 'P' | 'N' | 'B' | 'R' | 'Q' | 'K';
export type PieceCode = `${'w' | 'b'}${PieceLetter}`;
export type Placement = Map<string, PieceCode>; // by square name

export const files = 'abcdefgh';
export const standardFen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export function readPlacement(fen: string): Placement {
  const placement: Placement = new Map();
  let rank = 8;
  let file = 0;
  for (const letter of fen.split(' ')[0]!) {
    if (letter === '/') {
      --rank;
      file = 0;
    } else if (letter >= '1' && letter <= '8') file += Number(letter);
    else {
      const upper = letter.toUpperCase();
      if ('PNBRQK'.includes(upper) && file < 8 && rank > 0)
        placement.set(`${files[file]}${rank}`, `${letter === upper ? 'w' : 'b'}${upper}` as PieceCode);
      ++file;
    }
  }
  return placement;
}

export function writePlacement(placement: Placement): string {
  const rows: string[] = [];
  for (let rank = 8; rank >= 1; --rank) {
    let row = '';
    let gap = 0;
    for (const file of files) {
      const piece = placement.get(`${file}${rank}`);
      if (!piece) ++gap;
      else {
        if (gap) row += gap;
        gap = 0;
        row += piece[0] === 'w' ? piece[1] : piece[1]!.toLowerCase();
      }
    }
    rows.push(row + (gap || ''));
  }
  return rows.join('/');
}

export const turnOf = (fen: string): 'white' | 'black' => (fen.split(' ')[1] === 'b' ? 'black' : 'white');

export const otherSide = (side: 'white' | 'black'): 'white' | 'black' => (side === 'white' ? 'black' : 'white');

// All 64 names as a reader at that side of the board sees them, row by row.
export function squaresFrom(side: 'white' | 'black'): string[] {
  const names: string[] = [];
  for (let rank = 8; rank >= 1; --rank) for (const file of files) names.push(`${file}${rank}`);
  return side === 'white' ? names : names.reverse();
}
