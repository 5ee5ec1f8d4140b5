// SPDX-License-Identifier: GPL-3.0-or-later
// One input with its label and, under it, a hint or what is wrong.
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icon';

export interface FieldOptions {
  id: string;
  label: string;
  type?: string;
  autocomplete?: string;
  hint?: string;
  error?: string | undefined;
  value?: string;
  onInput?: (value: string) => void;
}

export function field({ id, label, type = 'text', autocomplete = 'off', hint = '', error, value, onInput }: FieldOptions): TemplateResult {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input
      id=${id} name=${id} class="input" type=${type} autocomplete=${autocomplete as AutoFill} autocapitalize="none" spellcheck="false"
      .value=${value ?? nothing}
      aria-invalid=${error ? 'true' : nothing}
      aria-describedby=${error || hint ? `${id}-note` : nothing}
      @input=${(event: Event) => onInput?.((event.target as HTMLInputElement).value)}
    />
    ${error
      ? html`<p class="field__error" id="${id}-note" role="alert">${icon('alert', 'icon--small')}<span>${error}</span></p>`
      : hint
        ? html`<p class="field__hint" id="${id}-note">${hint}</p>`
        : ''}
  </div>`;
}
