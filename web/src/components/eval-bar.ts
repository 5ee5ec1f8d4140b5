// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-eval-bar>: who stands better, as a bar beside the board. The height is set through a custom property.
import { html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { scoreText, winPercent } from '../board/score';
import { t } from '../i18n';
import type { EngineScore } from '../wasm/engine-protocol';
import { PageElement } from './element';

@customElement('rk-eval-bar')
export class EvalBar extends PageElement {
  @property({ attribute: false }) score: EngineScore | null = null; // from White's side
  @property() orientation: 'white' | 'black' = 'white';
  @query('.eval-bar') private bar?: HTMLElement;

  protected override render(): TemplateResult {
    const text = this.score ? scoreText(this.score) : '';
    const better = this.score && winPercent(this.score) >= 50;
    return html`<div class="eval-bar eval-bar--${this.orientation}" role="img" aria-label=${t('analysis.evaluation', { score: text || '–' })}>
      <div class="eval-bar__white"></div>
      <span class="eval-bar__text ${better ? 'eval-bar__text--white' : 'eval-bar__text--black'}">${text.replace(/^[+−](?=\d)/, '').replace(/(\.\d)\d$/, '$1')}</span>
    </div>`;
  }

  protected override updated(_changed: PropertyValues<this>): void {
    this.bar?.style.setProperty('--white', `${this.score ? winPercent(this.score).toFixed(1) : 50}%`);
  }
}
