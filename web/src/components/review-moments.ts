// SPDX-License-Identifier: GPL-3.0-or-later
// The moments that decided a game, as cards: a small board, the sentence, another try.
import type { Review } from '@rokada/wasm';
import { html, type TemplateResult } from 'lit';
import { turnOf } from '../board/fen';
import { miniBoard } from '../board/mini-board';
import { t, type MessageKey } from '../i18n';
import { icon } from './icon';
import { moveText, reasonLabel, reasonText } from './review-words';

const most = 5;

export function moveNumber(fen: string): string {
  return `${fen.split(' ')[5] ?? '1'}${turnOf(fen) === 'white' ? '.' : '…'}`;
}

// The largest losses, in the order of the game.
export function keyMoments(review: Review): number[] {
  const largest = [...review.keyMoments].sort((a, b) => review.moves[b]!.loss - review.moves[a]!.loss).slice(0, most);
  return largest.sort((a, b) => a - b);
}

export function reviewMoments(
  review: Review, fens: readonly string[], orientation: 'white' | 'black', onShow: (ply: number) => void, onRetry: (ply: number) => void,
): TemplateResult {
  const moments = keyMoments(review);
  if (!moments.length) return html`<p class="review__calm muted">${t('review.noMistakes')}</p>`;
  return html`<section class="moments" aria-labelledby="moments-title">
    <h2 id="moments-title" class="moments__title">${t('review.moments')}</h2>
    <ol class="moments__list" role="list">
      ${moments.map((ply) => {
        const move = review.moves[ply]!;
        const [reason] = move.reasons;
        return html`<li class="moment">
          <div class="moment__board">${miniBoard(fens[ply + 1]!, orientation, move.uci)}</div>
          <div class="moment__text">
            <p><button class="moment__move" type="button" @click=${() => onShow(ply + 1)}>${moveNumber(fens[ply]!)} ${moveText(move)}</button>
              <span class="judge judge--${move.judgement}" aria-hidden="true"></span> ${t(`judge.${move.judgement}` as MessageKey)}</p>
            ${reason ? html`<p class="small"><span class="muted">${reasonLabel(reason, move)}</span> ${reasonText(reason)}</p>` : html`<p class="small muted">${t('review.bestWas', { move: moveText(move.better[0]!) })}</p>`}
            <button class="button button--quiet moment__retry" type="button" @click=${() => onRetry(ply)}>${icon('rematch')} ${t('review.tryAgain')}</button>
          </div>
        </li>`;
      })}
    </ol>
  </section>`;
}
