// SPDX-License-Identifier: GPL-3.0-or-later
// Why the position is judged as it is: one row per term of the classical evaluation.
import { html, type TemplateResult } from 'lit';
import { t } from '../i18n';

interface Term {
  name: string;
  white: number;
  black: number;
}

export function termsTable(terms: readonly Term[], total: number): TemplateResult {
  const number = (value: number): string => (value / 100).toFixed(2).replace('-', '−');
  return html`<table class="plain-table terms">
    <thead><tr><th scope="col">${t('analysis.term')}</th><th scope="col">${t('color.white')}</th><th scope="col">${t('color.black')}</th><th scope="col">${t('analysis.difference')}</th></tr></thead>
    <tbody>
      ${terms.map((term) => html`<tr><th scope="row">${term.name}</th><td>${number(term.white)}</td><td>${number(term.black)}</td><td>${number(term.white - term.black)}</td></tr>`)}
      <tr><th scope="row">${t('analysis.total')}</th><td></td><td></td><td><strong>${number(total)}</strong></td></tr>
    </tbody>
  </table>`;
}
