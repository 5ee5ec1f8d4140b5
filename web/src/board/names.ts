// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces and moves in words of the reader's language.
import { t, type MessageKey } from '../i18n';
import type { PieceCode } from './fen';
import { spokenParts } from './notation';

export function pieceName(piece: PieceCode): string {
  return t(`piece.${piece}` as MessageKey);
}

export function pieceWord(letter: string): string {
  return t(`piece.${letter.toUpperCase()}` as MessageKey);
}

// "knight takes f7, check": for announcements, where letters and signs read badly.
export function speakMove(san: string): string {
  const move = spokenParts(san);
  let text: string;
  if (move.castling) text = t(move.castling === 'short' ? 'spoken.castleShort' : 'spoken.castleLong');
  else text = t(move.capture ? 'spoken.takes' : 'spoken.to', { piece: pieceWord(move.piece), square: move.to });
  if (move.promotion) text += `, ${t('spoken.promotes', { piece: pieceWord(move.promotion) })}`;
  if (move.check) text += `, ${t(move.check === 'mate' ? 'spoken.mate' : 'spoken.check')}`;
  return text;
}
