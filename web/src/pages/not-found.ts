// SPDX-License-Identifier: GPL-3.0-or-later
// 404: a board with the king off it.
import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { setTitle } from '../app/title';
import { miniBoard } from '../board/mini-board';
import { PageElement } from '../components/element';
import { t } from '../i18n';

@customElement('rk-not-found')
export class NotFound extends PageElement {
  protected override render(): TemplateResult {
    setTitle(t('notFound.title'));
    return html`<div class="page page--narrow not-found">
      <div class="not-found__board">${miniBoard('rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1')}<span class="pc pc--bK not-found__king"></span></div>
      <h1>${t('notFound.title')}</h1>
      <p class="muted">${t('notFound.text')}</p>
      <a class="button button--main" href="/">${t('error.home')}</a>
    </div>`;
  }
}
