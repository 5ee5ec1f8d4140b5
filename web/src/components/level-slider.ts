// SPDX-License-Identifier: GPL-3.0-or-later
// The strength of the computer: a number, four marks, and a sentence that says what the number means.
import { html, type TemplateResult } from 'lit';
import { t, type MessageKey } from '../i18n';
import { bandOf, levelMarks, maxElo, minElo } from '../state/new-game';

export function levelSlider(elo: number, onChange: (elo: number) => void): TemplateResult {
  const named = levelMarks.find((mark) => mark.elo === elo);
  const word = t(`level.band${bandOf(elo)}` as MessageKey);
  return html`<div class="level">
    <div class="row row--apart">
      <label class="legend level__legend" for="level">${t('home.level')}</label>
      <output class="level__value" for="level">${elo}${named ? html` · ${t(`level.${named.level}` as MessageKey)}` : ''}</output>
    </div>
    <input
      id="level"
      type="range"
      min=${minElo}
      max=${maxElo}
      step="50"
      .value=${String(elo)}
      aria-valuetext=${`${elo}: ${word}`}
      @input=${(event: Event) => onChange(Number((event.target as HTMLInputElement).value))}
    />
    <div class="level__marks">
      ${levelMarks.map(
        (mark) => html`<button
          type="button"
          class="level__mark"
          aria-pressed=${mark.elo === elo}
          @click=${() => onChange(mark.elo)}
        >
          ${t(`level.${mark.level}` as MessageKey)}
        </button>`,
      )}
    </div>
    <p class="level__word">${word}</p>
  </div>`;
}
