// SPDX-License-Identifier: GPL-3.0-or-later
// Accuracy of both sides as rings, and how often each judgement was given.
import type { Judgement, Review, ReviewSide } from '@rokada/wasm';
import { html, svg, type TemplateResult } from 'lit';
import { language, t, type MessageKey } from '../i18n';
import { formatNumber } from '../i18n/format';

const shown: Judgement[] = ['great', 'best', 'good', 'book', 'inaccuracy', 'mistake', 'blunder'];

function ring(side: ReviewSide, name: string): TemplateResult {
  const around = 2 * Math.PI * 26;
  const share = (side.accuracy ?? 0) / 100;
  const text = side.accuracy === null ? '–' : formatNumber(language(), side.accuracy);
  const label = side.accuracy === null ? `${name}: ${t('review.tooFew')}` : t('review.accuracyOf', { name, value: text });
  return html`<div class="accuracy">
    <svg class="accuracy__ring" viewBox="0 0 64 64" role="img" aria-label=${label}>
      <circle class="accuracy__all" cx="32" cy="32" r="26"></circle>
      ${share ? svg`<circle class="accuracy__share" cx="32" cy="32" r="26" stroke-dasharray="${share * around} ${around}"></circle>` : ''}
      <text class="accuracy__text" x="32" y="37" text-anchor="middle">${text}</text>
    </svg>
    <span class="accuracy__name">${name}</span>
    ${side.accuracy === null ? html`<span class="muted small">${t('review.tooFew')}</span>` : ''}
  </div>`;
}

export function reviewSummary(review: Review, names: { white: string; black: string }): TemplateResult {
  const { white, black } = review;
  const row = (label: string, left: string | number, right: string | number, mark = ''): TemplateResult => html`<tr>
    <td>${left}</td>
    <th scope="row">${mark ? html`<span class="judge judge--${mark}" aria-hidden="true"></span>` : ''}${label}</th>
    <td>${right}</td>
  </tr>`;
  return html`<section class="review__summary" aria-label=${t('review.accuracy')}>
    ${ring(white, names.white)}
    <table class="review__counts">
      <caption class="visually-hidden">${t('review.accuracy')}</caption>
      <thead class="visually-hidden"><tr><th scope="col">${names.white}</th><th scope="col"><span class="visually-hidden">${t('review.judgement')}</span></th><th scope="col">${names.black}</th></tr></thead>
      <tbody>
        ${shown.filter((kind) => white.counts[kind] + black.counts[kind]).map((kind) => row(t(`judge.${kind}` as MessageKey), white.counts[kind], black.counts[kind], kind))}
        ${row(t('review.centipawns'), white.centipawnLoss, black.centipawnLoss)}
      </tbody>
    </table>
    ${ring(black, names.black)}
  </section>`;
}
