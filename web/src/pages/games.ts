// SPDX-License-Identifier: GPL-3.0-or-later
// Games of this server, of one of its users, or mine: newest first, page by page, filtered by state.
import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { api, Problem, type GameSummary } from '../api/client';
import { problemText } from '../api/words';
import { go, place } from '../app/router';
import { setTitle } from '../app/title';
import { choice } from '../components/choice';
import { PageElement } from '../components/element';
import { icon } from '../components/icon';
import { gamesTable } from '../components/games-table';
import { t } from '../i18n';
import { localSummaries } from '../state/local-games';
import { Watch } from '../state/store';

type Scope = 'latest' | 'mine' | 'device';
type State = 'any' | 'playing' | 'finished';

@customElement('rk-games')
export class GamesPage extends PageElement {
  private readonly place = new Watch(this, place);
  @state() private games: GameSummary[] | null = null;
  @state() private next: string | null = null;
  @state() private error = '';
  private shown = '';

  private get scope(): Scope {
    const { query } = this.place.state;
    return query.has('mine') ? 'mine' : query.has('device') ? 'device' : 'latest';
  }

  private get state_(): State {
    const value = this.place.state.query.get('state');
    return value === 'playing' || value === 'finished' ? value : 'any';
  }

  private get player(): string {
    return this.scope === 'latest' ? (this.place.state.query.get('player') ?? '') : '';
  }

  protected override willUpdate(): void {
    setTitle(t('nav.games'));
    const wanted = `${this.scope} ${this.state_} ${this.player}`;
    if (wanted === this.shown) return;
    this.shown = wanted;
    this.games = null;
    this.next = null;
    void this.load();
  }

  private async load(): Promise<void> {
    const { scope, state_: state, player, shown } = this;
    this.error = '';
    if (scope === 'device') {
      const over = (game: GameSummary): boolean => game.status === 'finished' || game.status === 'aborted';
      this.games = localSummaries().filter((game) => state === 'any' || over(game) === (state === 'finished'));
      return;
    }
    try {
      const page = await api.games({ scope, state, player, limit: 30, ...(this.next ? { after: this.next } : {}) });
      if (shown !== this.shown) return;
      this.games = [...(this.games ?? []), ...page.games];
      this.next = page.next;
    } catch (problem) {
      this.games ??= [];
      if (problem instanceof Problem) this.error = problemText(problem);
    }
  }

  private open(scope: Scope, state: State, player = this.player): void {
    const of = scope === 'latest' && player ? `player=${encodeURIComponent(player)}` : '';
    const query = [scope === 'latest' ? '' : scope, state === 'any' ? '' : `state=${state}`, of].filter(Boolean).join('&');
    go(`/games${query ? `?${query}` : ''}`, { replace: true });
  }

  protected override render(): TemplateResult {
    return html`<div class="page">
      <h1>${t('nav.games')}</h1>
      <div class="row row--apart">
        ${choice<Scope>(
          'scope', t('games.whose'),
          [
            { value: 'latest', face: t('games.server') },
            { value: 'mine', face: t('games.mine') },
            { value: 'device', face: t('games.device') },
          ],
          this.scope, (scope) => this.open(scope, this.state_), { hideLegend: true, bar: true },
        )}
        ${choice<State>(
          'state', t('games.state'),
          [
            { value: 'any', face: t('games.any') },
            { value: 'playing', face: t('result.playing') },
            { value: 'finished', face: t('games.finished') },
          ],
          this.state_, (state) => this.open(this.scope, state), { hideLegend: true, bar: true },
        )}
      </div>
      ${this.scope === 'latest'
        ? html`<form class="row games-of" role="search" @submit=${this.find}>
            <input class="input" type="search" name="player" maxlength="24" autocomplete="off" autocapitalize="none" spellcheck="false"
              aria-label=${t('games.player')} placeholder=${t('games.player')} .value=${this.player} @change=${this.find} />
            <button class="button button--icon" type="submit" aria-label=${t('games.find')} title=${t('games.find')}>${icon('search')}</button>
          </form>`
        : ''}
      ${this.error ? html`<p class="notice notice--bad" role="alert">${this.error}</p>` : ''}
      ${this.games === null ? html`<p class="muted" aria-busy="true">${t('games.loading')}</p>` : this.games.length ? html`<div class="card">${gamesTable(this.games, t('nav.games'))}</div>` : this.error ? '' : this.empty()}
      ${this.next ? html`<button class="button" type="button" @click=${() => void this.load()}>${t('games.more')}</button>` : ''}
    </div>`;
  }

  private readonly find = (event: Event): void => {
    event.preventDefault();
    this.open('latest', this.state_, this.querySelector<HTMLInputElement>('.games-of input')!.value.trim());
  };

  private empty(): TemplateResult {
    if (this.player) return html`<div class="empty"><p>${t('games.emptyOf', { name: this.player })}</p><a class="button" href="/games">${t('home.allGames')}</a></div>`;
    return html`<div class="empty"><p>${t('games.empty')}</p><a class="button button--main" href="/">${t('games.playOne')}</a></div>`;
  }
}
