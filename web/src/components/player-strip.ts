// SPDX-License-Identifier: GPL-3.0-or-later
// One player beside the board: name, strength, what was captured, the clock.
import { html, type TemplateResult } from 'lit';
import type { Clocks, Player, Side } from '../api/client';
import { playerLevel, playerName } from '../api/words';
import { material } from '../board/material';
import { t } from '../i18n';
import './clock';

export interface Strip {
  player: Player;
  side: Side;
  fen: string;
  initialFen: string;
  clocks: Clocks | null;
  receivedAt: number;
  toMove: boolean;
  away: boolean; // not connected
  thinking: boolean;
}

export function playerStrip(strip: Strip): TemplateResult {
  const { player, side, toMove } = strip;
  const { taken, balance } = material(strip.fen, strip.initialFen);
  const lead = side === 'white' ? balance : -balance;
  const level = playerLevel(player);
  const name = playerName(player);
  const enemy = side === 'white' ? 'b' : 'w';
  return html`<div class="strip ${toMove ? 'strip--turn' : ''}">
    <div class="strip__who">
      <span class="strip__side strip__side--${side}" title=${t(`color.${side}`)}></span>
      ${player.kind === 'user' ? html`<a class="strip__name" href="/user/${player.name}">${name}</a>` : html`<span class="strip__name">${name}</span>`}
      ${level ? html`<span class="strip__level muted">${level}</span>` : ''}
      ${strip.away ? html`<span class="strip__level muted">${t('game.away')}</span>` : ''}
      ${strip.thinking ? html`<span class="strip__thinking" title=${t('game.thinking')}></span>` : ''}
    </div>
    <div class="strip__taken" role="img" aria-label=${t('game.captured', { n: taken[side].length, side: t(`color.${side}`) })}>
      ${taken[side].map((letter, i) => html`<span class="pc pc--${enemy}${letter} ${taken[side][i - 1] === letter ? 'strip__same' : ''}"></span>`)}
      ${lead > 0 ? html`<span class="strip__lead">+${lead}</span>` : ''}
    </div>
    ${strip.clocks ? html`<rk-clock .clocks=${strip.clocks} .side=${side} .receivedAt=${strip.receivedAt} .warn=${player.me ?? false}></rk-clock>` : ''}
  </div>`;
}
