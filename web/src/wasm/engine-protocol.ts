// SPDX-License-Identifier: GPL-3.0-or-later
// The messages between the page and the engine's worker.
import type { Review, ReviewProgress, Stopper } from '@rokada/wasm';

export interface SearchLimits {
  movetime?: number; // milliseconds
  depth?: number;
  nodes?: number;
  infinite?: boolean;
  wtime?: number;
  btime?: number;
  winc?: number;
  binc?: number;
}

export interface EngineScore {
  cp?: number;
  mate?: number;
}

export interface EngineLine {
  depth: number;
  selective: number;
  rank: number; // 1 is the best line
  score: EngineScore; // from the side to move
  nodes: number;
  time: number; // milliseconds
  moves: string[]; // UCI
  san: string[];
}

export interface Search {
  fen: string;
  moves: readonly string[];
  options: Record<string, string | number | boolean>;
  limits: SearchLimits;
}

export interface ReviewRequest {
  fen: string;
  moves: readonly string[];
  nodes: number; // for each position
}

export type ToEngine =
  | { kind: 'load'; module: WebAssembly.Module; threads: number }
  | { kind: 'search'; id: number; search: Search }
  | { kind: 'review'; id: number; request: ReviewRequest };

export type FromEngine =
  | { kind: 'ready'; stopper: Stopper | undefined }
  | { kind: 'line'; id: number; line: EngineLine }
  | { kind: 'done'; id: number; best: string; pace: number }
  | { kind: 'progress'; id: number; progress: ReviewProgress }
  | { kind: 'reviewed'; id: number; review: Review }
  | { kind: 'failed'; id: number; error: string };
