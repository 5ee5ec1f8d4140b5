// SPDX-License-Identifier: GPL-3.0-or-later
// A game that waits for its second player: the link to send, or the button to sit down.
import { html, type TemplateResult } from 'lit';
import { t } from '../i18n';
import { session } from '../state/session';
import type { GameController } from '../state/game-controller';
import type { Game } from '../api/client';
import { playerName } from '../api/words';
import { clockLabel } from './challenge-list';
import { copyText } from './copy';
import { icon } from './icon';
import './armed-button';

export function invitation(controller: GameController, game: Game): TemplateResult {
  const { invited } = game;
  if (invited) return challenge(controller, game, invited);
  if (!game.seat)
    return html`<div class="invitation card">
      <h2>${t('invite.title')}</h2>
      <p>${t('invite.text', { name: playerName(game.white.kind === 'open' ? game.black : game.white) })}</p>
      <p class="small muted">${[t(game.white.kind === 'open' ? 'invite.asWhite' : 'invite.asBlack'), clockLabel(game.clock), ...(game.chess960 ? ['Chess960'] : [])].join(' · ')}</p>
      <button class="button button--main button--large" type="button" @click=${() => controller.session.join()}>${icon('play')} ${t('invite.join')}</button>
    </div>`;
  const server = session.state.me?.server;
  const address = `${server?.address || location.origin}/game/${game.id}`;
  return html`<div class="invitation card">
    <h2>${t('invite.send')}</h2>
    <div class="row invitation__link">
      <input class="input" readonly aria-label=${t('invite.link')} .value=${address} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} />
      <button class="button" type="button" @click=${() => copyText(address)}>${icon('copy')} ${t('share.copy')}</button>
    </div>
    <p class="small muted">${t(server?.reachable === false ? 'invite.loopback' : 'invite.hint')}</p>
    <rk-armed-button .label=${t('invite.cancel')} .sure=${t('invite.cancelSure')} .icon=${'close'} @armed-action=${() => controller.session.abort()}></rk-armed-button>
  </div>`;
}

// A seat kept for one user: that user answers, the maker waits, others look on.
function challenge(controller: GameController, game: Game, invited: NonNullable<Game['invited']>): TemplateResult {
  const maker = game.white.kind === 'open' ? game.black : game.white;
  if (invited.me)
    return html`<div class="invitation card">
      <h2>${t('challenge.from', { name: playerName(maker) })}</h2>
      <div class="offer">
        <button class="button" type="button" @click=${() => controller.session.decline()}>${icon('close')} ${t('game.decline')}</button>
        <button class="button button--main" type="button" @click=${() => controller.session.join()}>${icon('check')} ${t('game.accept')}</button>
      </div>
    </div>`;
  return html`<div class="invitation card">
    <h2>${t('challenge.waiting', { name: invited.name })}</h2>
    ${game.seat
      ? html`<p class="small muted">${t('challenge.hint')}</p>
          <rk-armed-button .label=${t('challenge.cancel')} .sure=${t('invite.cancelSure')} .icon=${'close'} @armed-action=${() => controller.session.abort()}></rk-armed-button>`
      : ''}
  </div>`;
}
