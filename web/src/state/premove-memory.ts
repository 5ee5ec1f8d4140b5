// SPDX-License-Identifier: GPL-3.0-or-later
// Premoves survive a reload of the page: kept per game for this tab.
import type { Premove } from '../board/premove';

export class PremoveMemory {
  private readonly key: string;

  constructor(id: string) {
    this.key = `rokada.premoves.${id}`;
  }

  read(): Premove[] {
    try {
      const saved: unknown = JSON.parse(sessionStorage.getItem(this.key) ?? '[]');
      return Array.isArray(saved) ? saved.filter(isPremove) : [];
    } catch {
      return [];
    }
  }

  write(premoves: readonly Premove[]): void {
    try {
      if (premoves.length) sessionStorage.setItem(this.key, JSON.stringify(premoves));
      else sessionStorage.removeItem(this.key);
    } catch {
      // Without storage they last as long as the page.
    }
  }
}

function isPremove(value: unknown): value is Premove {
  const move = value as Partial<Premove> | null;
  return !!move && /^[a-h][1-8]$/.test(String(move.from)) && /^[a-h][1-8]$/.test(String(move.to));
}
