// SPDX-License-Identifier: GPL-3.0-or-later
// What the game page shows and does, without drawing: the shown position, the move being made,
// premoves, refusals, sounds. The session says what happened, the rules module says what may happen.
import type { GameReport, Refusal, Rules } from '@rokada/wasm';
import type { Game, Side } from '../api/client';
import { otherSide, readPlacement, writePlacement } from '../board/fen';
import { maxPremoves, premoveTargets, premoveUci, virtualPlacement, type Premove } from '../board/premove';
import { refusalText } from '../board/refusal';
import { speakMove } from '../board/names';
import { movesBetween, targetsOf } from '../board/targets';
import { readTyped, refuseTyped } from '../board/typed';
import { t } from '../i18n';
import { playSound } from '../sound/sounds';
import { rules } from '../wasm/rules';
import type { GameSession, SessionState } from './game-session';
import { noticeMove } from './notices';
import { PremoveMemory } from './premove-memory';
import { settings } from './settings';
import { Store } from './store';

export interface GameView {
  report: GameReport | null; // of all moves, the unconfirmed one included
  moves: readonly string[];
  ply: number; // shown; moves.length is the present
  flipped: boolean;
  promotion: { from: string; to: string } | null;
  confirming: string; // a move waiting for the person's second thought
  premoves: readonly Premove[];
  refusal: { text: string; squares: readonly string[] } | null;
  hint: string;
  spoken: string; // for the live region
  failed: boolean; // the rules could not be loaded
}

export interface BoardView {
  fen: string;
  turn: Side;
  movable: Side | 'both' | 'none';
  targets: Map<string, string[]>;
  lastMove: string[];
  check: string;
  marks: Map<string, string>;
  premoving: boolean;
}

export class GameController {
  readonly store = new Store<GameView>({
    report: null, moves: [], ply: 0, flipped: false, promotion: null, confirming: '', premoves: [], refusal: null,
    hint: '', spoken: '', failed: false,
  });
  private rules: Rules | undefined;
  private stop: (() => void) | undefined;
  private refusalTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly memory: PremoveMemory;
  private known: { moves: number; status: string } | undefined;

  constructor(
    readonly session: GameSession,
    readonly id: string,
  ) {
    this.memory = new PremoveMemory(id);
  }

  async open(): Promise<void> {
    this.stop = this.session.store.subscribe((state) => this.follow(state));
    this.store.set({ premoves: this.memory.read() });
    this.session.open();
    try {
      this.rules = await rules();
    } catch {
      this.store.set({ failed: true });
      return;
    }
    this.follow(this.session.store.state);
  }

  close(): void {
    this.stop?.();
    clearTimeout(this.refusalTimer);
    this.session.close();
  }

  get game(): Game | null {
    return this.session.store.state.game;
  }

  get present(): boolean {
    return this.store.state.ply === this.store.state.moves.length;
  }

  // The side whose turn it is, when this person may move for it now.
  get myTurn(): boolean {
    const { game } = this;
    if (!game || game.status !== 'playing' || this.session.store.state.pending) return false;
    return game.seat === 'both' || game.seat === game.turn;
  }

  private follow({ game, pending }: SessionState): void {
    if (!game || !this.rules) return;
    const moves = pending ? [...game.moves, pending] : game.moves;
    const before = this.store.state;
    const same = before.report && before.moves.length === moves.length && before.moves.every((move, i) => move === moves[i]);
    if (same) {
      this.notice(game, moves);
      this.store.set({});
      return;
    }
    const report = this.rules.replay(game.initial_fen, moves, game.auto_draw);
    if (!report.ok) return;
    const following = !before.report || this.present || moves.length < before.ply;
    this.store.set({
      report, moves,
      ply: following ? moves.length : Math.min(before.ply, moves.length),
      refusal: null, hint: '', confirming: '',
      promotion: this.myTurn ? before.promotion : null,
    });
    this.notice(game, moves);
    if (this.myTurn) this.playPremove();
  }

  // Sounds and announcements for what is new.
  private notice(game: Game, moves: readonly string[]): void {
    const before = this.known;
    this.known = { moves: moves.length, status: game.status };
    if (!before) return;
    const san = this.store.state.report?.san[moves.length - 1] ?? '';
    if (game.status !== before.status && game.status === 'finished') playSound('end');
    else if (before.status === 'waiting' && game.status === 'playing') playSound('start');
    else if (moves.length > before.moves) playSound(/[+#]/.test(san) ? 'check' : san.includes('x') ? 'capture' : 'move');
    if (moves.length <= before.moves || !san) return;
    this.store.set({ spoken: speakMove(san) });
    if (this.myTurn && game.seat !== 'both') noticeMove(this.id, speakMove(san));
  }

  // ---- what the board shows

  board(): BoardView | null {
    const { report, moves, ply, premoves, refusal } = this.store.state;
    const { game } = this;
    if (!report || !game) return null;
    const last = moves[ply - 1] ?? '';
    const marks = new Map<string, string>();
    for (const square of refusal?.squares ?? []) marks.set(square, 'culprit');
    const view: BoardView = {
      fen: report.fens[ply]!,
      turn: report.fens[ply]!.split(' ')[1] === 'b' ? 'black' : 'white',
      movable: 'none',
      targets: new Map(),
      lastMove: last ? [last.slice(0, 2), last.slice(2, 4)] : [],
      check: this.present ? report.position.check : checkAt(report, ply),
      marks,
      premoving: false,
    };
    if (!this.present || game.status !== 'playing') return view;
    if (this.myTurn) {
      view.movable = game.seat === 'both' ? game.turn : (game.seat as Side);
      view.targets = targetsOf(report.position.legal);
    } else if ((game.seat === 'white' || game.seat === 'black') && settings.state.premoves) {
      const placement = virtualPlacement(readPlacement(view.fen), premoves);
      view.premoving = premoves.length > 0;
      view.fen = `${writePlacement(placement)} ${game.seat[0]} - - 0 1`;
      view.movable = view.turn = game.seat;
      for (const [square, piece] of placement)
        if (piece[0] === game.seat[0]) view.targets.set(square, premoveTargets(placement, square));
      for (const { from, to } of premoves) for (const square of [from, to]) marks.set(square, 'premove');
    }
    return view;
  }

  // ---- moving

  // Returns whether the board may keep the piece where it was put.
  tryMove(from: string, to: string): boolean {
    if (!this.myTurn) return this.addPremove(from, to);
    const candidates = this.candidates(from, to);
    if (!candidates.length) {
      this.refuse(from, to);
      return false;
    }
    if (candidates.length > 1 && !settings.state.autoQueen) {
      this.store.set({ promotion: { from, to }, refusal: null });
      return true;
    }
    this.make(candidates.find((uci) => uci.endsWith('q')) ?? candidates[0]!);
    return true;
  }

  promote(choice: string): boolean {
    const { promotion } = this.store.state;
    this.store.set({ promotion: null });
    if (!promotion || !choice) return false;
    this.make(promotion.from + promotion.to + choice);
    return true;
  }

  typed(text: string): boolean {
    const { report } = this.store.state;
    if (!report || !this.rules || !text.trim()) return false;
    const { fen } = report.position;
    if (!this.myTurn) {
      this.show({ code: 'not-your-turn', at: [], by: [] }, fen);
      return false;
    }
    const answer = readTyped(this.rules, fen, text.trim());
    if (answer.ok) {
      this.make(answer.uci);
      return true;
    }
    const refusal = refuseTyped(this.rules, fen, text.trim());
    if (refusal && refusal !== 'unclear') this.show(refusal, fen);
    else this.say(t(refusal ? 'game.typedUnclear' : 'game.typedWrong', { text: text.trim() }));
    return false;
  }

  confirm(yes: boolean): void {
    const { confirming } = this.store.state;
    this.store.set({ confirming: '' });
    if (yes && confirming) this.session.play(confirming);
  }

  private make(uci: string): void {
    this.store.set({ refusal: null, hint: '' });
    if (settings.state.confirmMoves && !this.session.local) this.store.set({ confirming: uci });
    else this.session.play(uci);
  }

  private candidates(from: string, to: string): string[] {
    const { report } = this.store.state;
    return report ? movesBetween(report.position.legal, from, to).map(({ uci }) => uci) : [];
  }

  // ---- refusals

  refuse(from: string, to: string): void {
    const { report } = this.store.state;
    const { game } = this;
    if (!report || !game?.seat || !this.rules || !this.present || game.status !== 'playing') return;
    if (!this.myTurn) {
      this.refuseEarly(from);
      return;
    }
    const answer = this.rules.explain(report.position.fen, from, to);
    if (!answer.ok || answer.code === 'legal') return;
    this.show(answer, report.position.fen);
  }

  // While the opponent thinks own pieces may be planned with, as far as they could ever move; all else has to wait.
  private refuseEarly(from: string): void {
    const view = this.board();
    const planned = view?.targets.has(from) ?? false;
    if (view) this.show({ code: planned ? 'cannot-move-like-that' : 'not-your-turn', at: [from], by: [] }, view.fen);
  }

  private show(refusal: Refusal, fen: string): void {
    this.say(refusalText(refusal, fen), refusal.by.length ? refusal.by : refusal.at);
  }

  private say(text: string, squares: readonly string[] = []): void {
    clearTimeout(this.refusalTimer);
    this.store.set({ refusal: { text, squares } });
    playSound('refused');
    this.refusalTimer = setTimeout(() => this.store.set({ refusal: null }), 4000);
  }

  // ---- premoves

  private addPremove(from: string, to: string): boolean {
    const { premoves, report } = this.store.state;
    if (!report || premoves.length >= maxPremoves) return false;
    const piece = virtualPlacement(readPlacement(report.position.fen), premoves).get(from);
    const promotes = piece?.[1] === 'P' && (to[1] === '1' || to[1] === '8');
    this.setPremoves([...premoves, promotes ? { from, to, promotion: 'q' } : { from, to }]);
    return true;
  }

  clearPremoves(): void {
    if (this.store.state.premoves.length) this.setPremoves([]);
  }

  private setPremoves(premoves: readonly Premove[]): void {
    this.store.set({ premoves });
    this.memory.write(premoves);
  }

  // The first one that is not legal any more drops the rest.
  private playPremove(): void {
    const [first, ...rest] = this.store.state.premoves;
    if (!first) return;
    const wanted = premoveUci(first);
    const legal = this.candidates(first.from, first.to).find((uci) => uci === wanted || uci.slice(0, 4) !== wanted.slice(0, 4));
    this.setPremoves(legal ? rest : []);
    if (legal) this.session.play(legal);
  }

  // ---- looking around

  goTo(ply: number): void {
    const { moves } = this.store.state;
    this.store.set({ ply: Math.max(0, Math.min(moves.length, ply)), refusal: null, promotion: null });
  }

  flip(): void {
    this.store.set({ flipped: !this.store.state.flipped });
  }

  orientation(): Side {
    const seat = this.game?.seat;
    const own: Side = seat === 'black' ? 'black' : 'white';
    return this.store.state.flipped ? otherSide(own) : own;
  }
}

// The king's square after a past move that gave check, for looking back.
function checkAt(report: GameReport, ply: number): string {
  if (!/[+#]/.test(report.san[ply - 1] ?? '')) return '';
  const fen = report.fens[ply]!;
  const king = fen.split(' ')[1] === 'b' ? 'bK' : 'wK';
  for (const [square, piece] of readPlacement(fen)) if (piece === king) return square;
  return '';
}
