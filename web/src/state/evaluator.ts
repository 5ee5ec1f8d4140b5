// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's opinion on the shown position of a game, for the bar and the lines beside the board. Thinks a few
// seconds per position, then rests: a phone's battery matters more than another ply.
import type { Game } from '../api/client';
import { BrowserEngine, engineSupported, Stopped } from '../wasm/engine';
import type { EngineLine } from '../wasm/engine-protocol';
import { engineThreads } from './settings';
import { Store } from './store';

export interface Evaluation {
  key: string; // which position the lines belong to
  lines: readonly EngineLine[];
  failed: boolean;
}

const thinkFor = 6000; // milliseconds
const lineCount = 2;

// Nobody in a running game between people is helped by an engine, neither the players nor those who watch beside them.
export function mayEvaluate(game: Game): boolean {
  return game.status === 'finished' || game.status === 'aborted' || game.opponent !== 'person';
}

export class Evaluator {
  readonly store = new Store<Evaluation>({ key: '', lines: [], failed: !engineSupported() });
  private readonly engine = new BrowserEngine(engineThreads);

  // Asking again for the same position costs nothing.
  show(game: Game, moves: readonly string[], legal: number): void {
    const key = `${game.initial_fen} ${moves.join(' ')}`;
    if (key === this.store.state.key || this.store.state.failed) return;
    this.engine.stop();
    this.store.set({ key, lines: [] });
    if (!legal) return;
    const found = new Map<number, EngineLine>();
    const full = Math.min(lineCount, legal);
    this.engine
      .search({ fen: game.initial_fen, moves, options: { MultiPV: lineCount }, limits: { movetime: thinkFor } }, (line) => {
        found.set(line.rank, line);
        if (line.rank === full || found.size === 1) this.store.set({ lines: [...found.values()].sort((a, b) => a.rank - b.rank) });
      })
      .catch((error: unknown) => {
        if (!(error instanceof Stopped)) this.store.set({ failed: true });
      });
  }

  rest(): void {
    if (!this.store.state.key) return;
    this.engine.stop();
    this.store.set({ key: '', lines: [] });
  }

  close(): void {
    this.engine.close();
  }
}
