// SPDX-License-Identifier: GPL-3.0-or-later
// Home: start a game at once, continue one, see the latest ten of this server.
import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { api, type GameSummary } from '../api/client';
import { playerName } from '../api/words';
import { place } from '../app/router';
import { setTitle } from '../app/title';
import { miniBoard } from '../board/mini-board';
import { otherSide } from '../board/fen';
import { PageElement } from '../components/element';
import { gamesTable } from '../components/games-table';
import { footer } from '../components/footer';
import '../components/play-card';
import { t } from '../i18n';
import { localSummaries } from '../state/local-games';
import { session } from '../state/session';
import { Watch } from '../state/store';

@customElement('rk-home')
export class Home extends PageElement {
  private readonly session = new Watch(this, session);
  @state() private mine: GameSummary[] = [];
  @state() private latest: GameSummary[] | null = null;
  @state() private unreachable = false;

  override connectedCallback(): void {
    super.connectedCallback();
    setTitle('');
    void this.load();
  }

  private async load(): Promise<void> {
    this.mine = localSummaries().filter((game) => game.status === 'playing');
    try {
      const [mine, latest] = await Promise.all([
        api.games({ scope: 'mine', state: 'playing', limit: 6 }),
        api.games({ scope: 'latest', limit: 10 }),
      ]);
      this.mine = [...this.mine, ...mine.games].sort((a, b) => b.updated_at.localeCompare(a.updated_at)).slice(0, 6);
      this.latest = latest.games;
    } catch {
      this.unreachable = true;
      this.latest = [];
    }
  }

  protected override render(): TemplateResult {
    const me = this.session.state.me;
    const fen = place.state.query.get('fen') ?? '';
    return html`<div class="page home">
      <div class="home__intro">
        <h1>${t('home.title')}</h1>
        <p class="muted">${t('home.lead')}</p>
        ${me && me.kind !== 'user'
          ? html`<ul class="home__ways small muted" role="list">
              <li><a href="#start" @click=${this.toStart}>${t('home.playNow')}</a>: ${t('home.playNowWhy')}</li>
              <li><a href="/login">${t('nav.login')}</a>: ${t('home.loginWhy')}</li>
              ${me.server.registration === 'closed' ? '' : html`<li><a href="/register">${t('nav.register')}</a>: ${t('home.registerWhy')}</li>`}
            </ul>`
          : ''}
      </div>
      <rk-play-card .fen=${fen}></rk-play-card>
      <div class="home__side">${this.continueCard()} ${this.latestCard()}</div>
    </div>
    ${footer()}`;
  }

  private continueCard(): TemplateResult {
    if (!this.mine.length) return html``;
    return html`<section class="card" aria-labelledby="continue-title">
      <h2 id="continue-title">${t('home.continue')}</h2>
      <ul class="continue" role="list">
        ${this.mine.map((game) => {
          const seat = game.seat === 'black' ? 'black' : 'white';
          const mine = game.seat === 'both' || game.turn === game.seat;
          const opponent = game.seat === 'both' ? t('home.device') : playerName(game[otherSide(seat)]);
          return html`<li>
            <a class="continue__card" href="/game/${game.id}">
              ${miniBoard(game.fen, seat, game.last_move)}
              <span class="continue__name">${opponent}</span>
              <span class="small ${mine ? 'continue__mine' : 'muted'}">${t(mine ? 'home.yourMove' : 'home.theirMove')}</span>
            </a>
          </li>`;
        })}
      </ul>
    </section>`;
  }

  private latestCard(): TemplateResult {
    return html`<section class="card" aria-labelledby="latest-title">
      <div class="row row--apart">
        <h2 id="latest-title">${t('home.latest')}</h2>
        ${this.latest?.length ? html`<a class="apart" href="/games">${t('home.allGames')}</a>` : ''}
      </div>
      ${this.unreachable
        ? html`<p class="muted">${t('home.unreachable')}</p>`
        : this.latest === null
          ? html`<div class="home__loading" aria-busy="true"></div>`
          : this.latest.length
            ? gamesTable(this.latest, t('home.latest'))
            : html`<div class="empty"><p>${t('home.noGames')}</p><button class="button" type="button" @click=${this.toStart}>${t('games.playOne')}</button></div>`}
    </section>`;
  }

  private readonly toStart = (event: Event): void => {
    event.preventDefault();
    this.querySelector<HTMLElement>('.play button[type=submit]')?.focus();
  };
}
