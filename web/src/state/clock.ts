// SPDX-License-Identifier: GPL-3.0-or-later
// Chess clocks as arithmetic: what is left, what a move costs. Milliseconds throughout.
import type { Clock, Clocks, Side } from '../api/client';

// Milliseconds that a side's moves add or do not count: White's, unless Black has another time.
export const bonusOf = (clock: Clock, side: Side): number => ((side === 'black' ? clock.black?.increment : undefined) ?? clock.increment ?? 0) * 1000;

// Both clocks before the first move.
export function fullClocks(clock: Clock): Clocks {
  return { white_ms: clock.initial * 1000, black_ms: (clock.black?.initial ?? clock.initial) * 1000, running: null };
}

// Time left on a side's clock `elapsed` milliseconds after the clocks were right.
export function timeLeft(clocks: Clocks, side: Side, elapsed: number): number {
  const left = side === 'white' ? clocks.white_ms : clocks.black_ms;
  return clocks.running === side ? Math.max(0, left - elapsed) : left;
}

// The clocks after `side` has moved, having thought for `spent`; null means the flag fell first.
export function afterMove(clock: Clock, clocks: Clocks, side: Side, spent: number, next: Side | null): Clocks | null {
  const name = side === 'white' ? 'white_ms' : 'black_ms';
  const bonus = bonusOf(clock, side);
  let left = clocks[name];
  if (clocks.running === side) {
    const cost = clock.mode === 'delay' ? Math.max(0, spent - bonus) : spent;
    if (cost >= left) return null;
    left -= cost;
    if (clock.mode === 'increment' || !clock.mode) left += bonus;
    // Bronstein gives back what was used, never more than the bonus.
    else if (clock.mode === 'bronstein') left += Math.min(spent, bonus);
  }
  return { ...clocks, [name]: Math.round(left), running: next };
}

export type Urgency = 'calm' | 'warn' | 'bad';

export function urgency(milliseconds: number): Urgency {
  return milliseconds < 10_000 ? 'bad' : milliseconds < 20_000 ? 'warn' : 'calm';
}

// 1:02:03, 4:05, and tenths below twenty seconds.
export function clockText(milliseconds: number): string {
  const tenths = Math.max(0, Math.floor(milliseconds / 100));
  if (tenths < 200) return `0:${String(Math.floor(tenths / 10)).padStart(2, '0')}.${tenths % 10}`;
  const seconds = Math.ceil(milliseconds / 1000);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}
