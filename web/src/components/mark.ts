// SPDX-License-Identifier: GPL-3.0-or-later
// The mark: a rook and a king crossing, as in castling.
import { svg, html, type TemplateResult } from 'lit';

const rook = 'M4 13h5v4h4v-4h5v4h4v-4h5v8l-4 4v9l4 4v4H4v-4l4-4v-9l-4-4z';
const king = 'M31 4h4v4h3.5v4H35v4.2c7 .6 11 5.400 9 11.300l-4 7.500 3 3v4H23v-4l3-3-4-7.500c-2-5.900 2-10.700 9-11.300V12h-3.5V8H31z';

export function mark(): TemplateResult {
  return html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true">
    ${svg`<path d=${rook} fill="var(--accent)"/>
    <path d=${king} fill="var(--text)" stroke="var(--surface)" stroke-width="3" paint-order="stroke"/>`}
  </svg>`;
}
