// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of a catalogue. English is the list of messages; the other languages must have the same
// keys (the compiler checks it) with the same {placeholders} (a test checks it).
import type { en } from './en';

export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
export type Message = string | Plural;
export type MessageKey = keyof typeof en;
export type Catalogue = Record<MessageKey, Message>;
export type MessageValues = Record<string, string | number>;

export const languages = ['en', 'ro', 'pl', 'hr'] as const;
export type Language = (typeof languages)[number];
export const languageNames: Record<Language, string> = {
  en: 'English',
  ro: 'Română',
  pl: 'Polski',
  hr: 'Hrvatski',
};
