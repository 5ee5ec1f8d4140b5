// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-eval-graph>: the course of a game as White's winning chances, move by move; a click goes there.
import { html, svg, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { scoreText, winPercent } from '../board/score';
import { t } from '../i18n';
import type { EngineScore } from '../wasm/engine-protocol';
import { PageElement } from './element';

export interface GraphPoint {
  label: string; // the move
  score: EngineScore | undefined; // from White's side; undefined where nothing is known yet
  mark?: string; // class of a dot: mistake, blunder
}

@customElement('rk-eval-graph')
export class EvalGraph extends PageElement {
  @property({ attribute: false }) points: readonly GraphPoint[] = [];
  @property({ type: Number }) current = 0;

  protected override render(): TemplateResult {
    const width = 600;
    const height = 120;
    const last = Math.max(1, this.points.length - 1);
    const x = (index: number): number => (index / last) * width;
    const y = (score: EngineScore): number => height - (winPercent(score) / 100) * height;
    const known = this.points.flatMap(({ score }, index) => (score ? [{ index, score }] : []));
    const line = known.map(({ index, score }) => `${x(index).toFixed(1)},${y(score).toFixed(1)}`).join(' L');
    const [first] = known;
    const end = known[known.length - 1];
    const here = this.points[this.current];
    const said = here?.score ? `${here.label} ${scoreText(here.score)}` : '';
    return html`<svg class="graph" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${t('analysis.graph', { here: said || '–' })} @click=${this.onClick}>
      <rect class="graph__black" width=${width} height=${height}></rect>
      ${first && end ? svg`<path class="graph__white" d="M${x(first.index).toFixed(1)},${height} L${line} L${x(end.index).toFixed(1)},${height} Z"></path>` : ''}
      <line class="graph__middle" x1="0" x2=${width} y1=${height / 2} y2=${height / 2}></line>
      ${this.points.map(({ mark, score }, index) => (mark && score ? svg`<path class="graph__dot graph__dot--${mark}" d="M${x(index).toFixed(1)},${Math.min(height - 7, Math.max(7, y(score))).toFixed(1)} h0.01"></path>` : ''))}
      <line class="graph__here" x1=${x(this.current)} x2=${x(this.current)} y1="0" y2=${height}></line>
    </svg>`;
  }

  private readonly onClick = (event: MouseEvent): void => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    this.dispatchEvent(new CustomEvent('graph-show', { detail: Math.round(share * (this.points.length - 1)) }));
  };
}
