// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-app>: header, the page of the current address, footer, messages.
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { api } from '../api/client';
import { PageElement } from '../components/element';
import { challengeList } from '../components/challenge-list';
import { icon, type IconName } from '../components/icon';
import { mark } from '../components/mark';
import { languageNames, languages, t, language, type Language, type MessageKey } from '../i18n';
import { challenges } from '../state/challenges';
import { changeSettings, settings } from '../state/settings';
import { loadSession, logOut, session, stopLooking } from '../state/session';
import { Watch } from '../state/store';
import { remove, toast, toasts } from '../state/toasts';
import { pageFor } from './routes';
import { go, place } from './router';

const links: { path: string; label: MessageKey; icon: IconName }[] = [
  { path: '/', label: 'nav.play', icon: 'play' },
  { path: '/games', label: 'nav.games', icon: 'clock' },
  { path: '/analysis', label: 'nav.analysis', icon: 'search' },
  { path: '/review', label: 'nav.review', icon: 'check' },
  { path: '/editor', label: 'nav.editor', icon: 'eraser' },
];

@customElement('rk-app')
export class App extends PageElement {
  private readonly place = new Watch(this, place);
  private readonly session = new Watch(this, session);
  private readonly settings = new Watch(this, settings);
  private readonly toasts = new Watch(this, toasts);
  private readonly challenges = new Watch(this, challenges);
  @state() private menuOpen = false;
  private shownPath = '';
  @state() private ended = false; // the person stopped the server

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('click', this.closeMenu);
    document.addEventListener('keydown', this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('click', this.closeMenu);
    document.removeEventListener('keydown', this.onKey);
  }

  protected override render(): TemplateResult {
    const { path } = this.place.state;
    if (this.ended)
      return html`<main class="main"><div class="page page--narrow"><div class="empty">${mark()}<h1>${t('app.ended')}</h1><p>${t('app.endedText')}</p></div></div></main>`;
    return html`
      <a class="skip" href="#main" @click=${this.skip}>${t('nav.skip')}</a>
      <header class="header">
        <a class="header__mark" href="/" aria-label=${t('nav.home')}>${mark()} <span>Rokada</span></a>
        <nav class="header__nav" aria-label=${t('nav.main')}>
          <span class="only-roomy">${links.map((link) => this.link(link, path))}</span>
        </nav>
        <div class="header__side">
          <span class="only-wide">${this.languageChoice()} ${this.themeButton()}</span>
          ${this.menu()}
        </div>
      </header>
      ${this.session.state.reachable
        ? ''
        : html`<div class="away" role="status">
            ${icon('offline')}<span>${t('app.away')}</span>
            <button class="button" type="button" @click=${() => void loadSession()}>${t('app.retry')}</button>
          </div>`}
      <main class="main" id="main" tabindex="-1">${pageFor(path, () => this.requestUpdate())}</main>
      <div class="toasts" aria-live="polite">
        ${challengeList(this.challenges.state.received)}
        ${this.toasts.state.list.map(({ id, text, action }) => html`<div class="toast">
          <span>${text}</span>
          ${action
            ? html`<button class="button" type="button" @click=${action.act}>${action.label}</button>
                <button class="button button--quiet button--icon" type="button" aria-label=${t('share.close')} @click=${() => remove(id)}>${icon('close')}</button>`
            : ''}
        </div>`)}
      </div>
    `;
  }

  // Who reads with the ears or walks by keys starts at the new page, not where the link of the old one was.
  protected override updated(): void {
    const { path } = this.place.state;
    if (this.shownPath && this.shownPath !== path) this.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
    this.shownPath = path;
  }

  private link({ path, label }: { path: string; label: MessageKey }, current: string): TemplateResult {
    return html`<a href=${path} aria-current=${current === path || (path !== '/' && current.startsWith(`${path}/`)) ? 'page' : nothing}>${t(label)}</a>`;
  }

  private languageChoice(): TemplateResult {
    return html`<select
      class="header__language"
      aria-label=${t('nav.language')}
      @change=${(event: Event) => changeSettings({ language: (event.target as HTMLSelectElement).value as Language })}
    >
      ${languages.map((code) => html`<option value=${code} ?selected=${code === language()} lang=${code}>${languageNames[code]}</option>`)}
    </select>`;
  }

  private themeButton(): TemplateResult {
    const dark = isDark(this.settings.state.theme);
    return html`<button
      class="button button--quiet button--icon"
      type="button"
      title=${t(dark ? 'nav.light' : 'nav.dark')}
      aria-label=${t(dark ? 'nav.light' : 'nav.dark')}
      @click=${() => changeSettings({ theme: dark ? 'light' : 'dark' })}
    >
      ${icon(dark ? 'sun' : 'moon')}
    </button>`;
  }

  private menu(): TemplateResult {
    const me = this.session.state.me;
    const user = me?.kind === 'user';
    return html`
      ${me && !user
        ? html`<span class="only-wide">
            <a class="button button--quiet" href="/login">${t('nav.login')}</a>
            ${me.server.registration === 'closed' ? '' : html`<a class="button" href="/register">${t('nav.register')}</a>`}
          </span>`
        : ''}
      <div class="menu">
        <button
          class="button button--quiet ${user ? '' : 'button--icon'}"
          type="button"
          aria-expanded=${this.menuOpen}
          aria-label=${user ? nothing : t('nav.menu')}
          @click=${this.toggleMenu}
        >
          ${user ? html`<span class="only-roomy">${icon('user')}</span><span class="only-phone">${icon('menu')}</span><span class="menu__name">${me.username}</span>` : icon('menu')}
        </button>
        ${this.menuOpen ? this.menuList(user) : ''}
      </div>
    `;
  }

  private menuList(user: boolean): TemplateResult {
    const me = this.session.state.me;
    return html`<div class="menu__list">
      <span class="only-phone">${links.map((link) => html`<a href=${link.path}>${icon(link.icon)}${t(link.label)}</a>`)}</span>
      ${user
        ? html`<a href="/user/${me?.username ?? ''}">${icon('user')}${t('nav.profile')}</a>
            <a href="/games?mine">${icon('clock')}${t('nav.myGames')}</a>
            <a href="/account">${icon('shield')}${t('nav.account')}</a>
            ${me?.admin ? html`<a href="/admin">${icon('people')}${t('nav.admin')}</a>` : ''}`
        : html`<span class="only-narrow">
            <a href="/login">${icon('login')}${t('nav.login')}</a>
            <a href="/register">${icon('register')}${t('nav.register')}</a>
          </span>`}
      <a href="/settings">${icon('settings')}${t('nav.settings')}</a>
      <a href="/about">${icon('info')}${t('nav.about')}</a>
      ${user ? html`<button type="button" @click=${this.leave}>${icon('logout')}${t('nav.logout')}</button>` : ''}
      ${me?.server.can_exit ? html`<button type="button" @click=${this.exit}>${icon('power')}${t('nav.exit')}</button>` : ''}
    </div>`;
  }

  private readonly toggleMenu = (event: Event): void => {
    event.stopPropagation();
    this.menuOpen = !this.menuOpen;
  };

  private readonly closeMenu = (): void => {
    this.menuOpen = false;
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.menuOpen) return;
    this.menuOpen = false;
    this.querySelector<HTMLElement>('.menu > button')?.focus();
  };

  private readonly skip = (event: Event): void => {
    event.preventDefault();
    this.querySelector<HTMLElement>('#main')?.focus();
  };

  // Stops the server that `rokada open` started; the page says goodbye.
  private readonly exit = async (): Promise<void> => {
    try {
      await api.exit();
      stopLooking();
      this.ended = true;
    } catch {
      toast(t('problem.unknown'));
    }
  };

  private readonly leave = async (): Promise<void> => {
    await logOut();
    go('/');
  };
}

function isDark(theme: 'system' | 'dark' | 'light'): boolean {
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}
