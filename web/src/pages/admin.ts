// SPDX-License-Identifier: GPL-3.0-or-later
// Administration: people, running games, switches and upkeep. Each part is an address of its own.
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { admin, type Action, type ServerSettings } from '../api/admin';
import { Problem, type GameSummary } from '../api/client';
import { problemText } from '../api/words';
import { setTitle } from '../app/title';
import '../components/admin-people';
import { choice } from '../components/choice';
import { PageElement } from '../components/element';
import { gamesTable } from '../components/games-table';
import { icon } from '../components/icon';
import { formatDate, t } from '../i18n';
import { session } from '../state/session';
import { Watch } from '../state/store';
import { toast } from '../state/toasts';

const parts = ['people', 'games', 'switches', 'upkeep'] as const;
type Part = (typeof parts)[number];

@customElement('rk-admin')
export class AdminPage extends PageElement {
  @property() section: Part = 'people';
  private readonly session = new Watch(this, session);
  @state() private settings: ServerSettings | null = null;
  @state() private games: GameSummary[] | null = null;
  @state() private log: Action[] = [];
  @state() private backup = '';
  @state() private problem: Problem | null = null;
  private loaded = false;

  protected override willUpdate(): void {
    setTitle(t('nav.admin'));
    if (this.loaded || !this.session.state.me?.admin) return;
    this.loaded = true;
    void this.load();
  }

  private async load(): Promise<void> {
    await this.attempt(async () => {
      if (this.section === 'switches') this.settings = await admin.settings();
      else if (this.section === 'games') this.games = await admin.games();
      else if (this.section === 'upkeep') this.log = await admin.log();
      else await admin.settings();
    });
  }

  private async attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.problem = null;
    } catch (problem) {
      this.problem = problem instanceof Problem ? problem : new Problem('unknown', 0);
    }
  }

  protected override render(): TemplateResult {
    const me = this.session.state.me;
    if (!me) return html`<div class="page" aria-busy="true"></div>`;
    if (!me.admin) return html`<div class="page page--narrow"><h1>${t('nav.admin')}</h1><div class="empty"><p role="alert">${t('problem.forbidden')}</p><a class="button button--main" href="/login">${t('nav.login')}</a></div></div>`;
    return html`<div class="page admin">
      <h1>${t('nav.admin')}</h1>
      <nav class="tabs" aria-label=${t('nav.admin')}>
        ${parts.map((part) => html`<a href="/admin/${part}" aria-current=${part === this.section ? 'page' : nothing}>${t(`admin.${part}`)}</a>`)}
      </nav>
      ${this.problem ? this.trouble(this.problem) : this.body()}
    </div>`;
  }

  private body(): TemplateResult {
    if (this.section === 'games') return this.running();
    if (this.section === 'switches') return this.switches();
    if (this.section === 'upkeep') return this.upkeep();
    return html`<rk-admin-people></rk-admin-people>`;
  }

  private trouble(problem: Problem): TemplateResult {
    if (problem.code === 'totp_required')
      return html`<div class="empty"><p role="alert">${t('admin.totp')}</p><a class="button button--main" href="/account">${t('nav.account')}</a></div>`;
    return html`<p class="notice notice--bad" role="alert">${problemText(problem)}</p>`;
  }

  private running(): TemplateResult {
    if (this.games === null) return html`<p class="muted" aria-busy="true">${t('games.loading')}</p>`;
    if (!this.games.length) return html`<div class="empty"><p>${t('admin.noGames')}</p><a class="button" href="/">${t('games.playOne')}</a></div>`;
    return html`<div class="card">${gamesTable(this.games, t('admin.games'))}</div>`;
  }

  private switches(): TemplateResult {
    const now = this.settings;
    if (!now) return html`<p class="muted" aria-busy="true">${t('games.loading')}</p>`;
    const toggle = (name: 'guests' | 'chat' | 'public_lists'): TemplateResult => html`<label class="switch">
      <span>${t(`admin.${name}`)}</span>
      <input type="checkbox" .checked=${now[name]} @change=${(event: Event) => this.change({ [name]: (event.target as HTMLInputElement).checked })} />
    </label>`;
    return html`<section class="card admin__switches">
      ${choice<ServerSettings['registration']>(
        'registration', t('admin.registration'),
        (['open', 'code', 'closed'] as const).map((value) => ({ value, face: t(`admin.registration.${value}`) })),
        now.registration, (registration) => (registration === 'code' && now.registration_code.length < 4 ? (this.settings = { ...now, registration }) : void this.change({ registration })),
      )}
      ${now.registration === 'code'
        ? html`<div class="field">
            <label for="registration-code">${t('login.invitation')}</label>
            <input id="registration-code" class="input" autocomplete="off" minlength="4" maxlength="64" .value=${now.registration_code}
              @change=${(event: Event) => this.change({ registration: 'code', registration_code: (event.target as HTMLInputElement).value.trim() })} />
            <p class="field__hint">${t('admin.codeHint')}</p>
          </div>`
        : ''}
      ${toggle('guests')} ${toggle('chat')} ${toggle('public_lists')}
    </section>`;
  }

  private change(patch: Partial<ServerSettings>): Promise<void> {
    return this.attempt(async () => {
      this.settings = await admin.change(patch);
      toast(t('admin.saved'));
    });
  }

  private upkeep(): TemplateResult {
    const version = this.session.state.me?.server.version ?? '';
    return html`<section class="card">
        <h2>${t('admin.backup')}</h2>
        <p class="muted">${t('admin.backupText')}</p>
        <div><button class="button" type="button" @click=${this.makeBackup}>${icon('download')} ${t('admin.backupNow')}</button></div>
        ${this.backup ? html`<p role="status">${t('admin.backupMade')} <code>${this.backup}</code></p>` : ''}
        <p class="small muted">${t('about.version', { version })}</p>
      </section>
      <section class="card">
        <h2>${t('admin.log')}</h2>
        ${this.log.length
          ? html`<ul class="rows" role="list">${this.log.map((one) => html`<li class="row row--apart">
              <span><strong>${one.who}</strong> ${one.action} <span class="muted">${one.detail}</span></span>
              <time class="small muted" datetime=${one.at}>${formatDate(one.at, true)}</time>
            </li>`)}</ul>`
          : html`<p class="muted">${t('admin.noLog')}</p>`}
      </section>`;
  }

  private readonly makeBackup = (): Promise<void> =>
    this.attempt(async () => {
      this.backup = await admin.backup();
      this.log = await admin.log();
    });
}
