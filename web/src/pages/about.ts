// SPDX-License-Identifier: GPL-3.0-or-later
// About, Privacy and the page for programs: three short texts.
import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { setTitle } from '../app/title';
import { PageElement } from '../components/element';
import { footer } from '../components/footer';
import { t } from '../i18n';
import { session } from '../state/session';
import { Watch } from '../state/store';

@customElement('rk-about')
export class AboutPage extends PageElement {
  @property() topic: 'about' | 'privacy' | 'api' = 'about';
  private readonly session = new Watch(this, session);

  protected override render(): TemplateResult {
    setTitle(t(`nav.${this.topic}`));
    return html`<article class="page page--text">${this[this.topic]()}</article>${footer()}`;
  }

  // A link to a part of the page, followed without loading, must be scrolled to by hand.
  protected override firstUpdated(): void {
    if (location.hash) this.querySelector(`#${CSS.escape(location.hash.slice(1))}`)?.scrollIntoView();
  }

  private about(): TemplateResult {
    const version = this.session.state.me?.server.version;
    return html`<h1>${t('nav.about')}</h1>
      <p>${t('about.what')}</p>
      <p>${t('about.one')}</p>
      <h2>${t('about.levels')}</h2>
      <p>${t('about.levelsText')}</p>
      <h2 id="strength">${t('about.strength')}</h2>
      <p>${t('about.strengthText')}</p>
      <p>${t('about.strengthLimits')}</p>
      <h2>${t('about.licence')}</h2>
      <p>${t('about.licenceText')}</p>
      <ul>
        <li>Lit, BSD-3-Clause</li>
        <li>chessground, GPL-3.0-or-later</li>
        <li>Lucide, ISC</li>
        <li>${t('about.pieces')}</li>
      </ul>
      ${version ? html`<p class="muted small">${t('about.version', { version })}</p>` : ''}`;
  }

  private privacy(): TemplateResult {
    return html`<h1>${t('nav.privacy')}</h1>
      <p>${t('privacy.lead')}</p>
      <h2>${t('privacy.server')}</h2>
      <ul>
        ${(['account', 'safety', 'logins', 'games', 'cookie', 'log'] as const).map((name) => html`<li>${t(`privacy.${name}`)}</li>`)}
      </ul>
      <h2>${t('privacy.browser')}</h2>
      <ul>
        ${(['settings', 'local', 'copy'] as const).map((name) => html`<li>${t(`privacy.${name}`)}</li>`)}
      </ul>
      <p>${t('privacy.nothing')}</p>`;
  }

  private api(): TemplateResult {
    const here = location.origin;
    return html`<h1>${t('nav.api')}</h1>
      <p>${t('api.lead')}</p>
      <pre class="code" tabindex="0"><code>curl '${here}/api/v1/bestmove?fen=8/8/8/8/8/5k2/6q1/7K%20b%20-%20-%200%201&amp;movetime=200'</code></pre>
      <p><a href="/api/openapi.json" target="_blank" rel="noopener">${t('api.description')}</a></p>
      <h2>${t('api.live')}</h2>
      <p>${t('api.liveText')}</p>
      <h2>${t('api.engine')}</h2>
      <p>${t('api.engineText')}</p>
      <pre class="code" tabindex="0"><code>rokada uci
rokada xboard</code></pre>`;
  }
}
