// SPDX-License-Identifier: GPL-3.0-or-later
// The review page's state: a finished or imported game, its review as it comes from the engine, the shown move, and the mistake being
// tried again.
import type { JudgedMove, LegalMove, PositionReport, Review, ReviewScore, Rules } from '@rokada/wasm';
import { standardFen, turnOf } from '../board/fen';
import { winPercent } from '../board/score';
import { movesBetween } from '../board/targets';
import { engineSupported, Stopped } from '../wasm/engine';
import type { EngineScore } from '../wasm/engine-protocol';
import { rules } from '../wasm/rules';
import { BrowserReviewer, ServerReviewer, type Place, type Reviewer } from './reviewers';
import { settings } from './settings';
import { Store } from './store';

export type Side = 'white' | 'black';

export interface Retry {
  side: Side;
  moments: readonly number[]; // plies of the mistakes
  at: number; // which of them
  verdict: 'ask' | 'checking' | 'solved' | 'close' | 'failed' | 'shown';
  tried: LegalMove | null;
}

export interface ReviewState {
  fens: readonly string[];
  san: readonly string[];
  moves: readonly string[];
  names: { white: string; black: string };
  result: string;
  ply: number; // of the shown position
  side: string[]; // moves of a better line that is being looked at, in UCI
  position: PositionReport | null;
  review: Review | null;
  scores: ReadonlyMap<number, ReviewScore>; // while the review runs
  progress: number; // 0 to 1, or -1 when nothing runs
  retry: Retry | null;
  promotion: { from: string; to: string } | null;
  error: string;
  failed: boolean; // whoever was asked to judge
  place: Place;
  nodes: number; // for each position
}

const solvedWithin = 3; // points of winning chance
const closeWithin = 8;

// Reviews made since the page was opened; going back must not make them again.
const finished = new Map<string, Review>();

export class ReviewGame {
  readonly store = new Store<ReviewState>({
    fens: [], san: [], moves: [], names: { white: '', black: '' }, result: '', ply: 0, side: [], position: null, review: null, scores: new Map(),
    progress: -1, retry: null, promotion: null, error: '', failed: false, place: settings.state.reviewOn, nodes: 0,
  });
  private reviewer: Reviewer | undefined;
  private rules: Rules | undefined;
  private id = '';

  // `id` if the server knows the game.
  async open(fen: string, moves: readonly string[], names: ReviewState['names'], result = '', id = ''): Promise<void> {
    this.id = id;
    this.rules ??= await rules();
    const report = this.rules.replay(fen || standardFen, moves, false);
    if (!report.ok) {
      this.store.set({ error: report.error });
      return;
    }
    this.store.set({ fens: report.fens, san: report.san, moves, names, result, error: '' });
    this.show(0);
    await this.judgeAt(engineSupported() ? this.store.state.place : 'server');
  }

  // The whole game, here or on the server; what was judged before is not judged again.
  async judgeAt(place: Place): Promise<void> {
    this.reviewer?.close();
    const reviewer = place === 'server' ? new ServerReviewer() : new BrowserReviewer();
    this.reviewer = reviewer;
    const { fens, moves } = this.store.state;
    const key = [place, fens[0], ...moves].join(' ');
    this.store.set({ place, nodes: reviewer.nodes, review: finished.get(key) ?? null, scores: new Map(), progress: -1, retry: null, failed: false });
    if (!this.store.state.review && moves.length) await this.run(reviewer, key);
  }

  // The first game of a PGN text.
  async import(text: string): Promise<boolean> {
    this.rules ??= await rules();
    const answer = this.rules.readPgn(text.trim());
    const game = answer.ok ? answer.games[0] : undefined;
    if (!answer.ok || !game || !game.nodes.length) {
      this.store.set({ error: answer.ok ? (answer.errors[0] ?? '?') : answer.error });
      return false;
    }
    const line: string[] = [];
    for (let at = -1; ; ) {
      const next = game.nodes.findIndex(({ parent, uci }) => parent === at && uci !== '0000');
      if (next < 0) break;
      line.push(game.nodes[next]!.uci);
      at = next;
    }
    void this.open(game.fen, line, { white: game.tags.White ?? '', black: game.tags.Black ?? '' }, game.result);
    return true;
  }

  close(): void {
    this.reviewer?.close();
  }

  private async run(reviewer: Reviewer, key: string): Promise<void> {
    const { fens, moves, san } = this.store.state;
    this.store.set({ progress: 0 });
    try {
      const review = await reviewer.review({ id: this.id, fen: fens[0]!, moves, san }, (progress) => {
        if (this.reviewer !== reviewer) return;
        if ('done' in progress) this.store.set({ progress: progress.done / progress.all });
        else this.store.set({ scores: new Map(this.store.state.scores).set(progress.plies, progress.score) });
      });
      finished.set(key, review);
      if (this.reviewer === reviewer) this.store.set({ review, progress: -1 });
    } catch (error) {
      if (this.reviewer === reviewer && !(error instanceof Stopped)) this.store.set({ failed: true, progress: -1 });
    }
  }

  // ---- looking around

  get judged(): JudgedMove | undefined {
    const { review, ply } = this.store.state;
    return review?.moves[ply - 1];
  }

  show(ply: number, side: string[] = []): void {
    const { fens } = this.store.state;
    const at = Math.max(0, Math.min(fens.length - 1, ply));
    const from = side.length ? fens[Math.max(0, at - 1)]! : fens[at]!;
    const report = side.length ? this.rules?.replay(from, side, false) : undefined;
    const fen = report?.ok ? report.position.fen : fens[at]!;
    const position = this.rules?.position(fen);
    this.store.set({ ply: at, side: report?.ok ? side : [], position: position?.ok ? position : null, promotion: null });
  }

  step(by: number): void {
    this.store.set({ retry: null });
    this.show(this.store.state.ply + by);
  }

  // The better line of the shown move, as far as `count` moves.
  showBetter(count: number): void {
    const better = this.judged?.better.slice(0, count).map(({ uci }) => uci) ?? [];
    this.show(this.store.state.ply, better);
  }

  // ---- trying again

  startRetry(side: Side): void {
    const { review, fens } = this.store.state;
    const moments = review?.keyMoments.filter((ply) => turnOf(fens[ply]!) === side) ?? [];
    if (moments.length) this.ask({ side, moments, at: 0, verdict: 'ask', tried: null });
  }

  retryMoment(ply: number): void {
    const side = turnOf(this.store.state.fens[ply]!);
    this.startRetry(side);
    const { retry } = this.store.state;
    if (retry) this.ask({ ...retry, at: Math.max(0, retry.moments.indexOf(ply)) });
  }

  again(): void {
    const { retry } = this.store.state;
    if (retry) this.ask({ ...retry, verdict: 'ask', tried: null });
  }

  next(): void {
    const { retry } = this.store.state;
    if (!retry) return;
    if (retry.at + 1 < retry.moments.length) this.ask({ ...retry, at: retry.at + 1, verdict: 'ask', tried: null });
    else this.endRetry();
  }

  solution(): void {
    const { retry } = this.store.state;
    if (!retry) return;
    const ply = retry.moments[retry.at]!;
    this.store.set({ retry: { ...retry, verdict: 'shown' } });
    this.show(ply + 1, [this.store.state.review!.moves[ply]!.better[0]!.uci]);
  }

  endRetry(): void {
    const { retry } = this.store.state;
    this.store.set({ retry: null });
    if (retry) this.show(retry.moments[retry.at]! + 1);
  }

  private ask(retry: Retry): void {
    this.store.set({ retry });
    this.show(retry.moments[retry.at]!);
  }

  tryMove(from: string, to: string): boolean {
    const { position, retry } = this.store.state;
    if (retry?.verdict !== 'ask') return false;
    const fitting = movesBetween(position?.legal ?? [], from, to);
    if (fitting.length > 1) this.store.set({ promotion: { from, to } });
    else if (fitting[0]) void this.answer(fitting[0]);
    return fitting.length > 0;
  }

  promote(choice: string): boolean {
    const { promotion, position } = this.store.state;
    this.store.set({ promotion: null });
    const move = position?.legal.find(({ uci }) => promotion && uci === promotion.from + promotion.to + choice);
    if (move) void this.answer(move);
    return !!move;
  }

  // Judged by the engine against what the best move keeps.
  private async answer(move: LegalMove): Promise<void> {
    const { retry, review, fens, moves } = this.store.state;
    if (!retry || !review) return;
    const ply = retry.moments[retry.at]!;
    const judged = review.moves[ply]!;
    this.store.set({ retry: { ...retry, verdict: 'checking', tried: move } });
    this.show(ply + 1, [move.uci]);
    let verdict: Retry['verdict'] = move.uci === judged.better[0]?.uci || move.san.endsWith('#') ? 'solved' : 'failed';
    if (verdict !== 'solved' && move.uci !== judged.uci) {
      const played = await this.judge(fens[0]!, [...moves.slice(0, ply), move.uci]);
      if (played) {
        const share = (score: ReviewScore): number => (retry.side === 'white' ? winPercent(score) : 100 - winPercent(score));
        const lost = share(judged.best) - share(played);
        verdict = lost <= solvedWithin ? 'solved' : lost <= closeWithin ? 'close' : 'failed';
      }
    }
    const now = this.store.state.retry;
    if (now?.at === retry.at && now.tried === move) this.store.set({ retry: { ...now, verdict } });
  }

  private async judge(fen: string, moves: readonly string[]): Promise<EngineScore | null> {
    const last = this.store.state.position?.fen ?? fen;
    try {
      return (await this.reviewer?.judge(fen, moves, last)) ?? null;
    } catch {
      return null;
    }
  }
}
