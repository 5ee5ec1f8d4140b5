// SPDX-License-Identifier: GPL-3.0-or-later
// Challenges to the person who is logged in, on every page, as the live socket brings them. Following the lists also tells
// others that this person is here.
import { api, type GameSummary } from '../api/client';
import { live, type LiveMessage } from '../api/live';
import { playSound } from '../sound/sounds';
import { session } from './session';
import { Store } from './store';

export const challenges = new Store<{ received: readonly GameSummary[] }>({ received: [] });

const open = (game: GameSummary): boolean => game.status === 'waiting' && game.invited?.me === true;

export function applyLists(known: readonly GameSummary[], message: LiveMessage): GameSummary[] {
  if (message.t !== 'games') return [...known];
  const gone = new Set([...(message.removed ?? []), ...(message.changed ?? []).map(({ id }) => id)]);
  return [...known.filter(({ id }) => !gone.has(id)), ...(message.changed ?? []).filter(open)];
}

function hear(message: LiveMessage): void {
  const before = challenges.state.received;
  const received = applyLists(before, message);
  if (received.some(({ id }) => !before.some((game) => game.id === id))) playSound('start');
  challenges.set({ received });
}

let stop: (() => void) | undefined;
let who = '';

// Called whenever the session changes: begins, ends, or begins anew for another person.
export function followChallenges(): void {
  const { me } = session.state;
  const name = me?.kind === 'user' ? (me.username ?? '') : '';
  if (name === who) return;
  who = name;
  stop?.();
  stop = undefined;
  challenges.set({ received: [] });
  live().restart();
  if (!name) return;
  stop = live().followLists(hear);
  api.challenges().then(
    ({ received }) => challenges.set({ received }),
    () => undefined,
  );
}
