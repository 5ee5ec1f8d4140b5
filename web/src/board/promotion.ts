// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-promotion>: four pieces over the file of the promotion square; a click elsewhere takes the move back.
import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { PageElement } from '../components/element';
import { t } from '../i18n';
import { files, type PieceCode } from './fen';
import { pieceName } from './names';

const choices = ['q', 'n', 'r', 'b'] as const;

@customElement('rk-promotion')
export class Promotion extends PageElement {
  @property() square = '';
  @property() orientation: 'white' | 'black' = 'white';

  protected override render(): TemplateResult {
    const file = files.indexOf(this.square[0] ?? 'a');
    const column = this.orientation === 'white' ? file : 7 - file;
    const white = this.square[1] === '8';
    const top = white === (this.orientation === 'white');
    return html`
      <div class="promotion" @click=${() => this.choose('')} @keydown=${this.onKey}>
        <div
          class="promotion__list promotion__list--${column} ${top ? '' : 'promotion__list--bottom'}"
          role="group"
          aria-label=${t('board.promotion')}
        >
          ${choices.map((choice) => {
            const piece = `${white ? 'w' : 'b'}${choice.toUpperCase()}` as PieceCode;
            return html`<button
              class="promotion__piece"
              type="button"
              aria-label=${pieceName(piece)}
              title=${pieceName(piece)}
              @click=${(event: Event) => {
                event.stopPropagation();
                this.choose(choice);
              }}
            >
              <span class="pc pc--${piece}"></span>
            </button>`;
          })}
        </div>
      </div>
    `;
  }

  protected override firstUpdated(): void {
    this.querySelector('button')?.focus({ preventScroll: true });
  }

  private choose(choice: string): void {
    this.dispatchEvent(new CustomEvent('promotion-choice', { detail: choice, bubbles: true }));
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.choose('');
  };
}
