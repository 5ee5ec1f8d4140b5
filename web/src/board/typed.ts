// SPDX-License-Identifier: GPL-3.0-or-later
// A move typed by a person: in the letters of the language first, then as English SAN or UCI.
import type { Answer, LegalMove, Rules } from '@rokada/wasm';
import { language } from '../i18n';
import { toEnglishLetters } from './notation';

export function readTyped(rules: Rules, fen: string, text: string): Answer<LegalMove> {
  const english = toEnglishLetters(text, language());
  if (english) {
    const answer = rules.readMove(fen, english);
    if (answer.ok) return answer;
  }
  return rules.readMove(fen, text);
}
