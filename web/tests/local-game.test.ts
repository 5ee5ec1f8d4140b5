// SPDX-License-Identifier: GPL-3.0-or-later
// Games in this browser, with the real rules and a stand-in for the engine.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadRules } from '@rokada/wasm';
import { LocalGame, type Thinker } from '../src/state/local-game';
import { localGames, readLocalGame, startLocalGame } from '../src/state/local-games';
import { emptyForm, type GameForm } from '../src/state/new-game';
import { session } from '../src/state/session';
import { settings } from '../src/state/settings';
import { toasts } from '../src/state/toasts';
import { uploadOf } from '../src/state/uploads';
import { go } from '../src/app/router';
import type { Me } from '../src/api/client';

vi.mock('../src/wasm/rules', () => {
  const module = new URL('../../src/bindings/wasm/dist/rokada-rules.wasm', import.meta.url);
  const loading = loadRules(readFileSync(module));
  return { rules: () => loading };
});
vi.mock('../src/app/router', () => ({ go: vi.fn() }));

class FakeStorage {
  private readonly items = new Map<string, string>();
  getItem = (key: string): string | null => this.items.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.items.set(key, value);
  removeItem = (key: string): void => void this.items.delete(key);
}

const noThinker = async (): Promise<Thinker> => {
  throw new Error('nobody thinks here');
};

async function begin(form: Partial<GameForm>, makeThinker = noThinker): Promise<LocalGame> {
  const game = new LocalGame(startLocalGame({ ...emptyForm, opponent: 'device', ...form }), makeThinker);
  game.open();
  await vi.advanceTimersByTimeAsync(20);
  return game;
}

const record = (game: LocalGame) => game.store.state.game!;

describe('a game in this browser', () => {
  beforeEach(() => {
    vi.stubGlobal('localStorage', new FakeStorage());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('keeps every move and comes back after a reload', async () => {
    const game = await begin({});
    game.play('e2e4');
    game.play('e7e5');
    game.close();
    expect(readLocalGame(record(game).id)?.san).toEqual(['e4', 'e5']);
    expect(localGames()).toHaveLength(1);
  });

  it('ends with mate, and takeback reopens it', async () => {
    const game = await begin({});
    for (const move of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) game.play(move);
    expect(record(game)).toMatchObject({ status: 'finished', result: '0-1', reason: 'checkmate' });
    game.takeback('offer');
    expect(record(game)).toMatchObject({ status: 'playing', moves: ['f2f3', 'e7e5', 'g2g4'] });
    expect(record(game).result).toBeUndefined();
  });

  it('ignores a move that is not legal', async () => {
    const game = await begin({});
    game.play('e2e5');
    expect(record(game).moves).toEqual([]);
  });

  it('ends when the flag falls', async () => {
    const game = await begin({ clock: 'own', minutes: 0.5, increment: 0 });
    game.play('e2e4');
    await vi.advanceTimersByTimeAsync(29_000);
    expect(record(game).status).toBe('playing');
    await vi.advanceTimersByTimeAsync(1_100);
    expect(record(game)).toMatchObject({ status: 'finished', result: '1-0', reason: 'time' });
    expect(record(game).clocks).toMatchObject({ black_ms: 0, running: null });
  });

  it('is a draw when the flag falls against a bare king, and the server is told of the flag', async () => {
    const game = await begin({ opponent: 'computer', color: 'white', clock: 'own', minutes: 0.5, increment: 0, fen: '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' }, async () => ({ think: async () => 'e8d8', cancel: vi.fn() }));
    game.play('e2e3');
    await vi.advanceTimersByTimeAsync(10);
    await vi.advanceTimersByTimeAsync(30_100);
    expect(record(game)).toMatchObject({ status: 'finished', result: '1/2-1/2', reason: 'time-against-bare-king' });
    expect(uploadOf(record(game))).toMatchObject({ result: '0-1', reason: 'time' });
  });

  it('goes on after a third repetition where draws are claimed, and a claim ends it', async () => {
    const shuffle = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
    const ended = await begin({});
    for (const move of [...shuffle, ...shuffle]) ended.play(move);
    expect(record(ended)).toMatchObject({ status: 'finished', reason: 'threefold-repetition' });
    const game = await begin({ draws: 'claimed' });
    for (const move of [...shuffle, ...shuffle]) game.play(move);
    expect(record(game)).toMatchObject({ status: 'playing', can_claim_draw: true });
    game.play('e2e4');
    expect(record(game)).toMatchObject({ status: 'playing', can_claim_draw: false });
    game.draw('claim');
    expect(record(game).status).toBe('playing');
    game.takeback('offer');
    game.draw('claim');
    expect(record(game)).toMatchObject({ status: 'finished', result: '1/2-1/2', reason: 'threefold-repetition' });
    expect(uploadOf(record(game))).toMatchObject({ auto_draw: false, result: '1/2-1/2', reason: 'threefold-repetition' });
    game.rematch('offer');
    await vi.advanceTimersByTimeAsync(10);
    expect(localGames().filter(({ auto_draw }) => !auto_draw)).toHaveLength(2);
  });

  it('does not count the time while the page is closed', async () => {
    const game = await begin({ clock: '3+2' });
    game.play('e2e4');
    await vi.advanceTimersByTimeAsync(10_000);
    game.close();
    await vi.advanceTimersByTimeAsync(600_000);
    const again = new LocalGame(record(game).id, noThinker);
    again.open();
    expect(record(again).clocks?.black_ms).toBe(170_000);
    again.close();
  });

  it('lets the computer answer, and drops its answer after a takeback', async () => {
    const answers: ((move: string) => void)[] = [];
    const thinker: Thinker = { think: () => new Promise((resolve) => answers.push(resolve)), cancel: vi.fn() };
    const game = await begin({ opponent: 'computer', color: 'white' }, async () => thinker);
    game.play('e2e4');
    await vi.advanceTimersByTimeAsync(10);
    answers[0]!('e7e5');
    await vi.advanceTimersByTimeAsync(10);
    expect(record(game).moves).toEqual(['e2e4', 'e7e5']);
    game.play('d2d4');
    await vi.advanceTimersByTimeAsync(10);
    game.takeback('offer');
    answers[1]!('e5d4');
    await vi.advanceTimersByTimeAsync(10);
    expect(record(game).moves).toEqual(['e2e4', 'e7e5']);
  });

  it('says once that a level is slow on this device, and offers the server with the position as it stands', async () => {
    vi.stubGlobal('document', { documentElement: { dataset: {}, classList: { toggle: () => {} } } });
    session.set({ me: { kind: 'guest' } as Me, reachable: true });
    const thinker: Thinker = { slow: true, think: async () => 'e7e5', cancel: vi.fn() };
    const game = await begin({ opponent: 'computer', color: 'white' }, async () => thinker);
    game.play('e2e4');
    await vi.advanceTimersByTimeAsync(10);
    game.play('d2d4');
    await vi.advanceTimersByTimeAsync(10);
    expect(toasts.state.list.map(({ text, action }) => [text, action?.label])).toEqual([['This level is slow on this device.', 'Go on with the server']]);
    toasts.state.list[0]!.action!.act();
    expect(settings.state.thinkOn).toBe('server');
    expect(go).toHaveBeenCalledWith(`/?fen=${encodeURIComponent(record(game).fen)}`);
    session.set({ me: null });
  });

  it('keeps time odds, also in the next game', async () => {
    const game = await begin({ clock: 'own', minutes: 5, increment: 0, odds: true, blackMinutes: 0.5, blackIncrement: 0 });
    expect(record(game).clocks).toMatchObject({ white_ms: 300_000, black_ms: 30_000 });
    game.play('e2e4');
    await vi.advanceTimersByTimeAsync(30_100);
    expect(record(game)).toMatchObject({ status: 'finished', result: '1-0', reason: 'time' });
    game.rematch('offer');
    await vi.advanceTimersByTimeAsync(10);
    expect(localGames().map(({ clocks }) => clocks?.black_ms)).toContain(30_000);
  });

  it('says so when the engine cannot start', async () => {
    const game = await begin({ opponent: 'computer', color: 'white' });
    game.play('e2e4');
    await vi.advanceTimersByTimeAsync(10);
    expect(game.store.state.message).not.toBe('');
  });
});
