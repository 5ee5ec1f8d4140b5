// SPDX-License-Identifier: GPL-3.0-or-later
// The computer's side of a game in this browser: one engine, set to the level of the game.
import type { Game } from '../api/client';
import type { Thinker } from '../state/local-game';
import { levelMarks, maxElo } from '../state/new-game';
import { BrowserEngine } from './engine';
import type { Search } from './engine-protocol';

export function levelOptions(player: Game['white']): Search['options'] {
  const elo = player.elo ?? levelMarks.find((mark) => mark.level === player.level)?.elo ?? maxElo;
  return {
    Evaluation: player.evaluation ?? 'network',
    UCI_LimitStrength: elo < maxElo,
    ...(elo < maxElo ? { UCI_Elo: elo } : {}),
  };
}

export function limitsOf(game: Game): Search['limits'] {
  if (!game.clock || !game.clocks) return { movetime: 1500 };
  const increment = (game.clock.increment ?? 0) * 1000;
  return { wtime: game.clocks.white_ms, btime: game.clocks.black_ms, winc: increment, binc: increment };
}

const patience = 4000; // milliseconds; a level that needs longer twice is too much for this device

export function makeThinker(): Thinker {
  const engine = new BrowserEngine();
  let late = 0;
  return {
    get slow() {
      return late >= 2;
    },
    async think(game) {
      const started = performance.now();
      const player = game[game.turn];
      const best = await engine.search({
        fen: game.initial_fen, moves: game.moves, options: levelOptions(player), limits: limitsOf(game),
      });
      if (!game.clocks && performance.now() - started > patience) ++late;
      // A reply within an instant feels like a machine gun; wait a moment, never more than the clock can bear.
      const calm = game.clocks ? Math.min(500, game.clocks[game.turn === 'white' ? 'white_ms' : 'black_ms'] / 60) : 500;
      const rest = calm - (performance.now() - started);
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      return best;
    },
    cancel: () => engine.stop(),
  };
}
