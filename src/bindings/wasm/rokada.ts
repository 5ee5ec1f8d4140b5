// SPDX-License-Identifier: GPL-3.0-or-later
// Rokada's rules and engine in WebAssembly, with types. `loadRules` gives the small module (legal moves,
// notation, judging of games), `loadEngine` the large one, which also thinks and therefore belongs in a worker.
// Every call takes and gives plain values; nothing of the module's memory leaks out.
import { instantiate, type Source, type Instance } from './instance';

export type { Source } from './instance';
export type Side = 'white' | 'black';

export interface LegalMove {
  uci: string;
  san: string;
}

// The words of chess/outcome.cpp that a board can decide by itself.
export type EndReason =
  | 'checkmate' | 'stalemate' | 'threefold-repetition' | 'fivefold-repetition' | 'fifty-moves' | 'seventy-five-moves'
  | 'insufficient-material';

export interface PositionReport {
  fen: string;
  turn: Side;
  key: string; // 16 hexadecimal digits
  check: string; // square of the king in check, or ''
  checkers: string[];
  legal: LegalMove[];
}

export interface GameReport {
  san: string[];
  fens: string[]; // the start and the position after every move
  position: PositionReport; // the last one
  outcome: { winner: Side | null; reason: EndReason } | null;
  claim: 'threefold-repetition' | 'fifty-moves' | null; // what the side to move may claim
  repetitions: number;
}

// Why a move is not possible: the words of chess/illegal.hpp, with the squares that prove it.
export interface Refusal {
  code:
    | 'legal' | 'no-piece' | 'not-your-turn' | 'own-piece-on-target' | 'cannot-move-like-that' | 'path-blocked' | 'pinned'
    | 'check-not-answered' | 'king-would-be-in-check' | 'castling-right-gone' | 'castling-in-check' | 'castling-blocked'
    | 'castling-through-attack' | 'en-passant-not-available' | 'promotion-piece-needed' | 'promotion-not-possible';
  at: string[]; // what the reason is about
  by: string[]; // the opponent's pieces to blame
}

export interface PgnGame {
  tags: Record<string, string>;
  fen: string;
  moves: string[]; // UCI, the main line
  result: string;
}

export interface PgnReport {
  games: PgnGame[];
  errors: string[];
}

export type Answer<T> = ({ ok: true } & T) | { ok: false; error: string };

export class Rules {
  constructor(protected readonly instance: Instance) {}

  // A game from its start: every position, the notation, and whether it is over.
  replay(fen: string, moves: readonly string[], automaticDraws = true): Answer<GameReport> {
    return this.instance.ask('rokada_replay', [fen, moves.join(' '), automaticDraws ? '1' : '0']);
  }

  position(fen: string): Answer<PositionReport> {
    return this.instance.ask('rokada_position', [fen]);
  }

  // The reason why a piece may not go there, for a person who just tried.
  explain(fen: string, from: string, to: string): Answer<Refusal> {
    return this.instance.ask('rokada_explain', [fen, from, to]);
  }

  // A typed move: SAN in any usual spelling, or UCI.
  readMove(fen: string, text: string): Answer<LegalMove> {
    return this.instance.ask('rokada_read_move', [fen, text]);
  }

  chess960(number: number): string {
    const answer = this.instance.ask<Answer<{ fen: string }>>('rokada_chess960', [String(number)]);
    return answer.ok ? answer.fen : '';
  }

  readPgn(text: string): Answer<PgnReport> {
    return this.instance.ask('rokada_read_pgn', [text]);
  }
}

export async function loadRules(source: Source): Promise<Rules> {
  return new Rules(await instantiate(source));
}
