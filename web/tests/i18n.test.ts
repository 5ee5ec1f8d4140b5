// SPDX-License-Identifier: GPL-3.0-or-later
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { formatMessage } from '../src/i18n/format';
import { hr } from '../src/i18n/hr';
import { pl } from '../src/i18n/pl';
import { ro } from '../src/i18n/ro';
import { browserLanguage } from '../src/i18n';
import type { Catalogue, Message } from '../src/i18n/types';

const catalogues: Record<string, Catalogue> = { en, ro, pl, hr };
const texts = (message: Message): string[] => (typeof message === 'string' ? [message] : (Object.values(message) as string[]));
const holes = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!).sort();

describe.each(Object.entries(catalogues))('language %s', (language, catalogue) => {
  it('has every message and no other', () => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort());
  });

  it('renders every message with every number, with nothing left open', () => {
    for (const [key, message] of Object.entries(catalogue)) {
      const values = Object.fromEntries(texts(message).flatMap(holes).map((name) => [name, name === 'n' ? 1 : 'x']));
      for (const n of [0, 1, 2, 3, 5, 12, 19, 20, 21, 22, 101, 102]) {
        const text = formatMessage(language, message, { ...values, ...('n' in values ? { n } : {}) });
        expect(text, key).not.toMatch(/[{}]|undefined/);
        expect(text.trim(), key).not.toBe('');
      }
    }
  });

  it('uses the same values as English', () => {
    for (const [key, message] of Object.entries(catalogue)) {
      const wanted = [...new Set(texts(en[key as keyof typeof en]).flatMap(holes))];
      for (const text of texts(message)) expect([...new Set(holes(text))].sort(), `${key}: ${text}`).toEqual(wanted.sort());
    }
  });

  it('has every plural form of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [key, message] of Object.entries(catalogue))
      if (typeof message !== 'string') for (const form of forms) expect(message, `${key} ${form}`).toHaveProperty(form);
  });

  if (language === 'en') return;
  it('is translated, not copied', () => {
    const same = Object.entries(catalogue).filter(([key, message]) => {
      const original = en[key as keyof typeof en];
      return typeof message === 'string' && message === original && message.length > 12;
    });
    expect(same.map(([key]) => key)).toEqual([]);
  });
});

describe('messages', () => {
  const sources = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? (name === 'i18n' ? [] : sources(path)) : path.endsWith('.ts') ? [readFileSync(path, 'utf8')] : [];
    });

  it('are all used somewhere', () => {
    const text = sources(join(__dirname, '../src')).join('\n');
    const unused = Object.keys(en).filter((key) => {
      if (text.includes(`'${key}'`)) return false;
      // Built from a code: `reason.${...}`, `level.band${...}`.
      return !new RegExp(`\`${key.split('.')[0]}\\.`).test(text);
    });
    expect(unused).toEqual([]);
  });
});

describe('the language of the browser', () => {
  it('is the first one we speak', () => {
    expect(browserLanguage(['de-AT', 'pl-PL', 'en'])).toBe('pl');
    expect(browserLanguage(['hr'])).toBe('hr');
    expect(browserLanguage(['bs-BA'])).toBe('hr');
    expect(browserLanguage(['fr', 'de'])).toBe('en');
    expect(browserLanguage([])).toBe('en');
  });
});
