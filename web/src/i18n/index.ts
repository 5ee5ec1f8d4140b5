// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the page: `t('key', values)` anywhere, `setLanguage` to change it.
// English is part of the bundle; the others are fetched when chosen.
import { en } from './en';
import { formatMessage } from './format';
import { languages, type Catalogue, type Language, type MessageKey, type MessageValues } from './types';

export * from './types';

const loaders: Record<Exclude<Language, 'en'>, () => Promise<Catalogue>> = {
  ro: async () => (await import('./ro')).ro,
  pl: async () => (await import('./pl')).pl,
  hr: async () => (await import('./hr')).hr,
};

let current: Language = 'en';
let catalogue: Catalogue = en;
const changed = new EventTarget();

export const language = (): Language => current;

export function t(key: MessageKey, values?: MessageValues): string {
  return formatMessage(current, catalogue[key] ?? en[key], values);
}

export async function setLanguage(next: Language): Promise<void> {
  catalogue = next === 'en' ? en : await loaders[next]();
  current = next;
  document.documentElement.lang = next;
  changed.dispatchEvent(new Event('change'));
}

export function onLanguageChange(listener: () => void): () => void {
  changed.addEventListener('change', listener);
  return () => changed.removeEventListener('change', listener);
}

export function browserLanguage(wanted: readonly string[] = navigator.languages): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0]!;
    // Bosnian, Serbian in Latin script and Montenegrin readers understand Croatian better than English.
    const near = ['bs', 'sr', 'sh'].includes(base) ? 'hr' : base === 'mo' ? 'ro' : base;
    const found = languages.find((known) => known === near);
    if (found) return found;
  }
  return 'en';
}

export function formatDate(time: number | string | Date, withTime = false): string {
  const date = new Date(time);
  return new Intl.DateTimeFormat(current, {
    dateStyle: 'medium',
    ...(withTime ? { timeStyle: 'short' as const } : {}),
  }).format(date);
}

export function formatRelative(time: number | string | Date): string {
  const seconds = (new Date(time).getTime() - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(current, { numeric: 'auto' });
  const size = Math.abs(seconds);
  if (size < 60) return format.format(0, 'minute');
  if (size < 3600) return format.format(Math.round(seconds / 60), 'minute');
  if (size < 86400) return format.format(Math.round(seconds / 3600), 'hour');
  if (size < 7 * 86400) return format.format(Math.round(seconds / 86400), 'day');
  return formatDate(time);
}
