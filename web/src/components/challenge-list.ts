// SPDX-License-Identifier: GPL-3.0-or-later
// Open challenges at the lower edge of every page: who, which clock, accept or decline.
import { html, type TemplateResult } from 'lit';
import { api, Problem, type GameSummary } from '../api/client';
import { playerName, problemText } from '../api/words';
import { go } from '../app/router';
import { t } from '../i18n';
import { challenges } from '../state/challenges';
import { toast } from '../state/toasts';
import { icon } from './icon';

export function clockLabel(clock: GameSummary['clock']): string {
  if (!clock) return t('challenge.noClock');
  const time = ({ initial, increment }: { initial: number; increment?: number }): string => `${+(initial / 60).toFixed(1)}+${increment ?? 0}`;
  return clock.black ? t('clock.odds', { white: time(clock), black: time(clock.black) }) : time(clock);
}

async function answer(game: GameSummary, accept: boolean): Promise<void> {
  try {
    await (accept ? api.join(game.id) : api.decline(game.id));
    if (accept) go(`/game/${game.id}`);
  } catch (problem) {
    toast(problem instanceof Problem ? problemText(problem) : t('problem.unknown'));
  }
  challenges.set({ received: challenges.state.received.filter(({ id }) => id !== game.id) });
}

export function challengeList(received: readonly GameSummary[]): TemplateResult[] {
  return received.map((game) => {
    const maker = game.white.kind === 'open' ? game.black : game.white;
    return html`<div class="toast" role="group" aria-label=${t('challenge.title')}>
      <span>${t('challenge.from', { name: playerName(maker) })} <span class="muted">${clockLabel(game.clock)}${game.chess960 ? ', Chess960' : ''}</span></span>
      <button class="button" type="button" @click=${() => answer(game, false)}>${t('game.decline')}</button>
      <button class="button button--main" type="button" @click=${() => answer(game, true)}>${icon('check')} ${t('game.accept')}</button>
    </div>`;
  });
}
