// SPDX-License-Identifier: GPL-3.0-or-later
// The buttons of a game. Dangerous ones arm first; answers to an offer have a row of their own,
// so that no button appears where another one was a moment ago.
import { html, type TemplateResult } from 'lit';
import type { Game } from '../api/client';
import { t } from '../i18n';
import type { GameController } from '../state/game-controller';
import { icon, type IconName } from './icon';
import './armed-button';

function action(name: IconName, label: string, onPress: () => void, disabled = false): TemplateResult {
  return html`<button class="button action" type="button" title=${label} ?disabled=${disabled} @click=${onPress}>
    ${icon(name)}<span class="action__label">${label}</span>
  </button>`;
}

export function gameActions(controller: GameController, game: Game, onHint: () => void, onMore: () => void): TemplateResult {
  const { session } = controller;
  const over = game.status === 'finished' || game.status === 'aborted';
  const plays = game.seat !== null;
  const early = game.moves.length < 2;
  const more = action('share', t('game.more'), onMore);
  if (over || !plays) {
    return html`<div class="actions">
      ${!plays
        ? ''
        : game.rematch
          ? html`<a class="button action" href="/game/${game.rematch}" title=${t('game.toRematch')}>${icon('rematch')}<span class="action__label">${t('game.toRematch')}</span></a>`
          : action('rematch', t('game.rematch'), () => session.rematch('offer'), game.status === 'aborted' && !session.local)}
      <a class="button action" href="/review/${game.id}" title=${t('review.title')}>${icon('check')}<span class="action__label">${t('nav.review')}</span></a>
      <a class="button action" href="/analysis/${game.id}" title=${t('game.analyse')}>${icon('search')}<span class="action__label">${t('game.analyse')}</span></a>
      <a class="button action" href="/" title=${t('game.new')}>${icon('plus')}<span class="action__label">${t('game.new')}</span></a>
      ${more}
    </div>`;
  }
  const assisted = game.opponent !== 'person';
  return html`<div class="actions">
    ${action('undo', t('game.takeback'), () => session.takeback('offer'), !game.moves.length || game.offers.takeback === game.seat)}
    ${assisted ? action('hint', t('game.hint'), onHint, !controller.myTurn || !controller.present) : ''}
    ${game.can_claim_draw
      ? html`<rk-armed-button .label=${t('game.claimDraw')} .sure=${t('account.sure')} .icon=${'draw'} @armed-action=${() => session.draw('claim')}></rk-armed-button>`
      : game.seat === 'both'
        ? html`<rk-armed-button .label=${t('game.draw')} .sure=${t('game.drawSure')} .icon=${'draw'} @armed-action=${() => session.draw('offer')}></rk-armed-button>`
        : action('draw', t('game.draw'), () => session.draw('offer'), early || game.offers.draw === game.seat)}
    ${early && game.opponent === 'person'
      ? html`<rk-armed-button .label=${t('game.abort')} .sure=${t('game.abortSure')} .icon=${'close'} @armed-action=${() => session.abort()}></rk-armed-button>`
      : html`<rk-armed-button .label=${t('game.resign')} .sure=${t('game.resignSure')} .icon=${'resign'} @armed-action=${() => session.resign()}></rk-armed-button>`}
    ${more}
  </div>`;
}

export function offerAnswers(controller: GameController, game: Game): TemplateResult {
  const { session } = controller;
  if (game.seat !== 'white' && game.seat !== 'black') return html``;
  const { draw, takeback, rematch } = game.offers;
  const answer = (accept: () => void, decline: () => void): TemplateResult => html`<div class="offer">
    <button class="button" type="button" @click=${decline}>${icon('close')} ${t('game.decline')}</button>
    <button class="button button--main" type="button" @click=${accept}>${icon('check')} ${t('game.accept')}</button>
  </div>`;
  if (draw && draw !== game.seat) return answer(() => session.draw('accept'), () => session.draw('decline'));
  if (takeback && takeback !== game.seat) return answer(() => session.takeback('accept'), () => session.takeback('decline'));
  if (rematch && rematch !== game.seat) return answer(() => session.rematch('accept'), () => session.rematch('decline'));
  return html``;
}
