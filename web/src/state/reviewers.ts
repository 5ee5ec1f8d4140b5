// SPDX-License-Identifier: GPL-3.0-or-later
// Who judges: the engine in this page or the one of the server. Both give the same review, told move by move on the way.
import type { Review, ReviewProgress } from '@rokada/wasm';
import { runAnalysis, storedReview, type NewAnalysis } from '../api/analyses';
import { standardFen, turnOf } from '../board/fen';
import { whiteScore } from '../board/score';
import { BrowserEngine } from '../wasm/engine';
import type { EngineScore } from '../wasm/engine-protocol';

export type Place = 'browser' | 'server';

export interface GameToReview {
  id: string; // of a game the server knows, or ''
  fen: string;
  moves: readonly string[]; // UCI
  san: readonly string[];
}

export interface Reviewer {
  readonly nodes: number; // for each position
  review(game: GameToReview, onProgress: (progress: ReviewProgress) => void): Promise<Review>;
  // One position for "try again", from White's side; null if there is nothing to say.
  judge(fen: string, moves: readonly string[], last: string): Promise<EngineScore | null>;
  close(): void;
}

export class BrowserReviewer implements Reviewer {
  readonly nodes = 30_000;
  private readonly engine = new BrowserEngine();

  review({ fen, moves }: GameToReview, onProgress: (progress: ReviewProgress) => void): Promise<Review> {
    return this.engine.review({ fen, moves, nodes: this.nodes }, onProgress);
  }

  async judge(fen: string, moves: readonly string[], last: string): Promise<EngineScore | null> {
    let score: EngineScore | null = null;
    await this.engine.search({ fen, moves, options: { MultiPV: 1 }, limits: { nodes: this.nodes * 4 } }, (line) => (score = whiteScore(line.score, turnOf(last))));
    return score;
  }

  close(): void {
    this.engine.close();
  }
}

// A review that failed is asked for under another key.
let failures = 0;

export class ServerReviewer implements Reviewer {
  readonly nodes = 100_000;
  private readonly ending = new AbortController();

  async review(game: GameToReview, onProgress: (progress: ReviewProgress) => void): Promise<Review> {
    const stored = game.id ? await storedReview(game.id) : null;
    if (stored) return stored;
    const wanted: NewAnalysis = { kind: 'review', nodes: this.nodes, ...(game.id ? { game: game.id } : { pgn: asPgn(game), live: true }) };
    const end = await runAnalysis(wanted, (event) => {
      if (event.type === 'progress') onProgress(event.data);
      else if (event.type === 'score') onProgress({ plies: event.data.ply, score: event.data.score });
    }, this.ending.signal, game.id ? `review-${game.id}-${failures}` : '');
    if (end.data.review) return end.data.review;
    ++failures;
    throw new Error(`the review is ${end.data.state}`);
  }

  async judge(fen: string, moves: readonly string[], last: string): Promise<EngineScore | null> {
    let score: EngineScore | null = null;
    const wanted: NewAnalysis = { kind: 'position', fen, moves: [...moves], nodes: this.nodes * 4 };
    await runAnalysis(wanted, (event) => {
      if (event.type === 'info' && event.data.line === 1) score = whiteScore(event.data.score, turnOf(last));
    }, this.ending.signal);
    return score;
  }

  close(): void {
    this.ending.abort();
  }
}

function asPgn({ fen, san }: GameToReview): string {
  const start = fen === standardFen ? '' : `[SetUp "1"]\n[FEN "${fen}"]\n`;
  return `[Result "*"]\n${start}\n${san.join(' ')} *\n`;
}
