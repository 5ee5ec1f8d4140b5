// SPDX-License-Identifier: GPL-3.0-or-later
// A game of chess as a program wants it: make one, ask for the legal moves, play, take back, see whether it is over. And the
// strengths at which the engine can play. Built on Rules and Engine; adds no chess knowledge of its own.
import type { Answer, Engine, GameReport, LegalMove, Limits, Line, Rules, Side } from './rokada.js';

export const startFen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

// The named levels as points of the Elo scale; any number from 400 to 3200 can be given instead.
export const levels = { Easy: 800, Medium: 1500, Hard: 2400, Full: 3200 } as const;
export type Level = keyof typeof levels;
export const weakest = 400;
export const strongest = 3200;

export class Game {
  private report!: GameReport;
  private readonly played: string[] = [];

  // Throws when the text is no legal position; `rules.checkSetup` says why without throwing.
  constructor(private readonly rules: Rules, readonly initialFen: string = startFen) {
    const answer = rules.replay(initialFen, []);
    if (!answer.ok) throw new Error(answer.error);
    this.report = answer;
  }

  static chess960(rules: Rules, number: number): Game {
    return new Game(rules, rules.chess960(number));
  }

  get fen(): string {
    return this.report.position.fen;
  }

  get turn(): Side {
    return this.report.position.turn;
  }

  // UCI, as played.
  get moves(): readonly string[] {
    return this.played;
  }

  get san(): readonly string[] {
    return this.report.san;
  }

  get inCheck(): boolean {
    return this.report.position.check !== '';
  }

  // Null while the game goes on. Threefold repetition and fifty moves end it at once.
  get outcome(): GameReport['outcome'] {
    return this.report.outcome;
  }

  get opening(): GameReport['opening'] {
    return this.report.opening;
  }

  legalMoves(): readonly LegalMove[] {
    return this.outcome ? [] : this.report.position.legal;
  }

  // SAN in any usual spelling, or UCI. Gives the move, or the reason why not; the game is unchanged then.
  play(text: string): Answer<LegalMove> {
    if (this.outcome) return { ok: false, error: 'the game is over' };
    const move = this.rules.readMove(this.fen, text);
    if (!move.ok) return move;
    const answer = this.rules.replay(this.initialFen, [...this.played, move.uci]);
    if (!answer.ok) return answer;
    this.played.push(move.uci);
    this.report = answer;
    return move;
  }

  // False at the start.
  takeBack(): boolean {
    if (!this.played.length) return false;
    this.played.pop();
    this.report = this.rules.replay(this.initialFen, this.played) as GameReport & { ok: true };
    return true;
  }
}

// How strong the engine plays from now on: a level's name or an Elo number.
export function setLevel(engine: Engine, level: Level | number): string {
  const elo = typeof level === 'number' ? level : levels[level];
  if (elo >= strongest) return engine.setOption('UCI_LimitStrength', 'false');
  return engine.setOption('UCI_Elo', String(elo)) || engine.setOption('UCI_LimitStrength', 'true');
}

// The engine's move in a game; `onLine` hears its thoughts as they deepen. Blocks: use a worker in a page.
export function search(engine: Engine, game: Game, limits: Limits, onLine?: (line: Line) => void): Answer<{ best: string; ponder: string }> {
  return engine.think(game.initialFen, game.moves, limits, onLine);
}
