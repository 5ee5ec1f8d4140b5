// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-moves>: the moves of a game; a click shows the position. Two columns on a wide screen, one strip on a phone.
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { writeMove } from '../board/notation';
import { language, t } from '../i18n';
import { settings } from '../state/settings';
import { Watch } from '../state/store';
import { PageElement } from './element';

@customElement('rk-moves')
export class Moves extends PageElement {
  @property({ attribute: false }) san: readonly string[] = [];
  @property({ attribute: false }) uci: readonly string[] = [];
  @property({ attribute: false }) marks: readonly string[] = []; // class names by ply, from a review
  @property({ type: Number }) current = 0;
  @property({ type: Number }) confirmed = Infinity; // plies the server has
  @property() initialFen = '';
  @property() result = '';
  private readonly settings = new Watch(this, settings);
  private resize: ResizeObserver | undefined;

  protected override render(): TemplateResult {
    const fields = this.initialFen.split(' ');
    const offset = fields[1] === 'b' ? 1 : 0;
    const first = Number(fields[5] ?? 1) || 1;
    const rows: TemplateResult[] = [];
    for (let at = -offset; at < this.san.length; at += 2) {
      rows.push(html`<li class="moves__row">
        <span class="moves__number">${first + (at + offset) / 2}.</span>
        ${at < 0 ? html`<span class="moves__gap">…</span>` : this.move(at)} ${this.san[at + 1] === undefined ? '' : this.move(at + 1)}
      </li>`);
    }
    return html`<div class="moves" tabindex="-1">
      ${rows.length ? html`<ol class="moves__list" role="list" aria-label=${t('game.moves')}>${rows}</ol>` : html`<p class="moves__empty muted">${t('game.noMoves')}</p>`}
      ${this.result ? html`<p class="moves__result">${this.result}</p>` : ''}
    </div>`;
  }

  private move(at: number): TemplateResult {
    const { notation, letters } = this.settings.state;
    const text = writeMove(this.san[at]!, this.uci[at] ?? '', notation, letters === 'english' ? 'en' : language());
    const ply = at + 1;
    return html`<button
      type="button"
      class="moves__move ${ply > this.confirmed ? 'moves__move--pending' : ''} ${this.marks[at] ? `moves__move--${this.marks[at]}` : ''}"
      aria-current=${ply === this.current ? 'true' : nothing}
      @click=${() => this.dispatchEvent(new CustomEvent('moves-show', { detail: ply }))}
    >
      ${text}
    </button>`;
  }

  // The engine's lines or a notice may take some of the list's room.
  protected override firstUpdated(): void {
    this.resize = new ResizeObserver(() => this.follow());
    this.resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resize?.disconnect();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('current') || changed.has('san')) this.follow();
  }

  private follow(): void {
    const box = this.querySelector<HTMLElement>('.moves');
    const move = this.querySelector<HTMLElement>('[aria-current]');
    if (!box) return;
    if (!move) {
      box.scrollTo(0, 0);
      return;
    }
    // Scrolls the list only, never the page.
    const outer = box.getBoundingClientRect();
    const inner = move.getBoundingClientRect();
    box.scrollBy(inner.left + inner.width / 2 - outer.left - outer.width / 2, inner.top + inner.height / 2 - outer.top - outer.height / 2);
  }
}
