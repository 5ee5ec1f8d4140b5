// SPDX-License-Identifier: GPL-3.0-or-later
import { html, type TemplateResult } from 'lit';
import { t } from '../i18n';

export function footer(): TemplateResult {
  return html`<footer class="footer">
    <span>${t('footer.local')}</span>
    <a href="/about">${t('nav.about')}</a>
    <a href="/privacy">${t('nav.privacy')}</a>
    <a href="/developers">${t('nav.api')}</a>
  </footer>`;
}
