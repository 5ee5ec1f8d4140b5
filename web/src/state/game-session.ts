// SPDX-License-Identifier: GPL-3.0-or-later
// What the game page needs to know of a game and may ask of it, wherever the game lives:
// on the server (server-game) or in this browser (local-game).
import type { Game, Problem } from '../api/client';
import type { Store } from './store';

export type Connection = 'online' | 'connecting' | 'offline' | 'restarting';

export interface Presence {
  white: boolean;
  black: boolean;
  watchers: number;
  gone?: { side: 'white' | 'black'; claimAt: number }; // on the performance.now() scale
}

export interface ChatLine {
  name: string;
  text: string;
}

export interface SessionState {
  game: Game | null;
  receivedAt: number; // performance.now() when the clocks were right
  pending: string; // own move that is not confirmed yet
  connection: Connection;
  problem: Problem | null;
  presence: Presence | null;
  chat: readonly ChatLine[];
  message: string; // a sentence for the notification line, '' when there is none
}

export const emptySession: SessionState = {
  game: null,
  receivedAt: 0,
  pending: '',
  connection: 'online',
  problem: null,
  presence: null,
  chat: [],
  message: '',
};

export type OfferAction = 'offer' | 'accept' | 'decline';

export interface GameSession {
  readonly store: Store<SessionState>;
  readonly local: boolean;
  open(): void;
  close(): void;
  play(uci: string): void;
  takeback(action: OfferAction): void;
  draw(action: OfferAction | 'claim'): void;
  resign(): void;
  abort(): void;
  rematch(action: OfferAction): void;
  claim(result: 'win' | 'draw'): void;
  join(): void;
  decline(): void; // a challenge
  say(text: string): void;
  mute(on: boolean): void; // the opponent's chat
  assisted(): void; // the person took a hint or looked at the engine; such games do not count as a measure of strength
}
