// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis board: free moves with variations, the engine's lines, FEN and PGN in and out.
import { html, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { api, type PositionInfo } from '../api/client';
import { place } from '../app/router';
import { setTitle } from '../app/title';
import type { Board, BoardMove } from '../board/board';
import '../board/board';
import { whiteScore } from '../board/score';
import { targetsOf } from '../board/targets';
import { PageElement } from '../components/element';
import { engineLine } from '../components/engine-line';
import { openFile } from '../components/open-file';
import '../components/eval-bar';
import '../components/eval-graph';
import { copyText } from '../components/copy';
import { icon, type IconName } from '../components/icon';
import { termsTable } from '../components/terms-table';
import { treeView } from '../components/tree-view';
import { t } from '../i18n';
import { Analysis } from '../state/analysis';
import { mayEvaluate } from '../state/evaluator';
import { readLocalGame, isLocalId } from '../state/local-games';
import { settings } from '../state/settings';

@customElement('rk-analysis')
export class AnalysisPage extends PageElement {
  @property() gameId = '';
  @state() private flipped = false;
  @state() private info: PositionInfo | null | undefined; // undefined until the server was asked
  @state() private why = false;
  @query('rk-board') private board?: Board;
  private analysis!: Analysis;
  private stop: (() => void) | undefined;
  private explained = ''; // the position the terms were asked for

  override connectedCallback(): void {
    super.connectedCallback();
    setTitle(t('nav.analysis'));
    this.analysis = new Analysis();
    this.stop = this.analysis.store.subscribe(() => this.requestUpdate());
    void this.load();
    document.addEventListener('keydown', this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
    this.analysis.close();
    document.removeEventListener('keydown', this.onKey);
  }

  private async load(): Promise<void> {
    if (!this.gameId) {
      await this.analysis.open(place.state.query.get('fen') ?? '');
      return;
    }
    try {
      const game = isLocalId(this.gameId) ? readLocalGame(this.gameId) : await api.game(this.gameId);
      this.flipped = game?.seat === 'black';
      if (game && !mayEvaluate(game)) this.analysis.forbidEngine();
      await this.analysis.open(game?.initial_fen ?? '', game?.moves ?? []);
    } catch {
      await this.analysis.open('');
    }
  }

  protected override render(): TemplateResult {
    const { tree, node, position, lines, promotion, failed } = this.analysis.store.state;
    if (failed) return html`<div class="page"><p class="notice notice--bad" role="alert">${t('game.rulesFailed')}</p></div>`;
    if (!position) return html`<div class="page" aria-busy="true"></div>`;
    const orientation = this.flipped ? 'black' : 'white';
    const [best] = lines;
    return html`<div class="analysis">
      <h1 class="visually-hidden">${t('nav.analysis')}</h1>
      <rk-eval-bar .score=${best ? whiteScore(best.score, position.turn) : null} .orientation=${orientation}></rk-eval-bar>
      <div class="analysis__board">
        <rk-board
          .fen=${node.fen}
          .orientation=${orientation}
          .turn=${position.turn}
          .movable=${position.turn}
          .targets=${targetsOf(position.legal)}
          .lastMove=${node.uci ? [node.uci.slice(0, 2), node.uci.slice(2, 4)] : []}
          .check=${position.check}
          .arrows=${best?.moves[0] ? [{ orig: best.moves[0].slice(0, 2), dest: best.moves[0].slice(2, 4), brush: 'green' }] : []}
          .coordinates=${settings.state.coordinates}
          .animation=${settings.state.animation}
          .promoting=${promotion?.to ?? ''}
          @board-move=${(event: CustomEvent<BoardMove>) => this.moved(this.analysis.tryMove(event.detail.from, event.detail.to))}
          @promotion-choice=${(event: CustomEvent<string>) => this.moved(this.analysis.promote(event.detail))}
        ></rk-board>
      </div>
      <section class="analysis__panel">
        ${this.engine()}
        <div class="analysis__tree">${treeView(tree, node, (to) => this.analysis.show(to))}</div>
        ${this.graph()} ${this.navigation()} ${this.whyPanel()} ${this.exchange()}
      </section>
    </div>`;
  }

  private moved(done: boolean): void {
    if (!done) this.board?.restore();
  }

  private engine(): TemplateResult {
    const { engineOn, engineFailed, engineForbidden, evaluation, lines, lineCount, position } = this.analysis.store.state;
    const [best] = lines;
    const note = best ? t('analysis.depth', { depth: best.depth, speed: Math.round(best.nodes / Math.max(1, best.time)) }) : engineForbidden ? t('analysis.notNow') : engineFailed ? t('analysis.noEngine') : '';
    return html`<div class="engine">
      <div class="row row--apart">
        <label class="switch engine__switch"><span>${t('analysis.engine')}</span>
          <input type="checkbox" .checked=${engineOn} ?disabled=${engineFailed || engineForbidden} @change=${() => this.analysis.toggleEngine()} />
        </label>
        <span class="small muted">${note}</span>
      </div>
      ${engineOn
        ? html`<div class="row">
            <select class="header__language" aria-label=${t('home.evaluation')} @change=${(event: Event) => this.analysis.setEvaluation((event.target as HTMLSelectElement).value as 'network' | 'classical')}>
              ${(['network', 'classical'] as const).map((value) => html`<option value=${value} ?selected=${value === evaluation}>${t(`home.${value}`)}</option>`)}
            </select>
            <select class="header__language" aria-label=${t('analysis.lines')} @change=${(event: Event) => this.analysis.setLines(Number((event.target as HTMLSelectElement).value))}>
              ${[1, 2, 3].map((count) => html`<option value=${count} ?selected=${count === lineCount}>${t('analysis.lineCount', { n: count })}</option>`)}
            </select>
          </div>`
        : ''}
      ${engineOn ? html`<ol class="engine__lines" role="list">${Array.from({ length: Math.min(lineCount, position?.legal.length ?? 0) }, (_, i) => engineLine(lines[i], position!.turn, (count) => this.analysis.playLine(lines[i]!, count)))}</ol>` : ''}
    </div>`;
  }

  private graph(): TemplateResult {
    const { tree, node, evaluations, evaluating, engineFailed, engineForbidden } = this.analysis.store.state;
    const line = tree.lineThrough(tree.root);
    if (line.length < 3) return html``;
    if (!evaluations.size && evaluating < 0)
      return html`<div class="analysis__graph"><button class="button" type="button" ?disabled=${engineFailed || engineForbidden} @click=${() => void this.analysis.evaluateGame()}>${icon('search')} ${t('analysis.evaluateGame')}</button></div>`;
    return html`<div class="analysis__graph">
      <rk-eval-graph
        .points=${line.map(({ san, id }) => ({ label: san, score: evaluations.get(id) }))}
        .current=${Math.max(0, line.indexOf(node))}
        @graph-show=${(event: CustomEvent<number>) => line[event.detail] && this.analysis.show(line[event.detail]!)}
      ></rk-eval-graph>
      ${evaluating >= 0 ? html`<p class="small muted" role="status">${t('analysis.evaluating', { done: evaluating, all: line.length })}</p>` : ''}
    </div>`;
  }

  private navigation(): TemplateResult {
    const { node, tree } = this.analysis.store.state;
    const button = (name: IconName, label: string, act: () => void, disabled = false): TemplateResult => html`<button
      class="button button--quiet button--icon" type="button" aria-label=${label} title=${label} ?disabled=${disabled} @click=${act}>${icon(name)}</button>`;
    return html`<div class="analysis__nav" role="group" aria-label=${t('game.navigation')}>
      ${button('first', t('game.first'), () => this.analysis.first(), !node.parent)}
      ${button('previous', t('game.previous'), () => this.analysis.back(), !node.parent)}
      ${button('next', t('game.next'), () => this.analysis.forward(), !node.children.length)}
      ${button('last', t('game.last'), () => this.analysis.last(), !node.children.length)}
      <span class="analysis__space"></span>
      ${button('flip', t('game.flip'), () => (this.flipped = !this.flipped))}
      ${button('swap', t('analysis.promote'), () => this.analysis.promoteHere(), tree.isMainLine(node))}
      ${button('trash', t('analysis.remove'), () => this.analysis.removeHere(), !node.parent)}
    </div>`;
  }

  private whyPanel(): TemplateResult {
    // The judgement of the position is help as well.
    if (this.analysis.store.state.engineForbidden) return html``;
    return html`<details class="fold" ?open=${this.why} @toggle=${this.onWhy}>
      <summary>${t('analysis.why')}</summary>
      ${this.info?.evaluation?.terms
        ? termsTable(this.info.evaluation.terms, this.info.evaluation.cp)
        : html`<p class="muted small">${this.info === undefined ? '' : t('analysis.noTerms')}</p>`}
    </details>`;
  }

  private readonly onWhy = (event: Event): void => {
    this.why = (event.target as HTMLDetailsElement).open;
  };

  private async loadTerms(): Promise<void> {
    const { fen } = this.analysis.store.state.node;
    this.explained = fen;
    const info = await api.position(fen).catch(() => null);
    if (fen === this.explained) this.info = info;
  }

  private exchange(): TemplateResult {
    const { node, tree, error } = this.analysis.store.state;
    return html`<details class="fold">
      <summary>${t('analysis.exchange')}</summary>
      <div class="stack">
        <div class="field">
          <label for="analysis-fen">FEN</label>
          <div class="row sheet__row">
            <input id="analysis-fen" class="input" spellcheck="false" .value=${node.fen} @change=${(event: Event) => this.analysis.read((event.target as HTMLInputElement).value)} />
            <button class="button button--icon" type="button" aria-label=${t('share.copyFen')} @click=${() => copyText(node.fen)}>${icon('copy')}</button>
          </div>
        </div>
        <div class="field">
          <label for="analysis-pgn">PGN</label>
          <textarea id="analysis-pgn" class="input" spellcheck="false" .value=${tree.pgn()}></textarea>
        </div>
        ${error ? html`<p class="field__error" role="alert">${icon('alert', 'icon--small')}<span>${t('analysis.unreadable')} <span lang="en">${error}</span></span></p>` : ''}
        <div class="row">
          <button class="button" type="button" @click=${() => this.analysis.read(this.querySelector<HTMLTextAreaElement>('#analysis-pgn')!.value)}>${t('analysis.read')}</button>
          ${openFile((text) => this.analysis.read(text))}
          <button class="button" type="button" @click=${() => copyText(tree.pgn())}>${icon('copy')} ${t('share.copyPgn')}</button>
          <a class="button" href=${this.gameId ? `/review/${this.gameId}` : '/review'}>${icon('check')} ${t('review.title')}</a>
          <a class="button" href="/?fen=${encodeURIComponent(node.fen)}">${icon('play')} ${t('editor.play')}</a>
          <a class="button" href="/editor?fen=${encodeURIComponent(node.fen)}">${icon('eraser')} ${t('nav.editor')}</a>
        </div>
      </div>
    </details>`;
  }

  protected override updated(): void {
    // The terms follow the board.
    if (this.why && this.explained !== this.analysis.store.state.node.fen) void this.loadTerms();
    const box = this.querySelector<HTMLElement>('.analysis__tree');
    const move = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box || !move) return;
    const outer = box.getBoundingClientRect();
    const inner = move.getBoundingClientRect();
    if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollBy(0, inner.top - outer.top - outer.height / 2);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as HTMLElement).closest('input, textarea, select, .board-grid')) return;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.analysis.back(),
      ArrowRight: () => this.analysis.forward(),
      Home: () => this.analysis.first(),
      End: () => this.analysis.last(),
      f: () => (this.flipped = !this.flipped),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}
