// SPDX-License-Identifier: GPL-3.0-or-later
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api, type Game } from '../src/api/client';
import { ServerGame } from '../src/state/server-game';

const game = (moves: string[], version: number): Game => ({ id: 'g', moves, version, status: 'playing' }) as unknown as Game;

describe('a game on the server', () => {
  afterEach(() => vi.restoreAllMocks());

  it('never shows a move taken back while it is being confirmed', async () => {
    const session = new ServerGame('g');
    session.store.set({ game: game(['e2e4', 'e7e5'], 2) });
    vi.spyOn(api, 'move').mockResolvedValue(game(['e2e4', 'e7e5', 'g1f3'], 3));
    const seen: string[][] = [];
    session.store.subscribe(({ game: now, pending }) => void seen.push([...now!.moves, ...(pending ? [pending] : [])]));
    session.play('g1f3');
    await vi.waitFor(() => expect(session.store.state.pending).toBe(''));
    expect(seen.length).toBeGreaterThan(1);
    for (const moves of seen) expect(moves).toEqual(['e2e4', 'e7e5', 'g1f3']);
  });
});
