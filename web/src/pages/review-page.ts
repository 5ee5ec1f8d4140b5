// SPDX-License-Identifier: GPL-3.0-or-later
// The review of a finished or imported game: the course of it, what each move was worth and why, and the mistakes to try again.
import type { JudgedMove } from '@rokada/wasm';
import { html, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { api } from '../api/client';
import { scoreMark } from '../api/words';
import { setTitle } from '../app/title';
import type { Board, BoardMove } from '../board/board';
import '../board/board';
import { turnOf } from '../board/fen';
import { scoreText } from '../board/score';
import { targetsOf } from '../board/targets';
import { choice } from '../components/choice';
import { PageElement } from '../components/element';
import '../components/eval-bar';
import '../components/eval-graph';
import { icon, type IconName } from '../components/icon';
import '../components/move-list';
import { openFile } from '../components/open-file';
import { moveNumber, reviewMoments } from '../components/review-moments';
import { reviewSummary } from '../components/review-summary';
import { moveText, reasonLabel, reasonText } from '../components/review-words';
import { language, t, type MessageKey } from '../i18n';
import { formatNumber } from '../i18n/format';
import { isLocalId, readLocalGame } from '../state/local-games';
import { ReviewGame } from '../state/review';
import type { Place } from '../state/reviewers';
import { changeSettings, settings } from '../state/settings';
import { engineSupported } from '../wasm/engine';

const markedInGraph = new Set(['inaccuracy', 'mistake', 'blunder']);

@customElement('rk-review')
export class ReviewPage extends PageElement {
  @property() gameId = '';
  @state() private flipped = false;
  @state() private missing = false;
  @query('rk-board') private board?: Board;
  private game!: ReviewGame;
  private stop: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    setTitle(t('review.title'));
    this.game = new ReviewGame();
    this.stop = this.game.store.subscribe(() => this.requestUpdate());
    if (this.gameId) void this.load();
    document.addEventListener('keydown', this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
    this.game.close();
    document.removeEventListener('keydown', this.onKey);
  }

  private async load(): Promise<void> {
    try {
      const game = isLocalId(this.gameId) ? readLocalGame(this.gameId) : await api.game(this.gameId);
      // A running game is not judged: that would be help.
      if (!game || (game.status !== 'finished' && game.status !== 'aborted')) {
        this.missing = true;
        return;
      }
      this.flipped = game.seat === 'black';
      const id = isLocalId(this.gameId) ? '' : this.gameId;
      await this.game.open(game.initial_fen, game.moves, { white: game.white.name ?? '', black: game.black.name ?? '' }, game.result ?? '', id);
    } catch {
      this.missing = true;
    }
  }

  private get names(): { white: string; black: string } {
    const { names } = this.game.store.state;
    return { white: names.white || t('color.white'), black: names.black || t('color.black') };
  }

  protected override render(): TemplateResult {
    const { fens, error } = this.game.store.state;
    if (this.missing)
      return html`<div class="page page--narrow"><h1>${t('review.title')}</h1><div class="empty"><p role="alert">${t('review.notFinished')}</p><a class="button button--main" href="/games">${t('nav.games')}</a></div></div>`;
    if (!fens.length && this.gameId && !error) return html`<div class="page" aria-busy="true"></div>`;
    return fens.length ? this.reviewed() : this.importForm();
  }

  private importForm(): TemplateResult {
    const { error, place } = this.game.store.state;
    return html`<div class="page page--narrow">
      <h1>${t('review.title')}</h1>
      <p class="muted">${t('review.lead')} ${t(place === 'server' ? 'review.leadServer' : 'review.leadBrowser')}</p>
      ${this.placeChoice((chosen) => this.game.store.set({ place: chosen }))}
      <div class="field">
        <label for="review-pgn">PGN</label>
        <textarea id="review-pgn" class="input review__pgn" spellcheck="false" aria-describedby=${error ? 'review-error' : ''}></textarea>
      </div>
      ${error ? html`<p id="review-error" class="field__error" role="alert">${icon('alert', 'icon--small')}<span>${t('analysis.unreadable')} <span lang="en">${error}</span></span></p>` : ''}
      <div class="row">
        <button class="button button--main" type="button" @click=${() => void this.game.import(this.querySelector<HTMLTextAreaElement>('#review-pgn')!.value)}>${icon('search')} ${t('review.start')}</button>
        ${openFile((text) => void this.game.import(text))}
      </div>
    </div>`;
  }

  private reviewed(): TemplateResult {
    const { fens, san, moves, ply, side, position, review, result, promotion, retry, nodes } = this.game.store.state;
    const orientation = retry ? retry.side : this.flipped ? 'black' : 'white';
    const last = side.at(-1) ?? moves[ply - 1];
    const mayTry = retry?.verdict === 'ask';
    const targets = targetsOf(mayTry ? (position?.legal ?? []) : []);
    const judged = this.game.judged;
    const hint = !retry && !side.length && judged && markedInGraph.has(judged.judgement) ? judged.better[0]?.uci : undefined;
    return html`<div class="analysis review">
      <h1 class="visually-hidden">${t('review.title')}</h1>
      <rk-eval-bar .score=${retry ? null : (review?.graph[ply] ?? null)} .orientation=${orientation}></rk-eval-bar>
      <div class="analysis__board">
        <rk-board
          .fen=${position?.fen ?? fens[ply]!}
          .orientation=${orientation}
          .turn=${position?.turn ?? 'white'}
          .movable=${mayTry ? retry.side : 'none'}
          .targets=${targets}
          .lastMove=${last ? [last.slice(0, 2), last.slice(2, 4)] : []}
          .check=${position?.check ?? ''}
          .arrows=${hint ? [{ orig: hint.slice(0, 2), dest: hint.slice(2, 4), brush: 'green' }] : []}
          .coordinates=${settings.state.coordinates}
          .animation=${settings.state.animation}
          .promoting=${promotion?.to ?? ''}
          @board-move=${(event: CustomEvent<BoardMove>) => this.moved(this.game.tryMove(event.detail.from, event.detail.to))}
          @promotion-choice=${(event: CustomEvent<string>) => this.moved(this.game.promote(event.detail))}
        ></rk-board>
      </div>
      <section class="analysis__panel review__panel">
        ${this.graph()}
        ${review ? html`${retry ? this.retryCard() : this.card(judged)}` : this.running()}
        <rk-moves
          class="review__moves"
          .san=${san}
          .uci=${moves}
          .marks=${review?.moves.map(({ judgement }) => judgement) ?? []}
          .current=${ply}
          .initialFen=${fens[0] ?? ''}
          .result=${result === '*' ? '' : scoreMark(result)}
          @moves-show=${(event: CustomEvent<number>) => this.goTo(event.detail)}
        ></rk-moves>
        ${this.navigation()}
      </section>
      ${review
        ? html`<div class="review__below">
            ${review.opening ? html`<p class="review__opening"><span class="muted">${review.opening.code}</span> <span lang="en">${review.opening.name}</span></p>` : ''}
            ${reviewSummary(review, this.names)}
            ${this.retryButtons()}
            ${reviewMoments(review, fens, orientation, (to) => this.goTo(to), (at) => this.retry(at))}
            <footer class="review__made">
              ${this.placeChoice((place) => void this.game.judgeAt(place))}
              <p class="small muted review__note">${t('review.depth', { n: formatNumber(language(), nodes) })} ${t('review.formula')}</p>
            </footer>
          </div>`
        : ''}
    </div>`;
  }

  private moved(done: boolean): void {
    if (!done) this.board?.restore();
  }

  private goTo(ply: number): void {
    this.game.store.set({ retry: null });
    this.game.show(ply);
  }

  private retry(ply: number): void {
    this.game.retryMoment(ply);
    this.querySelector('.analysis__board')?.scrollIntoView({ block: 'nearest' });
  }

  private graph(): TemplateResult {
    const { review, scores, san, fens, ply } = this.game.store.state;
    const points = fens.map((_, at) => {
      const judgement = review?.moves[at - 1]?.judgement ?? '';
      const known = review?.graph[at];
      // A mate on the board has no sign of its own; the chance tells whose it is.
      const score = known ? (known.mate === 0 ? { mate: known.win > 50 ? 0 : -0 } : known) : scores.get(at);
      return { label: at ? san[at - 1]! : '', score, ...(markedInGraph.has(judgement) ? { mark: judgement } : {}) };
    });
    return html`<div class="analysis__graph"><rk-eval-graph .points=${points} .current=${ply} @graph-show=${(event: CustomEvent<number>) => this.goTo(event.detail)}></rk-eval-graph></div>`;
  }

  // Where the moves are judged. A browser without the engine has no choice.
  private placeChoice(choose: (place: Place) => void): TemplateResult {
    const { place } = this.game.store.state;
    if (!engineSupported()) return html``;
    return choice<Place>(
      'review-place', t('review.place'),
      [{ value: 'browser', face: t('review.placeBrowser') }, { value: 'server', face: t('review.placeServer') }],
      place,
      (chosen) => {
        changeSettings({ reviewOn: chosen });
        choose(chosen);
      },
      { bar: true },
    );
  }

  private running(): TemplateResult {
    const { progress, failed, moves, place } = this.game.store.state;
    if (!moves.length) return html`<p class="review__card muted">${t('game.noMoves')}</p>`;
    const again = (chosen: Place): void => void this.game.judgeAt(chosen);
    if (failed)
      return html`<div class="review__card review__card--running">
        <p role="alert">${t(place === 'server' ? 'review.serverFailed' : 'analysis.noEngine')}</p>
        <button class="button" type="button" @click=${() => again(place)}>${icon('rematch')} ${t('app.retry')}</button>
        ${this.placeChoice(again)}
      </div>`;
    const percent = Math.max(0, Math.round(progress * 100));
    return html`<div class="review__card review__card--running">
      <label class="small muted" for="review-progress">${t('review.running', { percent })}</label>
      <progress id="review-progress" class="review__progress" max="100" .value=${percent}></progress>
      ${this.placeChoice(again)}
    </div>`;
  }

  // What the shown move was worth, and why.
  private card(judged: JudgedMove | undefined): TemplateResult {
    const { ply, fens, side } = this.game.store.state;
    if (!judged) return html`<div class="review__card"><p class="muted">${t('review.startHint')}</p></div>`;
    const good = judged.better[0]?.uci === judged.uci;
    return html`<div class="review__card" role="status">
      <p class="review__verdict"><span class="judge judge--${judged.judgement}" aria-hidden="true"></span>
        <strong>${moveNumber(fens[ply - 1]!)} ${moveText(judged)}</strong> ${t(`judge.${judged.judgement}` as MessageKey)}
        <span class="muted review__scores">${scoreText(judged.best)} → ${scoreText(judged.played)}</span></p>
      ${judged.reasons.map((reason) => html`<p><span class="muted small">${reasonLabel(reason, judged)}</span> ${reasonText(reason)}</p>`)}
      ${good || !judged.better.length
        ? ''
        : html`<p class="review__better"><span class="muted small">${t('review.better')}</span>
            ${judged.better.slice(0, 8).map((move, i) => html`<button type="button" class="engine__move" aria-pressed=${side.length === i + 1 ? 'true' : 'false'} @click=${() => this.game.showBetter(i + 1)}>${moveText(move)}</button>`)}</p>`}
    </div>`;
  }

  private retryButtons(): TemplateResult {
    const { review, fens } = this.game.store.state;
    const count = (side: string): number => review?.keyMoments.filter((ply) => turnOf(fens[ply]!) === side).length ?? 0;
    return html`<div class="row review__retry">
      ${(['white', 'black'] as const).filter(count).map((side) => html`<button class="button" type="button" @click=${() => this.game.startRetry(side)}>${icon('rematch')} ${t('review.retry', { n: count(side), name: this.names[side] })}</button>`)}
    </div>`;
  }

  private retryCard(): TemplateResult {
    const { retry, review } = this.game.store.state;
    if (!retry || !review) return html``;
    const judged = review.moves[retry.moments[retry.at]!]!;
    const done = retry.verdict !== 'ask' && retry.verdict !== 'checking';
    const said: Record<string, string> = {
      ask: t('review.find', { move: moveText(judged), name: t(`color.${retry.side}` as MessageKey) }),
      checking: t('review.checking'),
      solved: t('review.solved'),
      close: t('review.close'),
      failed: t('review.failed'),
      shown: t('review.bestWas', { move: moveText(judged.better[0]!) }),
    };
    const icons: Partial<Record<string, IconName>> = { solved: 'check', close: 'info', failed: 'close' };
    return html`<div class="review__card">
      <p class="small muted">${t('review.retryCount', { at: retry.at + 1, all: retry.moments.length })}</p>
      <p class="review__said review__said--${retry.verdict}" role="status">${icons[retry.verdict] ? icon(icons[retry.verdict]!) : ''} ${retry.tried ? html`<strong>${moveText(retry.tried)}</strong>` : ''} ${said[retry.verdict]}</p>
      <div class="row">
        ${retry.verdict === 'failed' || retry.verdict === 'close' || retry.verdict === 'shown' ? html`<button class="button" type="button" @click=${() => this.game.again()}>${icon('rematch')} ${t('review.tryAgain')}</button>` : ''}
        ${retry.verdict === 'solved' || retry.verdict === 'shown' ? '' : html`<button class="button" type="button" ?disabled=${retry.verdict === 'checking'} @click=${() => this.game.solution()}>${icon('hint')} ${t('review.solution')}</button>`}
        <button class="button ${done ? 'button--main' : ''}" type="button" @click=${() => this.game.next()}>${retry.at + 1 < retry.moments.length ? t('review.next') : t('review.finish')}</button>
      </div>
    </div>`;
  }

  private navigation(): TemplateResult {
    const { ply, fens } = this.game.store.state;
    const end = fens.length - 1;
    const button = (name: IconName, label: string, act: () => void, disabled = false): TemplateResult => html`<button
      class="button button--quiet button--icon" type="button" aria-label=${label} title=${label} ?disabled=${disabled} @click=${act}>${icon(name)}</button>`;
    return html`<div class="analysis__nav" role="group" aria-label=${t('game.navigation')}>
      ${button('first', t('game.first'), () => this.goTo(0), ply === 0)}
      ${button('previous', t('game.previous'), () => this.game.step(-1), ply === 0)}
      ${button('next', t('game.next'), () => this.game.step(1), ply === end)}
      ${button('last', t('game.last'), () => this.goTo(end), ply === end)}
      <span class="analysis__space"></span>
      ${button('flip', t('game.flip'), () => (this.flipped = !this.flipped))}
    </div>`;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.game.store.state.fens.length) return;
    if ((event.target as HTMLElement).closest('input, textarea, select, .board-grid')) return;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.game.step(-1),
      ArrowRight: () => this.game.step(1),
      Home: () => this.goTo(0),
      End: () => this.goTo(this.game.store.state.fens.length - 1),
      f: () => (this.flipped = !this.flipped),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}
