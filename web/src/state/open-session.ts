// SPDX-License-Identifier: GPL-3.0-or-later
import type { GameSession } from './game-session';
import { LocalGame } from './local-game';
import { isLocalId } from './local-games';
import { ServerGame } from './server-game';

export function openSession(id: string): GameSession {
  return isLocalId(id) ? new LocalGame(id, async () => (await import('../wasm/thinker')).makeThinker()) : new ServerGame(id);
}
