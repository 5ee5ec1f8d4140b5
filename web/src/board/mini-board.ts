// SPDX-License-Identifier: GPL-3.0-or-later
// A small still picture of a position for cards and lists.
import { html, type TemplateResult } from 'lit';
import { readPlacement, squaresFrom } from './fen';

export function miniBoard(fen: string, orientation: 'white' | 'black' = 'white', lastMove = ''): TemplateResult {
  const placement = readPlacement(fen);
  const marked = [lastMove.slice(0, 2), lastMove.slice(2, 4)];
  return html`<div class="mini-board" aria-hidden="true">
    ${squaresFrom(orientation).map((square) => {
      const piece = placement.get(square);
      return html`<span
        class="mini-board__square ${marked.includes(square) ? 'mini-board__square--last' : ''} ${piece ? `pc pc--${piece}` : ''}"
      ></span>`;
    })}
  </div>`;
}
