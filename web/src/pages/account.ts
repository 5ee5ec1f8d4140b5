// SPDX-License-Identifier: GPL-3.0-or-later
// The account: password, recovery codes, second factor, sessions, tokens for programs, export, deletion.
import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { account, tokenScopes, type ApiToken, type SessionInfo, type TokenScope } from '../api/account';
import { agentName } from '../api/agent';
import { go } from '../app/router';
import { setTitle } from '../app/title';
import '../components/account-form';
import '../components/armed-button';
import { copyText } from '../components/copy';
import { PageElement } from '../components/element';
import { icon } from '../components/icon';
import { formatDate, formatRelative, t, type MessageKey } from '../i18n';
import { loadSession, session } from '../state/session';
import { Watch } from '../state/store';
import { toast } from '../state/toasts';

@customElement('rk-account')
export class AccountPage extends PageElement {
  private readonly session = new Watch(this, session);
  @state() private sessions: SessionInfo[] = [];
  @state() private tokens: ApiToken[] = [];
  @state() private codes: string[] = [];
  @state() private secret: { secret: string; uri: string } | null = null;
  @state() private factorOn: boolean | undefined; // unknown until the server has said
  @state() private made: ApiToken | null = null;
  private loaded = false;

  protected override willUpdate(): void {
    setTitle(t('nav.account'));
    if (this.loaded || this.session.state.me?.kind !== 'user') return;
    this.loaded = true;
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      [this.sessions, this.tokens, this.factorOn] = await Promise.all([account.sessions(), account.tokens(), account.hasTotp()]);
    } catch {
      toast(t('problem.unknown'));
    }
  }

  protected override render(): TemplateResult {
    const me = this.session.state.me;
    if (me && me.kind !== 'user')
      return html`<div class="page page--narrow"><h1>${t('nav.account')}</h1><div class="empty"><p>${t('problem.unauthorized')}</p><a class="button button--main" href="/login">${t('nav.login')}</a></div></div>`;
    return html`<div class="page account">
      <h1>${t('nav.account')}${me ? html`: ${me.username}` : ''}</h1>
      <div class="account__column">${this.password()} ${this.recovery()} ${this.secondFactor()}</div>
      <div class="account__column">${this.sessionList()} ${this.tokenList()} ${this.leaving()}</div>
    </div>`;
  }

  private password(): TemplateResult {
    return html`<section class="card">
      <h2>${t('account.password')}</h2>
      <rk-account-form
        .fields=${[
          { id: 'current', name: 'current', label: t('account.current'), type: 'password', autocomplete: 'current-password' },
          { id: 'new-password', name: 'password', label: t('account.new'), type: 'password', autocomplete: 'new-password', hint: t('login.passwordHint') },
        ]}
        .button=${t('account.change')}
        .act=${async ({ current, password }: Record<string, string>) => {
          await account.changePassword(current!, password!);
          toast(t('account.changed'));
          void this.load();
        }}
      ></rk-account-form>
    </section>`;
  }

  private recovery(): TemplateResult {
    return html`<section class="card">
      <h2>${t('account.recovery')}</h2>
      <p class="muted">${t('account.recoveryText')}</p>
      ${this.codes.length
        ? html`<ul class="codes" role="list">${this.codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
            <div><button class="button" type="button" @click=${() => copyText(this.codes.join('\n'))}>${icon('copy')} ${t('share.copy')}</button></div>`
        : html`<rk-account-form
            .fields=${[{ id: 'recovery-password', name: 'password', label: t('login.password'), type: 'password', autocomplete: 'current-password' }]}
            .button=${t('account.makeCodes')}
            .act=${async ({ password }: Record<string, string>) => void (this.codes = await account.recoveryCodes(password!))}
          ></rk-account-form>`}
    </section>`;
  }

  private secondFactor(): TemplateResult {
    return html`<section class="card">
      <h2>${t('account.factor')}</h2>
      <p class="muted">${t('account.factorText')}</p>
      ${this.secret ? this.factorSecret(this.secret) : this.factorOn ? this.factorOff() : this.factorOn === undefined ? '' : this.factorBegin()}
    </section>`;
  }

  private factorSecret({ secret, uri }: { secret: string; uri: string }): TemplateResult {
    return html`<p>${t('account.factorSecret')}</p>
      <p class="row"><code class="code">${secret}</code><button class="button button--icon" type="button" aria-label=${t('share.copy')} @click=${() => copyText(secret)}>${icon('copy')}</button></p>
      <p class="small"><a href=${uri}>${t('account.factorOpen')}</a></p>
      <rk-account-form
        .fields=${[{ id: 'totp-code', name: 'code', label: t('login.code'), autocomplete: 'one-time-code' }]}
        .button=${t('account.factorOn')}
        .act=${async ({ code }: Record<string, string>) => {
          await account.confirmTotp(code!);
          this.secret = null;
          this.factorOn = true;
          toast(t('account.factorIsOn'));
        }}
      ></rk-account-form>`;
  }

  private factorBegin(): TemplateResult {
    return html`<rk-account-form
        .fields=${[{ id: 'totp-password', name: 'password', label: t('login.password'), type: 'password', autocomplete: 'current-password' }]}
        .button=${t('account.factorBegin')}
        .act=${async ({ password }: Record<string, string>) => void (this.secret = await account.beginTotp(password!))}
      ></rk-account-form>`;
  }

  private factorOff(): TemplateResult {
    return html`<p class="notice">${icon('check', 'icon--small')} ${t('account.factorIsOn')}</p>
      <details class="play__more">
        <summary>${t('account.factorOff')}</summary>
        <rk-account-form
          .fields=${[
            { id: 'off-password', name: 'password', label: t('login.password'), type: 'password', autocomplete: 'current-password' },
            { id: 'off-code', name: 'code', label: t('login.code'), autocomplete: 'one-time-code' },
          ]}
          .button=${t('account.factorOff')}
          .act=${async ({ password, code }: Record<string, string>) => {
            await account.removeTotp(password!, code!);
            this.factorOn = false;
            toast(t('account.factorIsOff'));
          }}
        ></rk-account-form>
      </details>`;
  }

  private sessionList(): TemplateResult {
    return html`<section class="card">
      <h2>${t('account.sessions')}</h2>
      <ul class="rows" role="list">
        ${this.sessions.map((one) => html`<li class="row row--apart">
          <span>${agentName(one.agent) || one.address}<br /><span class="small muted">${one.address} · ${formatRelative(one.last_used_at)}</span></span>
          ${one.current
            ? html`<span class="small muted">${t('account.thisOne')}</span>`
            : html`<button class="button" type="button" @click=${() => this.end(one.id)}>${t('account.end')}</button>`}
        </li>`)}
      </ul>
      ${this.sessions.length > 1 ? html`<div><button class="button" type="button" @click=${() => this.end('others')}>${t('account.endOthers')}</button></div>` : ''}
    </section>`;
  }

  private async end(id: string): Promise<void> {
    try {
      await account.endSession(id);
      this.sessions = await account.sessions();
    } catch {
      toast(t('problem.unknown'));
    }
  }

  private tokenList(): TemplateResult {
    return html`<section class="card">
      <h2>${t('account.tokens')}</h2>
      <p class="muted">${t('account.tokensText')}</p>
      ${this.made?.token
        ? html`<p class="notice">${t('account.tokenOnce')}</p>
            <p class="row"><code class="code">${this.made.token}</code><button class="button button--icon" type="button" aria-label=${t('share.copy')} @click=${() => copyText(this.made!.token!)}>${icon('copy')}</button></p>
            ${this.made.scopes.includes('bot:play') && !this.session.state.me?.bot
              ? html`<p class="small muted">${t('account.botText')}</p>
                  <rk-armed-button class="account__bot" .label=${t('account.bot')} .sure=${t('account.sure')} .icon=${'computer'} @armed-action=${() => this.becomeBot()}></rk-armed-button>`
              : ''}`
        : ''}
      <ul class="rows" role="list">
        ${this.tokens.map((token) => html`<li class="row row--apart">
          <span>${token.name}<br /><span class="small muted">${token.scopes.split(' ').map((scope) => t(`account.scope.${scope}` as MessageKey)).join(', ')} · ${formatDate(token.created_at)}</span></span>
          <rk-armed-button class="rows__action" .label=${t('account.delete')} .sure=${t('account.sure')} .icon=${'trash'} @armed-action=${() => this.deleteToken(token.id)}></rk-armed-button>
        </li>`)}
      </ul>
      <form class="stack" @submit=${this.makeToken}>
        <div class="field"><label for="token-name">${t('account.tokenName')}</label><input id="token-name" class="input" maxlength="64" required /></div>
        <div class="editor__rights">
          ${tokenScopes.map((scope) => html`<label class="check"><input type="checkbox" name="scope" value=${scope} ?checked=${scope === 'play'} /><span>${t(`account.scope.${scope}` as MessageKey)}</span></label>`)}
        </div>
        <div><button class="button" type="submit">${icon('plus')} ${t('account.makeToken')}</button></div>
      </form>
    </section>`;
  }

  private readonly makeToken = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = form.querySelector<HTMLInputElement>('#token-name')!.value.trim();
    const scopes = [...form.querySelectorAll<HTMLInputElement>('[name=scope]:checked')].map(({ value }) => value as TokenScope);
    if (!name || !scopes.length) return;
    try {
      this.made = await account.makeToken(name, scopes);
      this.tokens = await account.tokens();
      form.reset();
    } catch {
      toast(t('problem.unknown'));
    }
  };

  private async becomeBot(): Promise<void> {
    const done = await account.becomeBot(this.made?.token ?? '').catch(() => false);
    toast(t(done ? 'account.isBot' : 'account.botRefused'));
    if (done) await loadSession();
  }

  private async deleteToken(id: string): Promise<void> {
    try {
      await account.deleteToken(id);
      this.tokens = await account.tokens();
    } catch {
      toast(t('problem.unknown'));
    }
  }

  private leaving(): TemplateResult {
    return html`<section class="card">
      <h2>${t('account.data')}</h2>
      <p class="muted">${t('account.exportText')}</p>
      <div><a class="button" href=${account.exportAddress} download="rokada-account.json">${icon('download')} ${t('account.export')}</a></div>
      <details class="play__more">
        <summary>${t('account.remove')}</summary>
        <div class="stack">
          <p>${t('account.removeText')}</p>
          <rk-account-form
            .danger=${true}
            .fields=${[{ id: 'delete-password', name: 'password', label: t('login.password'), type: 'password', autocomplete: 'current-password' }]}
            .button=${t('account.removeNow')}
            .act=${async ({ password }: Record<string, string>) => {
              await account.remove(password!);
              await loadSession();
              go('/');
            }}
          ></rk-account-form>
        </div>
      </details>
    </section>`;
  }
}
