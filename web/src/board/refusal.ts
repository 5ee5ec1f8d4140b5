// SPDX-License-Identifier: GPL-3.0-or-later
// Why a move was not possible, as a sentence that names the piece to blame.
import type { Refusal } from '@rokada/wasm';
import { t, type MessageKey } from '../i18n';
import { readPlacement } from './fen';
import { pieceWord } from './names';

export function refusalText(refusal: Refusal, fen: string): string {
  const placement = readPlacement(fen);
  const word = (square: string | undefined): string => {
    const piece = placement.get(square ?? '');
    return piece ? pieceWord(piece[1]!) : '';
  };
  return t(`refusal.${refusal.code}` as MessageKey, {
    at: refusal.at[0] ?? '',
    by: refusal.by[0] ?? '',
    piece: word(refusal.at[0]),
    attacker: word(refusal.by[0]),
  });
}
