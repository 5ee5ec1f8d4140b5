// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has chosen on this device. Kept in the browser, applied to the page at once.
import { browserLanguage, languages, setLanguage, type Language } from '../i18n';
import { readJson, writeJson } from './storage';
import { Store } from './store';

// Folders of assets/pieces.
export const pieceSets = ['cburnett', 'rokada', 'bold', 'moves'] as const;

export interface Settings {
  theme: 'system' | 'dark' | 'light';
  board: 'walnut' | 'slate' | 'forest' | 'contrast';
  pieces: (typeof pieceSets)[number];
  language: Language | 'browser';
  notation: 'san' | 'figurine' | 'long';
  letters: 'local' | 'english';
  coordinates: boolean;
  legalSquares: boolean;
  animation: boolean;
  autoQueen: boolean;
  confirmMoves: boolean;
  premoves: boolean;
  volume: number; // 0 to 100
  lowTimeSound: boolean;
  notices: boolean; // of the system, when it is the person's move and the page is out of sight
  thinkOn: 'server' | 'browser';
  reviewOn: 'server' | 'browser';
  threads: number; // of the engine in this browser, where the page may share memory; 0: as many as are good for the device
  engineLines: boolean; // evaluation bar and lines beside the board, where the game allows them
}

export const defaults: Settings = {
  theme: 'system',
  board: 'walnut',
  pieces: 'cburnett',
  language: 'browser',
  notation: 'san',
  letters: 'local',
  coordinates: true,
  legalSquares: true,
  animation: true,
  autoQueen: false,
  confirmMoves: false,
  premoves: true,
  volume: 60,
  lowTimeSound: true,
  notices: false,
  thinkOn: 'server',
  reviewOn: 'browser',
  threads: 0,
  engineLines: false,
};

const key = 'rokada.settings';

// Anything unexpected in storage falls back to the default, field by field.
export function readSettings(saved: unknown): Settings {
  const settings = { ...defaults };
  if (typeof saved !== 'object' || saved === null) return settings;
  const allowed: Partial<Record<keyof Settings, readonly unknown[]>> = {
    theme: ['system', 'dark', 'light'],
    board: ['walnut', 'slate', 'forest', 'contrast'],
    pieces: pieceSets,
    language: ['browser', ...languages],
    notation: ['san', 'figurine', 'long'],
    letters: ['local', 'english'],
    thinkOn: ['server', 'browser'],
    reviewOn: ['server', 'browser'],
  };
  for (const name of Object.keys(defaults) as (keyof Settings)[]) {
    const value = (saved as Record<string, unknown>)[name];
    const fits = allowed[name] ? allowed[name].includes(value) : typeof value === typeof defaults[name];
    if (fits) Object.assign(settings, { [name]: value });
  }
  settings.threads = Math.min(16, Math.max(0, Math.round(settings.threads)));
  settings.volume = Math.min(100, Math.max(0, settings.volume));
  return settings;
}

export const settings = new Store<Settings>(readSettings(readJson(key)));

export function changeSettings(patch: Partial<Settings>): void {
  settings.set(patch);
  writeJson(key, settings.state);
  applyLook();
  if ('language' in patch) void applyLanguage();
}

export function applyLook(): void {
  const { theme, board, pieces, animation } = settings.state;
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.dataset.board = board;
  root.dataset.pieces = pieces;
  root.classList.toggle('no-motion', !animation);
}

export function applyLanguage(): Promise<void> {
  const { language } = settings.state;
  return setLanguage(language === 'browser' ? browserLanguage() : language);
}

// Half of the device, so that it stays cool and the page quick; more than four bring little at the depths of a page.
export const usualThreads = (): number => Math.max(1, Math.min(4, Math.floor((navigator.hardwareConcurrency || 1) / 2)));

export const engineThreads = (): number => settings.state.threads || usualThreads();
