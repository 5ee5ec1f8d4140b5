// SPDX-License-Identifier: GPL-3.0-or-later
// A list of games: a quiet table, cards on a phone. The whole row opens the game.
import { html, type TemplateResult } from 'lit';
import type { GameSummary } from '../api/client';
import { playerLevel, playerName, reasonText, resultMark, resultText } from '../api/words';
import { formatRelative, t } from '../i18n';
import { icon } from './icon';

export function gamesTable(games: readonly GameSummary[], caption: string): TemplateResult {
  return html`<table class="games">
    <caption class="visually-hidden">${caption}</caption>
    <thead>
      <tr>
        <th scope="col">${t('games.players')}</th>
        <th scope="col">${t('games.result')}</th>
        <th scope="col">${t('games.level')}</th>
        <th scope="col">${t('games.date')}</th>
      </tr>
    </thead>
    <tbody>
      ${games.map(
        (game) => html`<tr>
          <td><a class="games__link" href="/game/${game.id}">${playerName(game.white)} – ${playerName(game.black)}</a></td>
          <td>
            <span class="games__result" title=${reasonText(game.reason)}>
              <span class="dot dot--${resultMark(game)}"></span>${resultText(game)}
            </span>
          </td>
          <td>${levelOf(game)}${game.assisted ? html` <span class="games__helped" title=${t('games.helped')}>${icon('hint', 'icon--small')}<span class="visually-hidden">${t('games.helped')}</span></span>` : ''}</td>
          <td><time datetime=${game.updated_at}>${formatRelative(game.updated_at)}</time></td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function levelOf(game: GameSummary): string {
  const computer = [game.white, game.black].find((player) => player.kind === 'computer');
  if (computer) return playerLevel(computer);
  return t(game.opponent === 'device' ? 'home.device' : 'games.people');
}
