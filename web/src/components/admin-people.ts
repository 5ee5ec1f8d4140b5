// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-admin-people>: everybody with an account; add many at once and print their login slips; reset, disable, promote.
import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { admin, type AddedUsers, type LoginSlip, type Person } from '../api/admin';
import { Problem } from '../api/client';
import { fieldText, problemText } from '../api/words';
import { formatDate, t } from '../i18n';
import { session } from '../state/session';
import './armed-button';
import { PageElement } from './element';
import { icon } from './icon';

@customElement('rk-admin-people')
export class AdminPeople extends PageElement {
  @state() private people: Person[] | null = null;
  @state() private count = 0;
  @state() private next: string | null = null;
  @state() private filter = '';
  @state() private slips: LoginSlip[] = [];
  @state() private errors: AddedUsers['errors'] = [];
  @state() private error = '';

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(after = ''): Promise<void> {
    await this.attempt(async () => {
      const page = await admin.people(after);
      this.people = after ? [...(this.people ?? []), ...page.users] : page.users;
      this.count = page.count;
      this.next = page.next;
    });
  }

  private async attempt(act: () => Promise<void>): Promise<void> {
    this.error = '';
    try {
      await act();
    } catch (problem) {
      this.error = problem instanceof Problem ? problemText(problem) : t('problem.unknown');
    }
  }

  protected override render(): TemplateResult {
    return html`<div class="stack">
      ${this.error ? html`<p class="notice notice--bad" role="alert">${this.error}</p>` : ''} ${this.slipList()}
      <div class="admin__grid">${this.list()} ${this.form()}</div>
    </div>`;
  }

  private slipList(): TemplateResult {
    if (!this.slips.length && !this.errors.length) return html``;
    const address = session.state.me?.server.address || location.origin;
    return html`<section class="card">
      <div class="row row--apart slips__head">
        <h2>${t('admin.slips')}</h2>
        <span class="row">
          <button class="button" type="button" @click=${this.print}>${icon('print')} ${t('share.print')}</button>
          <button class="button button--quiet" type="button" @click=${() => ((this.slips = []), (this.errors = []))}>${t('share.close')}</button>
        </span>
      </div>
      <p class="small muted slips__head">${t('admin.slipsText')}</p>
      ${this.errors.map((one) => html`<p class="field__error slips__head">${icon('alert', 'icon--small')}<span>${one.username}: ${fieldText({ field: 'username', code: one.code, message: one.message })}</span></p>`)}
      <ul class="slips" role="list">
        ${this.slips.map((slip) => html`<li>
          <span class="small muted">${address}</span>
          <strong>${slip.username}</strong>
          <code>${slip.password}</code>
        </li>`)}
      </ul>
    </section>`;
  }

  private form(): TemplateResult {
    return html`<form class="card" @submit=${this.add}>
      <h2>${t('admin.add')}</h2>
      <div class="field">
        <label for="new-people">${t('admin.names')}</label>
        <textarea id="new-people" class="input" rows="6" spellcheck="false" aria-describedby="new-people-note"></textarea>
        <p class="field__hint" id="new-people-note">${t('admin.namesHint')}</p>
      </div>
      <div><button class="button button--main" type="submit">${icon('register')} ${t('admin.addNow')}</button></div>
    </form>`;
  }

  private list(): TemplateResult {
    if (!this.people) return html`<p class="muted" aria-busy="true">${t('games.loading')}</p>`;
    const wanted = this.filter.toLowerCase();
    const shown = this.people.filter(({ username }) => username.toLowerCase().includes(wanted));
    return html`<section class="card">
      <div class="row row--apart">
        <h2>${t('admin.count', { n: this.count })}</h2>
        <input class="input admin__filter" type="search" aria-label=${t('admin.filter')} placeholder=${t('admin.filter')} .value=${this.filter} @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)} />
      </div>
      <ul class="rows" role="list">${shown.map((person) => this.person(person))}</ul>
      ${this.next ? html`<button class="button" type="button" @click=${() => void this.load(this.next!)}>${t('games.more')}</button>` : ''}
    </section>`;
  }

  private person(person: Person): TemplateResult {
    const { username, disabled } = person;
    const me = session.state.me?.username === username;
    const change = (patch: Parameters<typeof admin.changePerson>[1]) => async (): Promise<void> => {
      await this.attempt(() => admin.changePerson(username, patch));
      await this.load();
    };
    return html`<li class="row row--apart ${disabled ? 'person--disabled' : ''}">
      <span>
        <a class="person__name" href="/user/${encodeURIComponent(username)}">${username}</a>
        <span class="person__tags">
          ${person.admin ? html`<span>${t('admin.isAdmin')}</span>` : ''} ${person.bot ? html`<span>${t('admin.isBot')}</span>` : ''}
          ${disabled ? html`<span>${t('admin.isDisabled')}</span>` : ''}
        </span><br />
        <span class="small muted">${formatDate(person.created_at)}</span>
      </span>
      ${me
        ? html`<span class="small muted">${t('player.you')}</span>`
        : html`<span class="person__acts">
            <rk-armed-button class="rows__action" .label=${t('admin.reset')} .sure=${t('account.sure')} .icon=${'refresh'} @armed-action=${() => this.reset(username)}></rk-armed-button>
            <rk-armed-button class="rows__action" .label=${t(person.admin ? 'admin.noAdmin' : 'admin.makeAdmin')} .sure=${t('account.sure')} .icon=${'shield'} @armed-action=${change({ admin: !person.admin })}></rk-armed-button>
            <rk-armed-button class="rows__action" .label=${t(disabled ? 'admin.enable' : 'admin.disable')} .sure=${t('account.sure')} .icon=${disabled ? 'check' : 'close'} @armed-action=${change({ disabled: !disabled })}></rk-armed-button>
          </span>`}
    </li>`;
  }

  private async reset(username: string): Promise<void> {
    await this.attempt(async () => {
      this.errors = [];
      this.slips = [await admin.resetPassword(username)];
    });
    scrollTo(0, 0);
  }

  private readonly add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const area = this.querySelector<HTMLTextAreaElement>('#new-people')!;
    const names = area.value.split(/[\s,;]+/).filter(Boolean).slice(0, 100);
    if (!names.length) return;
    await this.attempt(async () => {
      const added = await admin.add(names);
      this.slips = added.slips;
      this.errors = added.errors;
      area.value = '';
    });
    await this.load();
  };

  private readonly print = (): void => {
    const root = document.documentElement;
    root.classList.add('printing-slips');
    addEventListener('afterprint', () => root.classList.remove('printing-slips'), { once: true });
    print();
  };
}
