// SPDX-License-Identifier: GPL-3.0-or-later
// Why the position is judged as it is: the classical evaluation by groups of terms, the widest difference first, and every single
// term below. Their names are the engine's own and stay English.
import { html, type TemplateResult } from 'lit';
import { t, type MessageKey } from '../i18n';

interface Term {
  name: string; // 'group: name'
  white: number;
  black: number;
}

const number = (value: number): string => (value / 100).toFixed(2).replace('-', '−');

function groupsOf(terms: readonly Term[]): Term[] {
  const groups = new Map<string, Term>();
  for (const { name, white, black } of terms) {
    const key = name.split(':')[0]!;
    const group = groups.get(key) ?? { name: t(`term.${key}` as MessageKey), white: 0, black: 0 };
    groups.set(key, { name: group.name, white: group.white + white, black: group.black + black });
  }
  const width = ({ white, black }: Term): number => Math.abs(white - black);
  return [...groups.values()].sort((one, other) => width(other) - width(one));
}

const row = (term: Term): TemplateResult =>
  html`<tr><th scope="row">${term.name}</th><td>${number(term.white)}</td><td>${number(term.black)}</td><td>${number(term.white - term.black)}</td></tr>`;

const head = (): TemplateResult =>
  html`<thead><tr><th scope="col">${t('analysis.term')}</th><th scope="col">${t('color.white')}</th><th scope="col">${t('color.black')}</th><th scope="col">${t('analysis.difference')}</th></tr></thead>`;

export function termsTable(terms: readonly Term[], total: number): TemplateResult {
  return html`<table class="plain-table terms">
      ${head()}
      <tbody>
        ${groupsOf(terms).map(row)}
        <tr><th scope="row">${t('analysis.total')}</th><td></td><td></td><td><strong>${number(total)}</strong></td></tr>
      </tbody>
    </table>
    <details class="terms__all">
      <summary>${t('analysis.allTerms')}</summary>
      <table class="plain-table terms">${head()}<tbody lang="en">${terms.map(row)}</tbody></table>
    </details>`;
}
