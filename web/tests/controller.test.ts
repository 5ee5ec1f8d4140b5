// SPDX-License-Identifier: GPL-3.0-or-later
// What the game page makes of a person's tries, with the real rules and a stand-in for the session.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadRules } from '@rokada/wasm';
import type { Game } from '../src/api/client';
import { standardFen } from '../src/board/fen';
import { GameController } from '../src/state/game-controller';
import { emptySession, type GameSession, type SessionState } from '../src/state/game-session';
import { settings } from '../src/state/settings';
import { Store } from '../src/state/store';

vi.mock('../src/wasm/rules', () => {
  const module = new URL('../../src/bindings/wasm/dist/rokada-rules.wasm', import.meta.url);
  const loading = loadRules(readFileSync(module));
  return { rules: () => loading };
});

const shown: { title: string; body?: string }[] = [];
class FakeNotification {
  static permission = 'granted';
  onclick: (() => void) | null = null;
  constructor(title: string, options: NotificationOptions) {
    shown.push({ title, ...(options.body ? { body: options.body } : {}) });
  }
}

function gameAfter(moves: string[], seat: Game['seat'] = 'white'): Game {
  return {
    id: 'g', seat, status: 'playing', opponent: 'person', initial_fen: standardFen, moves, san: [], auto_draw: false, offers: {},
    turn: moves.length % 2 ? 'black' : 'white', version: moves.length,
  } as unknown as Game;
}

async function open(game: Game): Promise<{ controller: GameController; store: Store<SessionState>; play: ReturnType<typeof vi.fn> }> {
  const store = new Store<SessionState>({ ...emptySession, game });
  const play = vi.fn();
  const session = { store, local: false, open: () => {}, close: () => {}, play } as unknown as GameSession;
  const controller = new GameController(session, 'g');
  await controller.open();
  return { controller, store, play };
}

describe('a try at the board', () => {
  beforeEach(() => {
    vi.stubGlobal('document', { hidden: false });
    settings.set({ volume: 0, premoves: true, notices: false });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('out of turn is answered: not with the opponent\u2019s pieces, and without plans not with own ones either', async () => {
    const { controller } = await open(gameAfter(['e2e4']));
    controller.refuse('e7', 'e5');
    expect(controller.store.state.refusal).toEqual({ text: 'It is the other side\u2019s turn.', squares: ['e7'] });
    settings.set({ premoves: false });
    controller.refuse('d2', 'd4');
    expect(controller.store.state.refusal?.text).toBe('It is the other side\u2019s turn.');
    controller.close();
  });

  it('to plan what no piece can do is answered too', async () => {
    const { controller } = await open(gameAfter(['e2e4']));
    controller.refuse('g1', 'g4');
    expect(controller.store.state.refusal?.text).toBe('A knight does not move like that.');
    controller.close();
  });

  it('on one\u2019s turn with the opponent\u2019s piece says whose turn it is', async () => {
    const { controller } = await open(gameAfter([]));
    controller.refuse('e7', 'e7');
    expect(controller.store.state.refusal?.text).toBe('It is the other side\u2019s turn.');
    controller.close();
  });

  it('of somebody who only watches is not answered', async () => {
    const { controller } = await open(gameAfter([], null));
    controller.refuse('e2', 'e5');
    expect(controller.store.state.refusal).toBeNull();
    controller.close();
  });
});

describe('a typed move', () => {
  beforeEach(() => {
    vi.stubGlobal('document', { hidden: false });
    settings.set({ volume: 0 });
  });
  afterEach(() => vi.unstubAllGlobals());

  const from = (initial_fen: string): Game => ({ ...gameAfter([]), initial_fen });
  const told = async (game: Game, text: string) => {
    const { controller, play } = await open(game);
    expect(controller.typed(text)).toBe(false);
    expect(play).not.toHaveBeenCalled();
    const { refusal } = controller.store.state;
    controller.close();
    return refusal;
  };

  it('is played', async () => {
    const { controller, play } = await open(gameAfter([]));
    expect(controller.typed('Nf3')).toBe(true);
    expect(play).toHaveBeenCalledWith('g1f3');
    controller.close();
  });

  it('that is not possible is answered with the reason, and the piece to blame is marked', async () => {
    const pinned = from('4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1');
    for (const text of ['Bd3', 'e2d3']) expect(await told(pinned, text)).toEqual({ text: 'The piece on e2 is pinned: the rook on e8 would take the king.', squares: ['e8'] });
    expect((await told(from('3r3k/8/8/8/8/8/8/R3K3 w Q - 0 1'), 'O-O-O'))?.text).toBe('No castling through d1: the rook on d8 attacks it.');
    expect((await told(gameAfter([]), 'e5'))?.text).toBe('A pawn does not move like that.');
    expect((await told(gameAfter([]), 'Bc4'))?.text).toBe('A piece on e2 is in the way.');
    expect((await told(from('4k3/P7/8/8/8/8/8/4K3 w - - 0 1'), 'a8'))?.text).toBe('Choose the piece the pawn becomes.');
  });

  it('that is unclear or no move at all is answered too', async () => {
    expect((await told(from('4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1'), 'Nd2'))?.text).toMatch(/more than one piece/);
    expect((await told(gameAfter([]), 'hello'))?.text).toMatch(/^hello: no move/);
    expect((await told(gameAfter(['e2e4']), 'e5'))?.text).toBe('It is the other side’s turn.');
    expect(await told(gameAfter([]), ' ')).toBeNull();
  });
});

describe('a notice of the system', () => {
  beforeEach(() => {
    shown.length = 0;
    vi.stubGlobal('Notification', FakeNotification);
    vi.stubGlobal('isSecureContext', true);
    settings.set({ volume: 0, notices: true });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('tells the opponent\u2019s move to a person who looks elsewhere, and only then', async () => {
    vi.stubGlobal('document', { hidden: true });
    const { controller, store } = await open(gameAfter(['e2e4']));
    store.set({ game: gameAfter(['e2e4', 'g8f6']) });
    expect(shown).toEqual([{ title: 'Your move', body: 'knight to f6' }]);
    store.set({ game: gameAfter(['e2e4', 'g8f6', 'e4e5']) });
    vi.stubGlobal('document', { hidden: false });
    store.set({ game: gameAfter(['e2e4', 'g8f6', 'e4e5', 'f6d5']) });
    vi.stubGlobal('document', { hidden: true });
    settings.set({ notices: false });
    store.set({ game: gameAfter(['e2e4', 'g8f6', 'e4e5', 'f6d5', 'd2d4']) });
    store.set({ game: gameAfter(['e2e4', 'g8f6', 'e4e5', 'f6d5', 'd2d4', 'd7d6']) });
    expect(shown).toHaveLength(1);
    controller.close();
  });
});
