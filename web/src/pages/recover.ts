// SPDX-License-Identifier: GPL-3.0-or-later
// A forgotten password: one of the recovery codes opens the door.
import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { account } from '../api/account';
import { go } from '../app/router';
import { setTitle } from '../app/title';
import '../components/account-form';
import { PageElement } from '../components/element';
import { t } from '../i18n';
import { toast } from '../state/toasts';

@customElement('rk-recover')
export class RecoverPage extends PageElement {
  protected override render(): TemplateResult {
    setTitle(t('recover.title'));
    return html`<div class="page page--narrow">
      <h1>${t('recover.title')}</h1>
      <p class="muted">${t('recover.text')}</p>
      <div class="card">
        <rk-account-form
          .fields=${[
            { id: 'username', name: 'username', label: t('login.username'), autocomplete: 'username' },
            { id: 'code', name: 'code', label: t('recover.code') },
            { id: 'password', name: 'password', label: t('account.new'), type: 'password', autocomplete: 'new-password', hint: t('login.passwordHint') },
          ]}
          main
          .button=${t('account.change')}
          .act=${async ({ username, code, password }: Record<string, string>) => {
            await account.recover(username!.trim(), code!.trim(), password!);
            toast(t('account.changed'));
            go('/login');
          }}
        ></rk-account-form>
      </div>
    </div>`;
  }
}
