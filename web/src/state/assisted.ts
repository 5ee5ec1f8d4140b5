// SPDX-License-Identifier: GPL-3.0-or-later
// Games in which this person took a hint, looked at the engine or took a move back: they say little about strength,
// so the estimate on the profile leaves them out.
import { readJson, writeJson } from './storage';

const key = 'rokada.assisted';
const keep = 2000;

function read(): string[] {
  const saved = readJson(key);
  return Array.isArray(saved) ? saved.filter((id): id is string => typeof id === 'string') : [];
}

export function markAssisted(id: string): void {
  const known = read();
  if (!known.includes(id)) writeJson(key, [id, ...known].slice(0, keep));
}

export const assistedGames = (): ReadonlySet<string> => new Set(read());
