// SPDX-License-Identifier: GPL-3.0-or-later
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Game } from '../src/api/client';
import { Live, type GameEvent, type LiveMessage } from '../src/api/live';
import { applyEvent } from '../src/state/apply-event';

class FakeSocket {
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number }) => void;
  constructor() {
    FakeSocket.all.push(this);
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  tell(message: unknown): void {
    this.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) });
  }
}

const last = (): FakeSocket => FakeSocket.all[FakeSocket.all.length - 1]!;

describe('the live connection', () => {
  let live: Live;
  let heard: LiveMessage[];
  let online: boolean[];
  const follower = () => ({
    version: () => 7,
    message: (message: LiveMessage) => void heard.push(message),
    connection: (open: boolean) => void online.push(open),
  });

  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.all = [];
    heard = [];
    online = [];
    live = new Live(() => 'ws://test', () => new FakeSocket() as unknown as WebSocket);
  });
  afterEach(() => void vi.useRealTimers());

  it('takes the absence of a server that was told to end for a restart, for a minute', () => {
    const states: (boolean | undefined)[][] = [];
    live.follow('abc', { ...follower(), connection: (open: boolean, restarting?: boolean) => void states.push([open, restarting]) });
    last().open();
    last().close(1012);
    vi.advanceTimersByTime(1500);
    last().close(); // not there yet
    vi.advanceTimersByTime(2000);
    last().open();
    last().close(); // lost without a word
    expect(states).toEqual([[true, undefined], [false, true], [false, true], [true, undefined], [false, false]]);
    vi.advanceTimersByTime(1000);
    last().open();
    last().close(1012);
    vi.advanceTimersByTime(70_000);
    last().close();
    expect(states.at(-1)).toEqual([false, false]);
  });

  it('asks for everything after the version the page has', () => {
    live.follow('abc', follower());
    last().open();
    expect(last().sent).toEqual([{ t: 'watch', game: 'abc', version: 7 }]);
    expect(online).toEqual([true]);
  });

  it('comes back by itself and asks again', () => {
    live.follow('abc', follower());
    last().open();
    last().close();
    expect(online).toEqual([true, false]);
    vi.advanceTimersByTime(2000);
    expect(FakeSocket.all).toHaveLength(2);
    last().open();
    expect(last().sent[0]).toEqual({ t: 'watch', game: 'abc', version: 7 });
  });

  it('gives up a silent connection', () => {
    live.follow('abc', follower());
    last().open();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });

  it('takes single messages and arrays, and survives nonsense', () => {
    live.follow('abc', follower());
    last().open();
    last().tell([{ t: 'watching', game: 'abc', version: 7 }, { t: 'watching', game: 'other', version: 1 }]);
    last().tell('not json');
    last().tell({ t: 'presence', game: 'abc', white: true, black: false, watchers: 0 });
    expect(heard.map(({ t }) => t)).toEqual(['watching', 'presence']);
  });

  it('closes when nobody follows any more', () => {
    const stop = live.follow('abc', follower());
    last().open();
    stop();
    expect(last().readyState).toBe(3);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });
});

describe('an event', () => {
  const game = {
    version: 3, ply: 1, key: 'a', moves: ['e2e4'], san: ['e4'], fen: 'x', turn: 'black', status: 'playing', offers: {},
    white: { kind: 'user', name: 'ana', me: true }, black: { kind: 'computer', name: '' }, clocks: null,
  } as unknown as Game;
  const event = (more: Partial<GameEvent>): GameEvent =>
    ({ t: 'event', game: 'abc', version: 4, ply: 2, key: 'b', kind: 'move', ...more }) as GameEvent;

  it('adds a move', () => {
    const next = applyEvent(game, event({ uci: 'e7e5', san: 'e5', fen: 'rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 2' }));
    expect(next.moves).toEqual(['e2e4', 'e7e5']);
    expect(next.turn).toBe('white');
    expect(next.version).toBe(4);
    expect(game.moves).toEqual(['e2e4']);
  });

  it('takes moves back', () => {
    const next = applyEvent(game, event({ kind: 'takeback', ply: 0, fen: 'y w - - 0 1' }));
    expect(next.moves).toEqual([]);
    expect(next.turn).toBe('white');
  });

  it('opens and closes an offer', () => {
    const offered = applyEvent(game, event({ kind: 'offer', what: 'draw', side: 'black', action: 'offer', ply: 1 }));
    expect(offered.offers.draw).toBe('black');
    expect(applyEvent(offered, event({ kind: 'offer', what: 'draw', side: 'white', action: 'decline', ply: 1 })).offers.draw).toBeUndefined();
  });

  it('ends the game and stops the clocks', () => {
    const next = applyEvent(game, event({ kind: 'end', status: 'finished', result: '0-1', reason: 'resignation', clocks: { white_ms: 1, black_ms: 2, running: 'white' } }));
    expect(next).toMatchObject({ status: 'finished', result: '0-1', reason: 'resignation', clocks: { running: null } });
  });
});
