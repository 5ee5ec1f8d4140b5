// SPDX-License-Identifier: GPL-3.0-or-later
// Legal moves as a board needs them: where each piece may go, and which move two squares mean. Castling may also be made by putting the
// king on its rook.
import type { LegalMove } from '@rokada/wasm';

export function targetsOf(legal: readonly LegalMove[]): Map<string, string[]> {
  const targets = new Map<string, string[]>();
  const add = (from: string, to: string): void => {
    const list = targets.get(from) ?? [];
    if (!list.includes(to)) list.push(to);
    targets.set(from, list);
  };
  for (const move of legal) {
    const [from, to] = [move.uci.slice(0, 2), move.uci.slice(2, 4)];
    add(from, to);
    const other = otherWay(legal, move);
    if (other && other !== to && other !== from) add(from, other);
  }
  return targets;
}

// Several when a pawn is promoted.
export function movesBetween(legal: readonly LegalMove[], from: string, to: string): LegalMove[] {
  const direct = legal.filter(({ uci }) => uci.slice(0, 4) === from + to);
  return direct.length ? direct : legal.filter((move) => move.uci.startsWith(from) && otherWay(legal, move) === to);
}

// The other way to show a castling move. Usual castling is written as the king's step and may also be made onto the rook;
// Chess960 castling is written as king takes rook and may also be made onto the king's square, unless a plain move goes there.
function otherWay(legal: readonly LegalMove[], { san, uci }: LegalMove): string {
  if (!san.startsWith('O-O')) return '';
  const long = san.startsWith('O-O-O');
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const step = `${long ? 'c' : 'g'}${uci[1]}`;
  if (to !== step) return legal.some((move) => move.uci.startsWith(from + step)) ? '' : step;
  return from[0] === 'e' ? `${long ? 'a' : 'h'}${uci[1]}` : '';
}
