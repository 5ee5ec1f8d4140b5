// SPDX-License-Identifier: GPL-3.0-or-later
// A game in this browser: the rules module is the referee, this file keeps the clocks and the record.
import type { Rules } from '@rokada/wasm';
import { Problem, type Game, type Side } from '../api/client';
import { otherSide } from '../board/fen';
import { go } from '../app/router';
import { t } from '../i18n';
import { rules } from '../wasm/rules';
import { afterMove, bonusOf, timeLeft } from './clock';
import { emptySession, type GameSession, type OfferAction, type SessionState } from './game-session';
import { drawStart, readLocalGame, startLocalGame, writeLocalGame } from './local-games';
import { levelMarks, emptyForm } from './new-game';
import { session } from './session';
import { changeSettings } from './settings';
import { Store } from './store';
import { toastAction } from './toasts';
import { sendLocalGames } from './uploads';

// Thinks for the computer's side; the engine in its worker, or a stand-in for tests.
export interface Thinker {
  think(game: Game): Promise<string>; // UCI
  cancel(): void;
  readonly slow?: boolean; // this device is too slow for the chosen level
}

export class LocalGame implements GameSession {
  readonly local = true;
  readonly store = new Store<SessionState>({ ...emptySession });
  private rules: Rules | undefined;
  private flag: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(
    private readonly id: string,
    private readonly makeThinker: () => Promise<Thinker>,
  ) {}

  private thinker: Thinker | undefined;
  private offered = false;

  open(): void {
    const game = readLocalGame(this.id);
    if (!game) {
      this.store.set({ problem: new Problem('game_not_found', 404) });
      return;
    }
    // The clock stood still while the page was closed.
    if (game.clocks?.running) game.clocks = { ...game.clocks, running: game.status === 'playing' ? game.turn : null };
    this.store.set({ game, receivedAt: performance.now() });
    this.watchFlag();
    void this.start();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.flag);
    this.thinker?.cancel();
    const { game, receivedAt } = this.store.state;
    if (game?.clocks?.running && game.status === 'playing') {
      const left = timeLeft(game.clocks, game.clocks.running, performance.now() - receivedAt);
      const name = game.clocks.running === 'white' ? 'white_ms' : 'black_ms';
      writeLocalGame({ ...game, clocks: { ...game.clocks, [name]: Math.round(left) } });
    }
  }

  private async start(): Promise<void> {
    this.rules = await rules();
    this.watchFlag();
    this.computerMoves();
  }

  play(uci: string): void {
    const { game } = this.store.state;
    if (!game || game.status !== 'playing' || !this.rules) return;
    const moves = [...game.moves, uci];
    const report = this.rules.replay(game.initial_fen, moves, game.auto_draw);
    if (!report.ok) return;
    const side = game.turn;
    const next: Game = {
      ...game,
      moves,
      san: report.san,
      fen: report.position.fen,
      key: report.position.key,
      turn: report.position.turn,
      ply: moves.length,
      version: game.version + 1,
      offers: {},
      can_claim_draw: report.claim !== null,
    };
    if (game.clock && game.clocks) {
      const spent = performance.now() - this.store.state.receivedAt;
      const clocks = afterMove(game.clock, game.clocks, side, spent, report.outcome ? null : otherSide(side));
      if (!clocks) {
        this.flagFalls(side);
        return;
      }
      next.clocks = clocks;
    }
    if (report.outcome) {
      next.status = 'finished';
      next.result = report.outcome.winner === 'white' ? '1-0' : report.outcome.winner === 'black' ? '0-1' : '1/2-1/2';
      next.reason = report.outcome.reason;
    }
    this.save(next);
    this.computerMoves();
  }

  private save(game: Game): void {
    const now = new Date().toISOString();
    const saved: Game = { ...game, updated_at: now, ...(game.status === 'finished' ? { ended_at: now } : {}) };
    const stored = writeLocalGame(saved);
    this.store.set({ game: saved, receivedAt: performance.now(), pending: '', message: stored ? '' : t('game.notSaved') });
    this.watchFlag();
    if (saved.status === 'finished') void sendLocalGames();
  }

  private watchFlag(): void {
    clearTimeout(this.flag);
    const { game, receivedAt } = this.store.state;
    const running = game?.clocks?.running;
    // Without the rules nobody can say what a fallen flag means.
    if (!this.rules || !game?.clocks || !running || game.status !== 'playing') return;
    const delay = game.clock?.mode === 'delay' ? bonusOf(game.clock, running) : 0;
    this.flag = setTimeout(() => this.flagFalls(running), timeLeft(game.clocks, running, performance.now() - receivedAt) + delay);
  }

  private flagFalls(side: Side): void {
    const { game } = this.store.state;
    if (!game?.clocks) return;
    const name = side === 'white' ? 'white_ms' : 'black_ms';
    const clocks = { ...game.clocks, [name]: 0, running: null };
    const other = otherSide(side);
    const answer = this.rules?.canMate(game.fen, other);
    if (answer?.ok && !answer.able) this.end(null, 'time-against-bare-king', { clocks });
    else this.end(other, 'time', { clocks });
  }

  private end(winner: Side | null, reason: NonNullable<Game['reason']>, patch: Partial<Game> = {}): void {
    const { game } = this.store.state;
    if (!game || game.status !== 'playing') return;
    this.thinker?.cancel();
    this.save({
      ...game,
      ...(game.clocks ? { clocks: { ...game.clocks, running: null } } : {}),
      ...patch,
      status: 'finished',
      result: winner === 'white' ? '1-0' : winner === 'black' ? '0-1' : '1/2-1/2',
      reason,
      version: game.version + 1,
    });
  }

  takeback(_action: OfferAction): void {
    const { game } = this.store.state;
    if (!game || !this.rules || !game.moves.length) return;
    this.thinker?.cancel();
    // Against the computer go back to the person's own turn.
    const own = game.seat === 'both' || game.turn !== game.seat ? 1 : 2;
    const moves = game.moves.slice(0, Math.max(0, game.moves.length - own));
    const report = this.rules.replay(game.initial_fen, moves, game.auto_draw);
    if (!report.ok) return;
    const { result: _result, reason: _reason, ended_at: _ended, ...rest } = game;
    this.save({
      ...rest,
      status: 'playing',
      assisted: true,
      moves,
      san: report.san,
      fen: report.position.fen,
      key: report.position.key,
      turn: report.position.turn,
      ply: moves.length,
      version: game.version + 1,
      can_claim_draw: report.claim !== null,
      ...(game.clocks ? { clocks: { ...game.clocks, running: moves.length ? report.position.turn : null } } : {}),
    });
    this.computerMoves();
  }

  draw(action: OfferAction | 'claim'): void {
    const { game } = this.store.state;
    if (game && action === 'claim') {
      const report = this.rules?.replay(game.initial_fen, game.moves, game.auto_draw);
      if (report?.ok && report.claim) this.end(null, report.claim);
      return;
    }
    // Two people at one board agree by word of mouth; the computer here does not bargain.
    if (game?.seat === 'both') this.end(null, 'agreement');
    else this.store.set({ message: t('game.declined') });
  }

  resign(): void {
    const { game } = this.store.state;
    if (!game) return;
    const loser = game.seat === 'both' ? game.turn : (game.seat ?? game.turn);
    this.end(otherSide(loser), 'resignation');
  }

  abort(): void {
    const { game } = this.store.state;
    if (!game || game.status !== 'playing') return;
    this.thinker?.cancel();
    this.save({ ...game, status: 'aborted', reason: 'aborted' });
  }

  rematch(_action: OfferAction): void {
    const { game } = this.store.state;
    if (!game) return;
    const computer = [game.white, game.black].find((player) => player.kind === 'computer');
    const form = {
      ...emptyForm,
      opponent: game.opponent === 'device' ? ('device' as const) : ('computer' as const),
      color: game.seat === 'white' ? ('black' as const) : ('white' as const),
      elo: computer?.elo ?? levelMarks.find((mark) => mark.level === computer?.level)?.elo ?? emptyForm.elo,
      evaluation: computer?.evaluation ?? emptyForm.evaluation,
      start: game.chess960 ? ('chess960' as const) : ('usual' as const),
      visibility: game.visibility,
      draws: game.auto_draw ? ('automatic' as const) : ('claimed' as const),
      // Chess960 draws a new position for the next game.
      fen: game.chess960 ? '' : game.initial_fen,
      ...(game.clock
        ? { clock: 'own', minutes: game.clock.initial / 60, increment: game.clock.increment ?? 0, mode: game.clock.mode ?? 'increment' }
        : {}),
      ...(game.clock?.black ? { odds: true, blackMinutes: game.clock.black.initial / 60, blackIncrement: game.clock.black.increment ?? 0 } : {}),
    };
    void drawStart(form).then((drawn) => go(`/game/${startLocalGame(drawn)}`));
  }

  claim(): void {}

  join(): void {}

  decline(): void {}

  say(): void {}

  mute(): void {}

  assisted(): void {
    const { game } = this.store.state;
    if (game && !game.assisted && game.status === 'playing') {
      const marked: Game = { ...game, assisted: true };
      writeLocalGame(marked);
      this.store.set({ game: marked });
    }
  }

  private computerMoves(): void {
    const { game } = this.store.state;
    if (!game || game.status !== 'playing' || game[game.turn].kind !== 'computer' || this.closed) return;
    void this.thinkFor(game);
  }

  // Once per game: go on from here with the server's help, or be patient.
  private offerServer(): void {
    if (this.offered || !session.state.reachable || !session.state.me) return;
    this.offered = true;
    toastAction(t('game.slowHere'), t('game.useServer'), () => {
      changeSettings({ thinkOn: 'server' });
      const fen = this.store.state.game?.fen ?? '';
      go(`/?fen=${encodeURIComponent(fen)}`);
    });
  }

  private async thinkFor(game: Game): Promise<void> {
    try {
      this.thinker ??= await this.makeThinker();
      const uci = await this.thinker.think(game);
      if (this.thinker.slow) this.offerServer();
      // A takeback or the end of the game may have come in between.
      if (!this.closed && this.store.state.game?.version === game.version) this.play(uci);
    } catch {
      if (!this.closed) this.store.set({ message: t('game.engineFailed') });
    }
  }
}
