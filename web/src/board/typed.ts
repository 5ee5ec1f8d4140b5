// SPDX-License-Identifier: GPL-3.0-or-later
// A move typed by a person: in the letters of the language first, then as English SAN or UCI. And, when it is none, what was meant.
import type { Answer, LegalMove, Refusal, Rules } from '@rokada/wasm';
import { language } from '../i18n';
import { readPlacement, turnOf } from './fen';
import { toEnglishLetters } from './notation';

export function readTyped(rules: Rules, fen: string, text: string): Answer<LegalMove> {
  const english = toEnglishLetters(text, language());
  if (english) {
    const answer = rules.readMove(fen, english);
    if (answer.ok) return answer;
  }
  return rules.readMove(fen, text);
}

// Why a typed text is no move: the refusal of the piece that was meant, 'unclear' when several can go there, null when no piece fits.
export function refuseTyped(rules: Rules, fen: string, text: string): Refusal | 'unclear' | null {
  const meant = meantMove(fen, toEnglishLetters(text, language()) ?? text);
  if (!meant) return null;
  const refusals = meant.from.flatMap((from) => {
    const answer = rules.explain(fen, from, meant.to);
    return answer.ok ? [answer] : [];
  });
  const possible = refusals.filter(({ code }) => code === 'legal');
  if (possible.length > 1) return 'unclear';
  // A pawn's last step was typed without the piece it becomes.
  if (possible.length) return { code: 'promotion-piece-needed', at: [meant.to], by: [] };
  // Of several pieces the one that comes closest.
  const nearness = ({ code }: Refusal): number => (code === 'cannot-move-like-that' ? 0 : code === 'path-blocked' ? 1 : 2);
  return refusals.sort((one, other) => nearness(other) - nearness(one))[0] ?? null;
}

// The squares a text speaks of, in English letters.
function meantMove(fen: string, text: string): { from: string[]; to: string } | null {
  const squares = /^([a-h][1-8])[-x]?([a-h][1-8])/.exec(text);
  if (squares) return { from: [squares[1]!], to: squares[2]! };
  const side = turnOf(fen) === 'white' ? 'w' : 'b';
  const placement = [...readPlacement(fen)];
  const castling = /^[O0]-[O0](-[O0])?/.exec(text);
  if (castling) {
    const king = placement.find(([, piece]) => piece === `${side}K`)?.[0];
    return king ? { from: [king], to: `${castling[1] ? 'c' : 'g'}${king[1]}` } : null;
  }
  const named = /^([KQRBN])?([a-h])?([1-8])?x?([a-h][1-8])(=?[QRBN])?[+#]?$/.exec(text);
  if (!named) return null;
  const [, letter = 'P', file = '', rank = '', to] = named;
  const from = placement
    .filter(([square, piece]) => piece === `${side}${letter}` && square.startsWith(file) && square.endsWith(rank))
    .map(([square]) => square);
  return { from, to: to! };
}
