// SPDX-License-Identifier: GPL-3.0-or-later
// The game page: board, players, moves, one notification line, actions. Everything it shows comes from
// the session (what happened) and the controller (what is on screen).
import type { DrawShape } from '@lichess-org/chessground/draw';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { Game, Side } from '../api/client';
import { playerName, problemText, scoreMark } from '../api/words';
import { go } from '../app/router';
import { setTitle } from '../app/title';
import { otherSide, turnOf } from '../board/fen';
import { whiteScore } from '../board/score';
import type { Board, BoardMove } from '../board/board';
import '../board/board';
import { PageElement } from '../components/element';
import { endText, gameNotice } from '../components/game-notice';
import { engineLine } from '../components/engine-line';
import '../components/chat';
import '../components/eval-bar';
import { gameActions, offerAnswers } from '../components/game-actions';
import { icon, type IconName } from '../components/icon';
import { invitation } from '../components/invitation';
import { playerStrip } from '../components/player-strip';
import { printSheet } from '../components/print-sheet';
import '../components/move-list';
import '../components/share-sheet';
import { t } from '../i18n';
import { Evaluator, mayEvaluate } from '../state/evaluator';
import { findHint } from '../state/hint';
import { GameController } from '../state/game-controller';
import { openSession } from '../state/open-session';
import { keepAwake } from '../state/wake-lock';
import { changeSettings, settings } from '../state/settings';
import { readDrawings, writeDrawings } from '../state/drawings';
import { session as who } from '../state/session';
import { Watch } from '../state/store';

@customElement('rk-game')
export class GamePage extends PageElement {
  @property() gameId = '';
  @state() private sharing = false;
  @state() private drawings: readonly DrawShape[] = [];
  @query('rk-board') private board?: Board;
  private controller!: GameController;
  private evaluator!: Evaluator;
  private release: (() => void) | undefined;
  private nextGame: string | undefined; // the rematch as far as it is known
  private countdown: ReturnType<typeof setTimeout> | undefined;
  private stops: (() => void)[] = [];

  constructor() {
    super();
    new Watch(this, settings);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.controller = new GameController(openSession(this.gameId), this.gameId);
    this.drawings = readDrawings(this.gameId);
    this.evaluator = new Evaluator();
    this.stops = [
      this.controller.store.subscribe(() => this.requestUpdate()),
      this.controller.session.store.subscribe(() => this.requestUpdate()),
      this.evaluator.store.subscribe(() => this.requestUpdate()),
    ];
    void this.controller.open();
    document.addEventListener('keydown', this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stops) stop();
    clearTimeout(this.countdown);
    this.controller.close();
    this.evaluator.close();
    this.release?.();
    this.release = undefined;
    document.removeEventListener('keydown', this.onKey);
  }

  protected override render(): TemplateResult {
    const session = this.controller.session.store.state;
    const { game, problem } = session;
    const view = this.controller.store.state;
    if (problem) return this.missing(problemText(problem));
    if (view.failed) return this.missing(t('game.rulesFailed'));
    const board = this.controller.board();
    if (!game || !board) return html`<div class="page" aria-busy="true"><p class="muted">${gameNotice(session, view).text}</p></div>`;
    const bottom = this.controller.orientation();
    const notice = gameNotice(session, view);
    const helped = this.helped(game);
    const best = helped ? this.evaluator.store.state.lines[0] : undefined;
    return html`<div class="game ${helped ? 'game--engine' : ''} ${game.status === 'waiting' ? 'game--waiting' : ''}">
      <h1 class="visually-hidden">${playerName(game.white)} – ${playerName(game.black)}</h1>
      ${helped ? html`<rk-eval-bar class="game__bar" .score=${best ? whiteScore(best.score, this.shownTurn()) : null} .orientation=${bottom}></rk-eval-bar>` : ''}
      <div class="game__top">${this.strip(game, otherSide(bottom), board.fen)}</div>
      <div class="game__board">
        <rk-board
          .fen=${board.fen}
          .orientation=${bottom}
          .turn=${board.turn}
          .movable=${board.movable}
          .targets=${board.targets}
          .lastMove=${board.lastMove}
          .check=${board.check}
          .marks=${board.marks}
          .premoving=${board.premoving}
          .arrows=${view.hint ? [{ orig: view.hint.slice(0, 2), dest: view.hint.slice(2, 4), brush: 'green' }] : []}
          .drawings=${this.drawings}
          .coordinates=${settings.state.coordinates}
          .animation=${settings.state.animation}
          .showTargets=${settings.state.legalSquares}
          .promoting=${view.promotion?.to ?? ''}
          @board-move=${this.onMove}
          @board-illegal=${(event: CustomEvent<BoardMove>) => this.controller.refuse(event.detail.from, event.detail.to)}
          @board-drawings=${this.onDrawings}
          @promotion-choice=${this.onPromotion}
          @contextmenu=${() => this.controller.clearPremoves()}
        ></rk-board>
      </div>
      <div class="game__bottom">${this.strip(game, bottom, board.fen)}</div>
      <div class="game__notice">
        <div class="game-notice__row">
          <p class="game-notice game-notice--${notice.tone}" role="status">${notice.text}</p>
          ${view.premoves.length
            ? html`<button class="button" type="button" title=${t('game.clearPremovesHint')} @click=${() => this.controller.clearPremoves()}>${t('game.clearPremoves')}</button>`
            : ''}
        </div>
        ${game.status === 'waiting' ? invitation(this.controller, game) : offerAnswers(this.controller, game)}
        ${view.confirming
          ? html`<div class="offer">
              <button class="button" type="button" @click=${() => this.decideMove(false)}>${icon('close')} ${t('game.cancelMove')}</button>
              <button class="button button--main" type="button" @click=${() => this.decideMove(true)}>${icon('check')} ${t('game.confirmMove')}</button>
            </div>`
          : ''}
        ${this.claim()}
        ${game.opponent === 'person' && game.seat && who.state.me?.server.chat && game.status !== 'waiting'
          ? html`<rk-chat
              .lines=${session.chat}
              .open=${game.status === 'playing'}
              .muted=${game.muted === game.seat || game.muted === 'both'}
              .unread=${game.muted !== undefined && game.muted !== game.seat}
              @chat-say=${(event: CustomEvent<string>) => this.controller.session.say(event.detail)}
              @chat-mute=${(event: CustomEvent<boolean>) => this.controller.session.mute(event.detail)}
            ></rk-chat>`
          : ''}
        <p class="visually-hidden" aria-live="assertive">${view.spoken}</p>
      </div>
      <div class="game__engine">${this.opening()} ${helped ? this.lines() : ''}</div>
      <div class="game__moves">
        <rk-moves
          .san=${view.report?.san ?? []}
          .uci=${view.moves}
          .current=${view.ply}
          .confirmed=${session.pending ? game.moves.length : Infinity}
          .initialFen=${game.initial_fen}
          .result=${scoreMark(game.result ?? '')}
          @moves-show=${(event: CustomEvent<number>) => this.controller.goTo(event.detail)}
        ></rk-moves>
      </div>
      <div class="game__nav">${this.navigation(view.ply, view.moves.length)} ${this.typing()}</div>
      ${game.status === 'waiting' ? '' : this.actions(game, view.report?.fens[view.ply] ?? game.fen, board.lastMove)}
    </div>
    ${view.report ? printSheet(game, view.report, view.ply, bottom) : ''}`;
  }

  // Nothing can be done in a game that has not begun; the invitation has buttons of its own and needs the room.
  private actions(game: Game, fen: string, lastMove: readonly string[]): TemplateResult {
    return html`<div class="game__actions">
      ${gameActions(this.controller, game, () => void this.hint(), () => (this.sharing = !this.sharing))}
      ${this.sharing
        ? html`<rk-share .game=${game} .fen=${fen} .local=${this.controller.session.local} .orientation=${this.controller.orientation()} .lastMove=${lastMove} @share-close=${() => (this.sharing = false)}></rk-share>`
        : ''}
    </div>`;
  }

  private strip(game: Game, side: Side, fen: string): TemplateResult {
    const { receivedAt, presence } = this.controller.session.store.state;
    const player = game[side];
    const playing = game.status === 'playing';
    const toMove = playing && game.turn === side;
    return playerStrip({
      player, side, fen, toMove, receivedAt,
      initialFen: game.initial_fen,
      clocks: game.clocks,
      away: playing && game.opponent === 'person' && !player.me && presence !== null && !presence[side],
      thinking: toMove && player.kind === 'computer',
    });
  }

  private navigation(ply: number, last: number): TemplateResult {
    const go = (name: 'first' | 'previous' | 'next' | 'last', to: number, disabled: boolean): TemplateResult => html`<button
      class="button button--quiet button--icon"
      type="button"
      aria-label=${t(`game.${name}`)}
      title=${t(`game.${name}`)}
      ?disabled=${disabled}
      @click=${() => this.controller.goTo(to)}
    >
      ${icon(name)}
    </button>`;
    const { game } = this.controller;
    const side = (name: IconName, label: string, act: () => void, pressed?: boolean): TemplateResult => html`<button
      class="button button--quiet button--icon" type="button" aria-label=${label} title=${label}
      aria-pressed=${pressed === undefined ? nothing : pressed ? 'true' : 'false'} @click=${act}>${icon(name)}</button>`;
    return html`<div class="navigation" role="group" aria-label=${t('game.navigation')}>
      ${go('first', 0, ply === 0)} ${go('previous', ply - 1, ply === 0)} ${go('next', ply + 1, ply === last)} ${go('last', last, ply === last)}
      ${side('flip', t('game.flip'), () => this.controller.flip())}
      ${game && mayEvaluate(game) ? side('engine', t('game.engine'), () => changeSettings({ engineLines: !settings.state.engineLines }), settings.state.engineLines) : ''}
    </div>`;
  }

  // ---- the engine's opinion, where the game allows it

  private helped(game: Game): boolean {
    return settings.state.engineLines && mayEvaluate(game) && game.status !== 'waiting';
  }

  private shownTurn(): Side {
    const { report, ply } = this.controller.store.state;
    return turnOf(report?.fens[ply] ?? '');
  }

  private lines(): TemplateResult {
    const { lines, failed } = this.evaluator.store.state;
    if (failed) return html`<p class="small muted">${t('analysis.noEngine')}</p>`;
    const turn = this.shownTurn();
    return html`<ol class="engine__lines" role="list" aria-label=${t('game.engine')}>${[0, 1].map((i) => engineLine(lines[i], turn))}</ol>`;
  }

  private opening(): TemplateResult {
    const { report } = this.controller.store.state;
    return html`<p class="game__opening" title=${report?.opening?.name ?? nothing}>${report?.opening ? html`<span class="muted">${report.opening.code}</span> <span lang="en">${report.opening.name}</span>` : ''}</p>`;
  }

  private evaluate(game: Game): void {
    const { moves, ply, report } = this.controller.store.state;
    if (!this.helped(game) || !report) {
      this.evaluator.rest();
      return;
    }
    const over = ply === moves.length && !report.position.legal.length;
    this.evaluator.show(game, moves.slice(0, ply), over ? 0 : ply === moves.length ? report.position.legal.length : 2);
    if (game.status === 'playing') this.controller.session.assisted();
  }

  private typing(): TemplateResult {
    if (!this.controller.game?.seat || this.controller.game.status !== 'playing') return html``;
    return html`<form class="typing" @submit=${this.onTyped}>
      <input class="input typing__input" name="move" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="12" aria-label=${t('game.type')} placeholder=${t('game.typeHint')} />
    </form>`;
  }

  private claim(): TemplateResult {
    const { presence, game } = this.controller.session.store.state;
    const gone = presence?.gone;
    if (!gone || !game || game.status !== 'playing' || gone.side === game.seat || !game.seat) return html``;
    const seconds = Math.ceil((gone.claimAt - performance.now()) / 1000);
    if (seconds > 0) {
      clearTimeout(this.countdown);
      this.countdown = setTimeout(() => this.requestUpdate(), 1000);
      return html`<p class="small muted">${t('game.goneIn', { n: seconds })}</p>`;
    }
    return html`<div class="offer">
      <button class="button" type="button" @click=${() => this.controller.session.claim('draw')}>${t('game.claimGoneDraw')}</button>
      <button class="button button--main" type="button" @click=${() => this.controller.session.claim('win')}>${t('game.claimWin')}</button>
    </div>`;
  }

  private missing(text: string): TemplateResult {
    return html`<div class="page page--narrow"><div class="empty">
      <p role="alert">${text}</p>
      <a class="button button--main" href="/">${t('error.home')}</a>
    </div></div>`;
  }

  protected override updated(): void {
    const { game } = this.controller.session.store.state;
    if (!game) return;
    this.evaluate(game);
    const names = `${playerName(game.white)} – ${playerName(game.black)}`;
    const over = game.status === 'finished' || game.status === 'aborted';
    setTitle(over ? `${endText(game)}` : this.controller.myTurn && game.seat !== 'both' ? `● ${t('game.yourMove')}` : names);
    if (game.status === 'playing' && game.seat) this.release ??= keepAwake();
    else if (this.release) {
      this.release();
      this.release = undefined;
    }
    // A rematch that begins now is followed; one that was there when the page was opened is a link, or the way back would end here.
    if (this.nextGame === undefined) this.nextGame = game.rematch ?? '';
    else if (game.rematch && game.rematch !== this.nextGame && game.seat) {
      this.nextGame = game.rematch;
      go(`/game/${game.rematch}`);
    }
  }

  private readonly onMove = (event: CustomEvent<BoardMove>): void => {
    if (!this.controller.tryMove(event.detail.from, event.detail.to)) this.board?.restore();
  };

  private readonly onPromotion = (event: CustomEvent<string>): void => {
    if (!this.controller.promote(event.detail)) this.board?.restore();
  };

  private decideMove(yes: boolean): void {
    this.controller.confirm(yes);
    if (!yes) this.board?.restore();
  }

  private readonly onDrawings = (event: CustomEvent<DrawShape[]>): void => {
    this.drawings = event.detail;
    writeDrawings(this.gameId, event.detail);
  };

  private readonly onTyped = (event: SubmitEvent): void => {
    event.preventDefault();
    const input = (event.target as HTMLFormElement).elements.namedItem('move') as HTMLInputElement;
    const good = this.controller.typed(input.value);
    input.setAttribute('aria-invalid', String(!good && input.value !== ''));
    if (good) input.value = '';
    else input.select();
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select, .board-grid')) return;
    const { ply, moves } = this.controller.store.state;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.controller.goTo(ply - 1),
      ArrowRight: () => this.controller.goTo(ply + 1),
      Home: () => this.controller.goTo(0),
      End: () => this.controller.goTo(moves.length),
      f: () => this.controller.flip(),
      Escape: () => {
        this.controller.clearPremoves();
        this.board?.cancel();
        this.sharing = false;
      },
      '/': () => this.querySelector<HTMLInputElement>('.typing__input')?.focus(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  private async hint(): Promise<void> {
    const { report } = this.controller.store.state;
    if (!report) return;
    this.controller.session.assisted();
    const move = await findHint(report.position.fen);
    if (report === this.controller.store.state.report) this.controller.store.set({ hint: move });
  }
}
