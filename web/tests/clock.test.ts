// SPDX-License-Identifier: GPL-3.0-or-later
import { describe, expect, it } from 'vitest';
import { afterMove, bonusOf, clockText, fullClocks, timeLeft, urgency } from '../src/state/clock';
import { clockOf, emptyForm } from '../src/state/new-game';

const clocks = { white_ms: 60_000, black_ms: 30_000, running: 'white' as const };

describe('chess clocks', () => {
  it('count down only on the running side', () => {
    expect(timeLeft(clocks, 'white', 1500)).toBe(58_500);
    expect(timeLeft(clocks, 'black', 1500)).toBe(30_000);
    expect(timeLeft(clocks, 'white', 99_000)).toBe(0);
  });

  it('add the Fischer increment after the move', () => {
    const next = afterMove({ initial: 60, increment: 2, mode: 'increment' }, clocks, 'white', 5000, 'black');
    expect(next).toEqual({ white_ms: 57_000, black_ms: 30_000, running: 'black' });
  });

  it('wait before counting with a delay', () => {
    const clock = { initial: 60, increment: 5, mode: 'delay' as const };
    expect(afterMove(clock, clocks, 'white', 4000, 'black')?.white_ms).toBe(60_000);
    expect(afterMove(clock, clocks, 'white', 9000, 'black')?.white_ms).toBe(56_000);
  });

  it('give back at most what was used with Bronstein', () => {
    const clock = { initial: 60, increment: 5, mode: 'bronstein' as const };
    expect(afterMove(clock, clocks, 'white', 3000, 'black')?.white_ms).toBe(60_000);
    expect(afterMove(clock, clocks, 'white', 8000, 'black')?.white_ms).toBe(57_000);
  });

  it('do not charge the first move, before the clock runs', () => {
    expect(afterMove({ initial: 60, increment: 0, mode: 'increment' }, { ...clocks, running: null }, 'white', 20_000, 'black')?.white_ms).toBe(60_000);
  });

  it('fall when the time is used up', () => {
    expect(afterMove({ initial: 60, increment: 3, mode: 'increment' }, clocks, 'white', 60_000, 'black')).toBeNull();
  });

  it('give Black its own increment at time odds', () => {
    const clock = { initial: 60, increment: 0, mode: 'increment' as const, black: { initial: 30, increment: 4 } };
    const next = afterMove(clock, { ...clocks, running: 'black' }, 'black', 1000, 'white');
    expect(next?.black_ms).toBe(33_000);
  });

  it('read well at every length', () => {
    expect(clockText(3_723_000)).toBe('1:02:03');
    expect(clockText(245_000)).toBe('4:05');
    expect(clockText(19_940)).toBe('0:19.9');
    expect(clockText(0)).toBe('0:00.0');
    expect(urgency(20_000)).toBe('calm');
    expect(urgency(19_999)).toBe('warn');
    expect(urgency(9_999)).toBe('bad');
  });
});

describe('time odds', () => {
  const form = { ...emptyForm, clock: 'own', minutes: 5, increment: 3, odds: true, blackMinutes: 1.5, blackIncrement: 0 };
  const clock = clockOf(form)!;

  it('are asked for with an own clock only', () => {
    expect(clock).toEqual({ initial: 300, increment: 3, mode: 'increment', black: { initial: 90, increment: 0 } });
    expect(clockOf({ ...form, clock: '3+2' })).not.toHaveProperty('black');
    expect(clockOf({ ...form, odds: false })).not.toHaveProperty('black');
  });

  it('give Black another time and another bonus', () => {
    expect(fullClocks(clock)).toEqual({ white_ms: 300_000, black_ms: 90_000, running: null });
    expect([bonusOf(clock, 'white'), bonusOf(clock, 'black')]).toEqual([3000, 0]);
    const running = { ...fullClocks(clock), running: 'black' as const };
    expect(afterMove(clock, running, 'black', 10_000, 'white')).toEqual({ white_ms: 300_000, black_ms: 80_000, running: 'white' });
  });
});
