// SPDX-License-Identifier: GPL-3.0-or-later
// Reasons and moves of a review in whole sentences of the reader's language.
import type { NamedPiece, Reason, ReviewMove } from '@rokada/wasm';
import { writeMove } from '../board/notation';
import { language, t, type MessageKey } from '../i18n';
import { settings } from '../state/settings';

export function moveText({ san, uci }: ReviewMove): string {
  const { notation, letters } = settings.state;
  return writeMove(san, uci, notation, letters === 'english' ? 'en' : language());
}

// "the queen on c8", as the object of a verb.
const pieceAt = (piece: NamedPiece | undefined): string => (piece ? t(`at.${piece.piece}` as MessageKey, { square: piece.square }) : '');

// One sentence that is true on the board: what the first move of the line does.
export function reasonText(reason: Reason): string {
  const motif = reason.code.slice(reason.code.indexOf('-') + 1);
  const [first] = reason.line;
  const values = {
    move: first ? moveText(first) : '',
    line: reason.line.slice(0, 5).map(moveText).join(' '),
    target: pieceAt(reason.target),
    other: pieceAt(reason.other),
    amount: t(`amount.${reason.amount ?? 'material'}` as MessageKey),
    n: reason.mateIn ?? 0,
  };
  if (motif === 'mate' || motif === 'back-rank-mate') {
    const key = reason.mateIn === 1 ? `${motif}-now` : motif === 'mate' && !reason.exact ? 'mate-within' : motif;
    return t(`why.${key}` as MessageKey, values);
  }
  return t(`why.${motif}` as MessageKey, values);
}

// What the sentence is about: what the move allows, or what it misses.
export function reasonLabel(reason: Reason, played: ReviewMove): string {
  if (reason.code.startsWith('misses')) return t('review.missed');
  return reason.code.startsWith('ends') ? t('review.result') : t('review.after', { move: moveText(played) });
}
