// SPDX-License-Identifier: GPL-3.0-or-later
// The estimated strength over a person's games: a line with the range in which it lies nineteen times of twenty.
import { html, svg, type TemplateResult } from 'lit';
import { t } from '../i18n';
import type { Estimate } from '../state/strength';

const width = 640;
const height = 220;
const left = 60;
const bottom = 30;

export function strengthChart(points: readonly Estimate[], firstGame: number): TemplateResult {
  const last = points[points.length - 1]!;
  const low = Math.floor(Math.min(...points.map(({ elo, margin }) => elo - margin)) / 100) * 100;
  const high = Math.ceil(Math.max(...points.map(({ elo, margin }) => elo + margin)) / 100) * 100;
  const x = (i: number): number => left + ((width - left - 8) * i) / Math.max(1, points.length - 1);
  const y = (elo: number): number => height - bottom - ((height - bottom - 12) * (elo - low)) / (high - low);
  const at = (value: (point: Estimate) => number) => (point: Estimate, i: number) => `${x(i).toFixed(1)},${y(value(point)).toFixed(1)}`;
  const upper = points.map(at(({ elo, margin }) => elo + margin));
  const lower = points.map(at(({ elo, margin }) => elo - margin)).reverse();
  const step = high - low > 1200 ? 400 : high - low > 600 ? 200 : 100;
  const marks = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step);
  const label = t('profile.strengthNow', { elo: Math.round(last.elo), margin: Math.round(last.margin) });
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
    ${marks.map((mark) => svg`<line class="chart__grid" x1=${left} x2=${width - 8} y1=${y(mark)} y2=${y(mark)}></line>
      <text class="chart__text" x=${left - 8} y=${y(mark)} text-anchor="end">${mark}</text>`)}
    ${points.length > 1
      ? svg`<polygon class="chart__band" points=${[...upper, ...lower].join(' ')}></polygon>
          <polyline class="chart__line" points=${points.map(at(({ elo }) => elo)).join(' ')}></polyline>`
      : svg`<line class="chart__line" x1=${x(0)} x2=${x(0)} y1=${y(last.elo - last.margin)} y2=${y(last.elo + last.margin)}></line>`}
    <circle class="chart__dot" cx=${x(points.length - 1)} cy=${y(last.elo)} r="4"></circle>
    <text class="chart__text" x=${left} y=${height - 12}>${t('profile.game', { number: firstGame })}</text>
    ${points.length > 1 ? svg`<text class="chart__text" x=${width - 8} y=${height - 12} text-anchor="end">${t('profile.game', { number: firstGame + points.length - 1 })}</text>` : ''}
  </svg>`;
}
