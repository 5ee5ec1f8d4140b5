// SPDX-License-Identifier: GPL-3.0-or-later
// A person's public page: results and games.
import { html, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { api, Problem, type GameList, type GameSummary, type Profile } from '../api/client';
import { problemText } from '../api/words';
import { setTitle } from '../app/title';
import { PageElement } from '../components/element';
import { gamesTable } from '../components/games-table';
import { strengthChart } from '../components/strength-chart';
import { formatDate, t } from '../i18n';
import { byLevel, course, gamesNeeded, measuringResults } from '../state/strength';

const pages = 5; // of a hundred games
const shownGames = 20;

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
      await this.loadGames();
    } catch (problem) {
      this.error = problem instanceof Problem ? (problem.status === 404 ? t('profile.unknown') : problemText(problem)) : t('problem.unknown');
    }
  }

  // The list shows twenty; the chart looks back further.
  private async loadGames(): Promise<void> {
    let after: string | null = null;
    for (let page = 0; page < pages; ++page) {
      const answer: GameList = await api.games({ player: this.name, limit: 100, ...(after ? { after } : {}) });
      this.games = [...this.games, ...answer.games];
      after = answer.next;
      if (!after) return;
    }
  }

  protected override render(): TemplateResult {
    if (this.error) return html`<div class="page"><div class="empty"><p role="alert">${this.error}</p><a class="button button--main" href="/">${t('error.home')}</a></div></div>`;
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
      ${this.strength(profile.username)}
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
      ${this.levels(profile.username)}
      <section class="card" aria-labelledby="profile-games">
        <div class="row row--apart">
          <h2 id="profile-games">${t('nav.games')}</h2>
          ${this.games.length > shownGames ? html`<a class="apart" href="/games?player=${encodeURIComponent(profile.username)}">${t('home.allGames')}</a>` : ''}
        </div>
        ${this.games.length ? gamesTable(this.games.slice(0, shownGames), t('nav.games')) : html`<div class="empty"><p>${t('profile.noGames')}</p><a class="button" href="/">${t('games.playOne')}</a></div>`}
      </section>
    </div>`;
  }

  private strength(name: string): TemplateResult {
    const results = measuringResults(this.games, name);
    const points = course(results);
    const last = points[points.length - 1];
    return html`<section class="card" aria-labelledby="strength">
      <div class="row row--apart">
        <h2 id="strength">${t('profile.strength')}</h2>
        <a class="small apart" href="/about#strength">${t('profile.method')}</a>
      </div>
      ${last
        ? html`<p><strong class="profile__elo">${Math.round(last.elo)}</strong> <span class="muted">± ${Math.round(last.margin)}</span></p>
            ${strengthChart(points, gamesNeeded)}`
        : html`<p class="muted">${t('profile.strengthLater', { n: gamesNeeded - results.length })}</p>`}
    </section>`;
  }

  private levels(name: string): TemplateResult {
    const rows = byLevel(this.games, name);
    if (!rows.length) return html``;
    const cell = ([won, drawn, lost]: readonly number[]): string => (won! + drawn! + lost! ? `${won} / ${drawn} / ${lost}` : '–');
    return html`<section class="card" aria-labelledby="by-level">
      <h2 id="by-level">${t('profile.byLevel')}</h2>
      <table class="plain-table">
        <thead><tr><th scope="col">${t('games.level')}</th><th scope="col">${t('color.white')}</th><th scope="col">${t('color.black')}</th></tr></thead>
        <tbody>${rows.map((row) => html`<tr><th scope="row">${row.from}–${row.to}</th><td>${cell(row.white)}</td><td>${cell(row.black)}</td></tr>`)}</tbody>
      </table>
      <p class="small muted">${t('profile.byLevelNote')}</p>
    </section>`;
  }
}
