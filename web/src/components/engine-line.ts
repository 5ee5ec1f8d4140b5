// SPDX-License-Identifier: GPL-3.0-or-later
// One line of the engine: the score from White's side and the moves; each move can be followed where a page wants that.
import { html, type TemplateResult } from 'lit';
import { writeMove } from '../board/notation';
import { scoreText, whiteScore } from '../board/score';
import { language } from '../i18n';
import { settings } from '../state/settings';
import type { EngineLine } from '../wasm/engine-protocol';

export function engineLine(line: EngineLine | undefined, turn: 'white' | 'black', onFollow?: (count: number) => void): TemplateResult {
  if (!line) return html`<li class="engine__line muted">…</li>`;
  const { notation, letters } = settings.state;
  const tongue = letters === 'english' ? 'en' : language();
  return html`<li class="engine__line">
    <span class="engine__score">${scoreText(whiteScore(line.score, turn))}</span>
    ${line.san.slice(0, 14).map((san, i) => {
      const text = writeMove(san, line.moves[i]!, notation, tongue);
      return onFollow
        ? html`<button type="button" class="engine__move" @click=${() => onFollow(i + 1)}>${text}</button>`
        : html`<span class="engine__move">${text}</span>`;
    })}
  </li>`;
}
