// SPDX-License-Identifier: GPL-3.0-or-later
// A person's public page: results and games.
import { html, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { api, Problem, type GameSummary, type Profile } from '../api/client';
import { problemText } from '../api/words';
import { setTitle } from '../app/title';
import { PageElement } from '../components/element';
import { gamesTable } from '../components/games-table';
import { formatDate, t } from '../i18n';

@customElement('rk-profile')
export class ProfilePage extends PageElement {
  @property() name = '';
  @state() private profile: Profile | null = null;
  @state() private games: GameSummary[] = [];
  @state() private error = '';

  override connectedCallback(): void {
    super.connectedCallback();
    setTitle(this.name);
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      this.profile = await api.profile(this.name);
      this.games = (await api.games({ player: this.name, limit: 20 })).games;
    } catch (problem) {
      this.error = problem instanceof Problem ? (problem.status === 404 ? t('profile.unknown') : problemText(problem)) : t('problem.unknown');
    }
  }

  protected override render(): TemplateResult {
    if (this.error) return html`<div class="page"><div class="empty"><p role="alert">${this.error}</p><a class="button" href="/">${t('error.home')}</a></div></div>`;
    const { profile } = this;
    if (!profile) return html`<div class="page" aria-busy="true"><h1>${this.name}</h1></div>`;
    const { computer, people, page } = profile.statistics;
    const sum = (name: 'won' | 'drawn' | 'lost'): number => computer[name] + people[name] + page[name];
    return html`<div class="page">
      <div class="page__head">
        <div>
          <h1>${profile.username}</h1>
          <p class="muted">${t('profile.since', { date: formatDate(profile.created_at) })}</p>
        </div>
      </div>
      <dl class="scores">
        ${(['won', 'drawn', 'lost'] as const).map((name) => html`<div class="scores__one scores__one--${name}"><dt>${t(`profile.${name}`)}</dt><dd>${sum(name)}</dd></div>`)}
      </dl>
      <section class="card" aria-labelledby="by-opponent">
        <h2 id="by-opponent">${t('profile.byOpponent')}</h2>
        <table class="plain-table">
          <thead><tr><th scope="col">${t('home.opponent')}</th><th scope="col">${t('profile.won')}</th><th scope="col">${t('profile.drawn')}</th><th scope="col">${t('profile.lost')}</th></tr></thead>
          <tbody>
            ${([['home.computer', computer], ['profile.page', page], ['games.people', people]] as const).map(
              ([label, score]) => html`<tr><th scope="row">${t(label)}</th><td>${score.won}</td><td>${score.drawn}</td><td>${score.lost}</td></tr>`,
            )}
          </tbody>
        </table>
      </section>
      <section class="card" aria-labelledby="profile-games">
        <h2 id="profile-games">${t('nav.games')}</h2>
        ${this.games.length ? gamesTable(this.games, t('nav.games')) : html`<p class="muted">${t('profile.noGames')}</p>`}
      </section>
    </div>`;
  }
}
