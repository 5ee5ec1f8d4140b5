// SPDX-License-Identifier: GPL-3.0-or-later
// Which page belongs to which address. Pages are fetched when first shown.
import { html, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { t } from '../i18n';
import { match } from './router';

type Parameters = Record<string, string>;
interface Route {
  pattern: string;
  load: () => Promise<unknown>;
  show: (parameters: Parameters) => TemplateResult;
}

const routes: Route[] = [
  { pattern: '/', load: () => import('../pages/home'), show: () => html`<rk-home></rk-home>` },
  { pattern: '/game/:id', load: () => import('../pages/game'), show: ({ id }) => html`<rk-game .gameId=${id!}></rk-game>` },
  { pattern: '/games', load: () => import('../pages/games'), show: () => html`<rk-games></rk-games>` },
  { pattern: '/user/:name', load: () => import('../pages/profile'), show: ({ name }) => html`<rk-profile .name=${name!}></rk-profile>` },
  { pattern: '/login', load: () => import('../pages/login'), show: () => html`<rk-login></rk-login>` },
  { pattern: '/register', load: () => import('../pages/login'), show: () => html`<rk-login .registering=${true}></rk-login>` },
  { pattern: '/analysis', load: () => import('../pages/analysis'), show: () => html`<rk-analysis></rk-analysis>` },
  { pattern: '/analysis/:id', load: () => import('../pages/analysis'), show: ({ id }) => html`<rk-analysis .gameId=${id!}></rk-analysis>` },
  { pattern: '/review', load: () => import('../pages/review-page'), show: () => html`<rk-review></rk-review>` },
  { pattern: '/review/:id', load: () => import('../pages/review-page'), show: ({ id }) => html`<rk-review .gameId=${id!}></rk-review>` },
  { pattern: '/editor', load: () => import('../pages/editor'), show: () => html`<rk-editor></rk-editor>` },
  { pattern: '/about', load: () => import('../pages/about'), show: () => html`<rk-about></rk-about>` },
  { pattern: '/privacy', load: () => import('../pages/about'), show: () => html`<rk-about .topic=${'privacy'}></rk-about>` },
  { pattern: '/developers', load: () => import('../pages/about'), show: () => html`<rk-about .topic=${'api'}></rk-about>` },
  { pattern: '/account', load: () => import('../pages/account'), show: () => html`<rk-account></rk-account>` },
  { pattern: '/recover', load: () => import('../pages/recover'), show: () => html`<rk-recover></rk-recover>` },
  { pattern: '/setup', load: () => import('../pages/setup'), show: () => html`<rk-setup></rk-setup>` },
  { pattern: '/admin', load: () => import('../pages/admin'), show: () => html`<rk-admin></rk-admin>` },
  ...(['people', 'games', 'switches', 'upkeep'] as const).map((part) => ({
    pattern: `/admin/${part}`, load: () => import('../pages/admin'), show: () => html`<rk-admin .section=${part}></rk-admin>`,
  })),
  { pattern: '/settings', load: () => import('../pages/settings'), show: () => html`<rk-settings></rk-settings>` },
];

const notFound: Route = {
  pattern: '',
  load: () => import('../pages/not-found'),
  show: () => html`<rk-not-found></rk-not-found>`,
};

const loaded = new Set<Route>();
const failed = new Set<Route>();

// `redraw` is called when a page that had to be fetched has arrived.
export function pageFor(path: string, redraw: () => void): unknown {
  for (const route of routes) {
    const parameters = match(route.pattern, path);
    if (parameters) return page(route, parameters, path, redraw);
  }
  return page(notFound, {}, path, redraw);
}

function page(route: Route, parameters: Parameters, path: string, redraw: () => void): unknown {
  if (loaded.has(route)) return keyed(path, route.show(parameters));
  if (failed.delete(route))
    return html`<div class="page page--narrow"><div class="empty">
      <p role="alert">${t('error.page')}</p>
      <button class="button button--main" type="button" @click=${redraw}>${t('app.retry')}</button>
    </div></div>`;
  route.load().then(
    () => loaded.add(route),
    () => failed.add(route),
  ).finally(redraw);
  return html`<div class="page" aria-busy="true"></div>`;
}
