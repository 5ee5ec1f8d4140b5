// SPDX-License-Identifier: GPL-3.0-or-later
// The computer's side of a game in this browser: one engine, set to the level of the game.
import type { Game } from '../api/client';
import type { Thinker } from '../state/local-game';
import { bonusOf } from '../state/clock';
import { levelMarks, maxElo } from '../state/new-game';
import { engineThreads } from '../state/settings';
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
  return { wtime: game.clocks.white_ms, btime: game.clocks.black_ms, winc: bonusOf(game.clock, 'white'), binc: bonusOf(game.clock, 'black') };
}

export const patience = 4000; // milliseconds; a level that needs longer twice is too much for this device

// How long the computer seems to think in all: a level as long as a person would (the engine says how long), at full strength as
// long as it searches, but not within an instant.
export function seemingTime(game: Game, pace: number): number {
  const player = game[game.turn];
  const left = game.clocks?.[game.turn === 'white' ? 'white_ms' : 'black_ms'];
  const wanted = levelOptions(player).UCI_LimitStrength ? pace : 500;
  // Whatever the level would like, the clock must bear it.
  return left === undefined ? wanted : Math.max(0, Math.min(wanted, left * 0.12, left - 1500));
}

// With a clock full strength takes as long as the clock lets it; a level takes what its search takes on this device.
const ownPace = (game: Game): boolean => !game.clocks || levelOptions(game[game.turn]).UCI_LimitStrength === true;

export function makeThinker(engine: Pick<BrowserEngine, 'search' | 'stop' | 'pace'> = new BrowserEngine(engineThreads)): Thinker {
  let late = 0;
  return {
    get slow() {
      return late >= 2;
    },
    async think(game) {
      const started = performance.now();
      const best = await engine.search({
        fen: game.initial_fen, moves: game.moves, options: levelOptions(game[game.turn]), limits: limitsOf(game),
      });
      if (ownPace(game) && performance.now() - started > patience) ++late;
      const rest = seemingTime(game, engine.pace) - (performance.now() - started);
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      return best;
    },
    cancel: () => engine.stop(),
  };
}
