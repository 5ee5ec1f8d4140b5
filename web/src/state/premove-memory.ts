// SPDX-License-Identifier: GPL-3.0-or-later
// Premoves survive a reload of the page: kept per game for this tab.
import type { Premove } from '../board/premove';
import { readTabJson, writeTabJson } from './storage';

export class PremoveMemory {
  private readonly key: string;

  constructor(id: string) {
    this.key = `rokada.premoves.${id}`;
  }

  read(): Premove[] {
    const saved = readTabJson(this.key);
    return Array.isArray(saved) ? saved.filter(isPremove) : [];
  }

  write(premoves: readonly Premove[]): void {
    writeTabJson(this.key, premoves.length ? premoves : null);
  }
}

function isPremove(value: unknown): value is Premove {
  const move = value as Partial<Premove> | null;
  return !!move && /^[a-h][1-8]$/.test(String(move.from)) && /^[a-h][1-8]$/.test(String(move.to));
}
