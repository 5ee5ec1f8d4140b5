// SPDX-License-Identifier: GPL-3.0-or-later
// Log in and register: the same form, errors at the field, input kept.
import { html, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { api, Problem } from '../api/client';
import { fieldText, problemText } from '../api/words';
import { go } from '../app/router';
import { setTitle } from '../app/title';
import { PageElement } from '../components/element';
import { field } from '../components/field';
import { t } from '../i18n';
import { session } from '../state/session';
import { Watch } from '../state/store';

type Field = 'username' | 'password' | 'code';

@customElement('rk-login')
export class LoginPage extends PageElement {
  @property({ type: Boolean }) registering = false;
  private readonly session = new Watch(this, session);
  @state() private errors: Partial<Record<Field, string>> = {};
  @state() private error = '';
  @state() private busy = false;
  @state() private needsCode = false;
  private readonly values: Record<Field, string> = { username: '', password: '', code: '' };

  protected override render(): TemplateResult {
    const title = t(this.registering ? 'nav.register' : 'nav.login');
    setTitle(title);
    const registration = this.session.state.me?.server.registration;
    if (this.registering && registration === 'closed')
      return html`<div class="page page--narrow"><h1>${title}</h1><p class="notice">${t('login.closed')}</p></div>`;
    const code = this.registering ? registration === 'code' : this.needsCode;
    return html`<div class="page page--narrow">
      <h1>${title}</h1>
      <form class="card" @submit=${this.submit} novalidate>
        ${this.field('username', t('login.username'), 'text', 'username', this.registering ? t('login.usernameHint') : '')}
        ${this.field('password', t('login.password'), 'password', this.registering ? 'new-password' : 'current-password', this.registering ? t('login.passwordHint') : '')}
        ${code ? this.field('code', t(this.registering ? 'login.invitation' : 'login.code'), 'text', 'one-time-code', '') : ''}
        ${this.error ? html`<p class="notice notice--bad" role="alert">${this.error}</p>` : ''}
        <button class="button button--main" type="submit" ?disabled=${this.busy}>${title}</button>
      </form>
      <p class="muted">
        ${this.registering
          ? html`${t('login.haveAccount')} <a href="/login">${t('nav.login')}</a>`
          : html`${t('login.noAccount')} <a href="/register">${t('nav.register')}</a>`}
      </p>
      ${this.registering ? '' : html`<p class="small"><a href="/recover">${t('recover.title')}</a></p>`}
      <p class="small muted">${t('login.guest')}</p>
    </div>`;
  }

  private field(name: Field, label: string, type: string, autocomplete: string, hint: string): TemplateResult {
    return field({
      id: name, label, type, autocomplete, hint,
      error: this.errors[name],
      value: this.values[name],
      onInput: (value) => (this.values[name] = value),
    });
  }

  private readonly submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.error = '';
    this.errors = {};
    try {
      const { username, password, code } = this.values;
      const me = await (this.registering ? api.register : api.login)(username.trim(), password, code.trim() || undefined);
      session.set({ me });
      go('/');
    } catch (problem) {
      if (problem instanceof Problem) this.show(problem);
      else this.error = t('problem.unknown');
    } finally {
      this.busy = false;
    }
  };

  private show(problem: Problem): void {
    for (const error of problem.errors) this.errors = { ...this.errors, [error.field]: fieldText(error) };
    if (problem.errors.some((error) => error.field === 'code')) this.needsCode = true;
    if (!problem.errors.length) this.error = problemText(problem);
    const first = problem.errors[0]?.field;
    if (first) void this.updateComplete.then(() => this.querySelector<HTMLInputElement>(`#${first}`)?.focus());
  }
}
