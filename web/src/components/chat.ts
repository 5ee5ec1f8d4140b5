// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-chat>: what the two players say to each other, where the server allows it. Folded until somebody speaks. Who does
// not want to read it tells the server, and the other one is told.
import { html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { t } from '../i18n';
import type { ChatLine } from '../state/game-session';
import { PageElement } from './element';

@customElement('rk-chat')
export class Chat extends PageElement {
  @property({ attribute: false }) lines: readonly ChatLine[] = [];
  @property({ type: Boolean }) open = true; // the game still goes on
  @property({ type: Boolean }) muted = false; // this person does not want to read it
  @property({ type: Boolean }) unread = false; // the other one does not
  @query('.chat__lines') private box?: HTMLElement;

  protected override render(): TemplateResult {
    return html`<details class="chat">
      <summary>${t('chat.title')}${this.lines.length && !this.muted ? html` <span class="chat__count">${this.lines.length}</span>` : ''}</summary>
      <div class="stack">
        ${this.muted
          ? ''
          : html`<div class="chat__lines" role="log" tabindex="0" aria-label=${t('chat.title')}>
              ${this.lines.map((line) => html`<p><strong>${line.name}</strong> ${line.text}</p>`)}
            </div>
            ${this.unread
              ? html`<p class="small muted">${t('chat.unread')}</p>`
              : this.open
              ? html`<form class="row chat__form" @submit=${this.say}>
                  <input class="input" name="text" maxlength="140" autocomplete="off" aria-label=${t('chat.write')} placeholder=${t('chat.write')} />
                  <button class="button" type="submit">${t('chat.send')}</button>
                </form>`
              : ''}`}
        <label class="check small"><input type="checkbox" .checked=${this.muted} @change=${(event: Event) => this.dispatchEvent(new CustomEvent('chat-mute', { detail: (event.target as HTMLInputElement).checked }))} /><span>${t('chat.hide')}</span></label>
      </div>
    </details>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('lines')) this.box?.scrollTo(0, this.box.scrollHeight);
  }

  private readonly say = (event: SubmitEvent): void => {
    event.preventDefault();
    const input = (event.target as HTMLFormElement).elements.namedItem('text') as HTMLInputElement;
    const text = input.value.trim();
    if (!text) return;
    this.dispatchEvent(new CustomEvent('chat-say', { detail: text }));
    input.value = '';
  };
}
