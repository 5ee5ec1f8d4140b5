// SPDX-License-Identifier: GPL-3.0-or-later
// Rokada's rules and engine in WebAssembly, with types. `loadRules` gives the small module (legal moves,
// notation, judging of games), `loadEngine` the large one, which also thinks and therefore belongs in a worker.
// Every call takes and gives plain values; nothing of the module's memory leaks out.
import { compile, instantiate, type Hooks, type Instance, type Seat, type Source } from './instance.js';

export { takeSeat } from './instance.js';
export type { Seat, Source } from './instance.js';
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
  opening: { code: string; name: string } | null; // the last one the game went through
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

export interface SetupReport {
  fen: string;
  problems: (
    | 'king-count' | 'pawn-on-back-rank' | 'too-many-pawns' | 'too-many-pieces' | 'opponent-in-check' | 'too-many-checkers'
    | 'castling-right' | 'en-passant-square' | 'en-passant-check'
  )[];
}

export interface PgnNode {
  parent: number; // index in the list; -1 is the start. Main line first.
  uci: string; // '0000' for a null move
  san: string;
  fen: string; // after the move
  comment?: string;
}

export interface PgnGame {
  tags: Record<string, string>;
  fen: string;
  result: string;
  nodes: PgnNode[];
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

  // Whether a side could still mate if the other helped; a side whose flag falls loses only to one that could.
  canMate(fen: string, side: Side): Answer<{ able: boolean }> {
    return this.instance.ask('rokada_can_mate', [fen, side]);
  }

  // A typed move: SAN in any usual spelling, or UCI.
  readMove(fen: string, text: string): Answer<LegalMove> {
    return this.instance.ask('rokada_read_move', [fen, text]);
  }

  // A position somebody set up: what is wrong with it, if anything.
  checkSetup(fen: string): Answer<SetupReport> {
    return this.instance.ask('rokada_check_setup', [fen]);
  }

  chess960(number: number): string {
    const answer = this.instance.ask<Answer<{ fen: string }>>('rokada_chess960', [String(number)]);
    return answer.ok ? answer.fen : '';
  }

  // The games of a PGN text with their variations; at most fifty.
  readPgn(text: string): Answer<PgnReport> {
    return this.instance.ask('rokada_read_pgn', [text]);
  }
}

export async function loadRules(source: Source): Promise<Rules> {
  return new Rules(await instantiate(source));
}

// ---- the review of a game; docs/review.md describes every field

export interface ReviewScore {
  cp?: number;
  mate?: number; // 0 is checkmate on the board
}

export interface ReviewMove {
  uci: string;
  san: string;
}

export type Judgement = 'forced' | 'book' | 'best' | 'great' | 'good' | 'inaccuracy' | 'mistake' | 'blunder';
export type GamePhase = 'opening' | 'middlegame' | 'endgame';
export type PieceName = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';
export type Motif =
  | 'mate' | 'back-rank-mate' | 'hanging-piece' | 'capture' | 'fork' | 'pin' | 'pinned-guard' | 'skewer' | 'discovered-attack'
  | 'trapped-piece' | 'removed-defender' | 'promotion' | 'material';

export interface NamedPiece {
  color: Side;
  piece: PieceName;
  square: string;
}

export interface Reason {
  code: `allows-${Motif}` | `misses-${Motif}` | 'ends-stalemate' | 'ends-repetition';
  actor?: NamedPiece;
  target?: NamedPiece;
  other?: NamedPiece;
  amount?: 'pawn' | 'exchange' | 'piece' | 'rook' | 'queen' | 'material';
  points?: number;
  mateIn?: number;
  exact?: boolean;
  line: ReviewMove[];
}

export interface JudgedMove extends ReviewMove {
  phase: GamePhase;
  judgement: Judgement;
  best: ReviewScore; // all scores from White's side
  played: ReviewScore;
  loss: number;
  accuracy: number | null;
  better: ReviewMove[];
  refutation: ReviewMove[];
  reasons: Reason[];
}

export interface ReviewSide {
  accuracy: number | null;
  phases: Record<GamePhase, number | null>;
  centipawnLoss: number;
  moves: number;
  counts: Record<Judgement, number>;
}

export interface Review {
  version: number;
  start: string;
  opening: { code: string; name: string; plies: number } | null;
  middlegame: number | null;
  endgame: number | null;
  white: ReviewSide;
  black: ReviewSide;
  graph: (ReviewScore & { win: number })[];
  moves: JudgedMove[];
  keyMoments: number[]; // indices of moves
}

// Steps done, or the first score of a position.
export type ReviewProgress = { done: number; all: number } | { plies: number; score: ReviewScore };

// ---- the engine

export interface Limits {
  movetime?: number; // milliseconds
  depth?: number;
  nodes?: number;
  infinite?: boolean;
  wtime?: number;
  btime?: number;
  winc?: number;
  binc?: number;
}

export interface Line {
  depth: number;
  selective: number;
  rank: number; // 1 is the best line
  score: { cp?: number; mate?: number }; // from the side to move
  nodes: number;
  time: number; // milliseconds
  moves: string[]; // UCI
  san: string[];
}

export interface EngineOption {
  name: string;
  type: 'check' | 'spin' | 'combo' | 'button' | 'string';
  value: string;
  standard: string;
  min?: number;
  max?: number;
  choices?: string[];
  help: string;
}

export interface Thought {
  best: string; // '' when there is no legal move
  ponder: string;
  pace?: number; // milliseconds a person would have taken, for those who want to wait as long
}

// Ends what an engine does from outside its worker, which cannot listen meanwhile: one number in memory of both. Can be posted.
export type Stopper = Int32Array<SharedArrayBuffer>;

// Knows the rules as well. Thinking blocks the thread it runs in: use a worker in a page.
export class Engine extends Rules {
  private listener: ((report: unknown) => void) | undefined;
  private running = 0; // the number of what it does now

  // What `stopSearches` needs, anywhere in the page; absent where memory cannot be shared.
  readonly stopper: Stopper | undefined = typeof SharedArrayBuffer === 'undefined' ? undefined : new Int32Array(new SharedArrayBuffer(4));

  constructor(make: (hooks: Hooks) => Instance) {
    let self: Engine | undefined;
    super(make({ onInfo: (json) => self?.listener?.(JSON.parse(json)), stopped: () => self?.stopped ?? false }));
    self = this;
  }

  // A stop that comes before its search begins counts as well.
  private get stopped(): boolean {
    return this.stopper !== undefined && this.running !== 0 && this.running <= Atomics.load(this.stopper, 0);
  }

  options(): EngineOption[] {
    const answer = this.instance.ask<Answer<{ options: EngineOption[] }>>('rokada_engine_options', []);
    return answer.ok ? answer.options : [];
  }

  // Gives the sentence that says what is wrong, or ''.
  setOption(name: string, value: string): string {
    const answer = this.instance.ask<Answer<object>>('rokada_engine_set', [name, value]);
    return answer.ok ? '' : answer.error;
  }

  // Brings more threads to an engine loaded from the module with threads. `sit` starts a worker that calls `takeSeat` with what it is
  // given. Resolves with the number that will search, the caller's own included.
  async useThreads(count: number, sit: (seat: Seat) => void, patience = 2000): Promise<number> {
    if (!this.instance.canShare) return 1;
    // The engine is made by the first call; made later, it would take one of the threads for its own errands.
    this.setOption('Threads', '1');
    for (let number = this.instance.threads - 1; number < count - 1; ++number) sit(this.instance.seat(number));
    for (const end = Date.now() + patience; this.instance.threads < count && Date.now() < end; ) await new Promise((resolve) => setTimeout(resolve, 2));
    const threads = Math.min(count, this.instance.threads);
    this.setOption('Threads', String(threads));
    return threads;
  }

  newGame(): void {
    this.instance.ask('rokada_engine_new_game', []);
  }

  // A search with a number (from 1 upwards) can be ended by `stopSearches`; what it has found so far is its answer.
  think(fen: string, moves: readonly string[], limits: Limits, onLine?: (line: Line) => void, number = 0): Answer<Thought> {
    this.running = number;
    this.listener = onLine as ((report: unknown) => void) | undefined;
    const words = Object.entries(limits).filter(([, value]) => value !== undefined && value !== false);
    const text = words.map(([name, value]) => `${name} ${value === true ? 1 : Math.round(Number(value))}`).join(' ');
    return this.instance.ask('rokada_engine_think', [fen, moves.join(' '), text]);
  }

  // Judges every move of a game; `nodes` for each position, 100,000 if not given. With a number it can be ended like a search; its
  // answer is an error then.
  review(fen: string, moves: readonly string[], limits: Pick<Limits, 'nodes' | 'movetime' | 'depth'> = {}, onProgress?: (progress: ReviewProgress) => void, number = 0): Answer<{ review: Review }> {
    this.running = number;
    this.listener = onProgress as ((report: unknown) => void) | undefined;
    const text = Object.entries(limits).map(([name, value]) => `${name} ${Math.round(value)}`).join(' ');
    return this.instance.ask('rokada_review', [fen, moves.join(' '), text]);
  }
}

export async function loadEngine(source: Source): Promise<Engine> {
  const holder: { hooks?: Hooks } = {};
  const instance = await instantiate(source, { onInfo: (json) => holder.hooks?.onInfo?.(json), stopped: () => holder.hooks?.stopped?.() ?? false });
  return new Engine((hooks) => {
    holder.hooks = hooks;
    return instance;
  });
}

// Ends the search or review with this number and all before it, also one that has not begun. The engine keeps its threads and what it
// knows.
export function stopSearches(stopper: Stopper, upTo: number): void {
  Atomics.store(stopper, 0, upTo);
}

// Compiles once what several workers can then start from.
export const compileModule = (source: Source): Promise<WebAssembly.Module> => compile(source);
