// SPDX-License-Identifier: GPL-3.0-or-later
// The first administrator: opened by the link the server prints at its first start. The code stands behind the #, so no
// proxy or log sees it.
import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { admin } from '../api/admin';
import { go } from '../app/router';
import { setTitle } from '../app/title';
import '../components/account-form';
import { PageElement } from '../components/element';
import { t } from '../i18n';
import { session } from '../state/session';

@customElement('rk-setup')
export class SetupPage extends PageElement {
  private readonly code = location.hash.slice(1);

  protected override render(): TemplateResult {
    setTitle(t('firstAdmin.title'));
    return html`<div class="page page--narrow">
      <h1>${t('firstAdmin.title')}</h1>
      <p class="muted">${t(this.code ? 'firstAdmin.text' : 'firstAdmin.noCode')}</p>
      ${this.code
        ? html`<div class="card"><rk-account-form
            .fields=${[
              { id: 'username', name: 'username', label: t('login.username'), autocomplete: 'username', hint: t('login.usernameHint') },
              { id: 'password', name: 'password', label: t('login.password'), type: 'password', autocomplete: 'new-password', hint: t('login.passwordHint') },
            ]}
            main
            .button=${t('firstAdmin.make')}
            .act=${async ({ username, password }: Record<string, string>) => {
              session.set({ me: await admin.setUp(this.code, username!.trim(), password!), reachable: true });
              go('/admin');
            }}
          ></rk-account-form></div>`
        : html`<div><a class="button button--main" href="/">${t('error.home')}</a></div>`}
    </div>`;
  }
}
