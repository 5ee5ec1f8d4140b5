// SPDX-License-Identifier: GPL-3.0-or-later
// Base of every element: renders into the page itself (shared styles, printing, one focus order)
// and redraws when the language changes.
import { LitElement } from 'lit';
import { onLanguageChange } from '../i18n';

export class PageElement extends LitElement {
  private stopLanguage: (() => void) | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopLanguage = onLanguageChange(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopLanguage?.();
  }
}
