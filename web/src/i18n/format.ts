// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a message and its values into a sentence. Pure, so that tests render every message.
import type { Message, MessageValues } from './types';

const rules = new Map<string, Intl.PluralRules>();

function pluralForm(language: string, count: number): Intl.LDMLPluralRule {
  let rule = rules.get(language);
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)));
  return rule.select(count);
}

// A plural message is chosen by the value named `n`.
export function formatMessage(language: string, message: Message, values: MessageValues = {}): string {
  const text =
    typeof message === 'string' ? message : (message[pluralForm(language, Number(values.n ?? 0))] ?? message.other);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === 'number' ? formatNumber(language, value) : value;
  });
}

export function formatNumber(language: string, value: number): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
}
