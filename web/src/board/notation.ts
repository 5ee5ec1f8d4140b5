// SPDX-License-Identifier: GPL-3.0-or-later
// How a move is written for a reader: SAN, figurines or long algebraic, with the piece letters of the language.
import type { Language } from '../i18n';

export type Notation = 'san' | 'figurine' | 'long';

export const pieceLetters: Record<Language, Record<'K' | 'Q' | 'R' | 'B' | 'N', string>> = {
  en: { K: 'K', Q: 'Q', R: 'R', B: 'B', N: 'N' },
  ro: { K: 'R', Q: 'D', R: 'T', B: 'N', N: 'C' },
  pl: { K: 'K', Q: 'H', R: 'W', B: 'G', N: 'S' },
  hr: { K: 'K', Q: 'D', R: 'T', B: 'L', N: 'S' },
};

const figurines = { K: '♔', Q: '♕', R: '♖', B: '♗', N: '♘' };

type Letter = keyof typeof figurines;

export function writeMove(san: string, uci: string, notation: Notation, language: Language): string {
  const letters = notation === 'figurine' ? figurines : pieceLetters[language];
  const translate = (text: string): string => text.replace(/[KQRBN]/g, (letter) => letters[letter as Letter]);
  if (notation !== 'long' || san.startsWith('O-O')) return san.startsWith('O-O') ? san : translate(san);
  const piece = /^[KQRBN]/.test(san) ? letters[san[0] as Letter] : '';
  const promotion = /=([QRBN])/.exec(san);
  const check = /[+#]$/.exec(san)?.[0] ?? '';
  const hyphen = san.includes('x') ? '×' : '–';
  return `${piece}${uci.slice(0, 2)}${hyphen}${uci.slice(2, 4)}${promotion ? `=${letters[promotion[1] as Letter]}` : ''}${check}`;
}

// For screen readers the words come from the catalogue; this only splits a SAN into its parts.
export interface SpokenMove {
  piece: 'P' | Letter;
  capture: boolean;
  to: string;
  promotion?: Letter;
  castling?: 'short' | 'long';
  check?: 'check' | 'mate';
}

export function spokenParts(san: string): SpokenMove {
  const check = san.endsWith('#') ? 'mate' : san.endsWith('+') ? 'check' : undefined;
  const plain = san.replace(/[+#]$/, '');
  if (plain.startsWith('O-O'))
    return { piece: 'K', capture: false, to: '', castling: plain === 'O-O' ? 'short' : 'long', check };
  const promotion = /=([QRBN])$/.exec(plain)?.[1] as Letter | undefined;
  const squares = plain.match(/[a-h][1-8]/g) ?? [];
  return {
    piece: /^[KQRBN]/.test(plain) ? (plain[0] as Letter) : 'P',
    capture: plain.includes('x'),
    to: squares[squares.length - 1] ?? '',
    promotion,
    check,
  };
}

// A typed move in English letters, from the letters of the language; null when it uses none of them.
export function toEnglishLetters(text: string, language: Language): string | null {
  if (language === 'en' || !/^[A-Z]/.test(text) || text.startsWith('O')) return null;
  const letters = Object.entries(pieceLetters[language]);
  const english = (local: string): string | undefined => letters.find(([, letter]) => letter === local)?.[0];
  if (!english(text[0]!)) return null;
  return text.replace(/[A-Z]/g, (letter) => english(letter) ?? letter);
}
