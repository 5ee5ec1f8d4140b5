// SPDX-License-Identifier: GPL-3.0-or-later
// One of a few: native radio buttons in a fieldset, drawn as a bar or as chips.
import { html, type TemplateResult } from 'lit';

export interface Option<Value extends string> {
  value: Value;
  face: unknown;
  title?: string; // tooltip and accessible name when the face is a picture
}

export function choice<Value extends string>(
  name: string,
  legend: string,
  options: readonly Option<Value>[],
  chosen: Value,
  onChoose: (value: Value) => void,
  { bar = false, hideLegend = false } = {},
): TemplateResult {
  return html`<fieldset class=${bar ? 'choice-bar' : ''}>
    <legend class=${hideLegend ? 'visually-hidden' : 'legend'}>${legend}</legend>
    <div class="choice ${bar ? 'choice--bar' : ''}">
      ${options.map(
        (option) => html`<label title=${option.title ?? ''}>
          <input
            type="radio"
            name=${name}
            value=${option.value}
            .checked=${option.value === chosen}
            @change=${() => onChoose(option.value)}
          />
          <span class="choice__face ${option.title ? 'choice__face--picture' : ''}">
            ${option.face}${option.title ? html`<span class="visually-hidden">${option.title}</span>` : ''}
          </span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}
