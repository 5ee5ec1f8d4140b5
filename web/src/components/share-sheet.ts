// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-share>: take the game or the position along: link, FEN, PGN, print. Slides over the lower half, never over the board.
import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { api, type Game } from '../api/client';
import { writePgn } from '../board/pgn';
import { t } from '../i18n';
import { copyText } from './copy';
import { PageElement } from './element';
import { icon } from './icon';

@customElement('rk-share')
export class Share extends PageElement {
  @property({ attribute: false }) game!: Game;
  @property() fen = '';
  @property({ type: Boolean }) local = false;

  protected override render(): TemplateResult {
    const { game, fen } = this;
    const link = `${location.origin}/game/${game.id}`;
    const pgn = (): string => writePgn(game);
    return html`<div class="sheet" role="dialog" aria-label=${t('game.more')}>
      <div class="row row--apart">
        <h2>${t('game.more')}</h2>
        <button class="button button--quiet button--icon" type="button" aria-label=${t('share.close')} @click=${() => this.dispatchEvent(new CustomEvent('share-close'))}>${icon('close')}</button>
      </div>
      <div class="field">
        <label for="share-fen">FEN</label>
        <div class="row sheet__row">
          <input id="share-fen" class="input" readonly .value=${fen} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} />
          <button class="button button--icon" type="button" aria-label=${t('share.copyFen')} title=${t('share.copyFen')} @click=${() => copyText(fen)}>${icon('copy')}</button>
        </div>
      </div>
      <div class="sheet__buttons">
        ${this.local ? '' : html`<button class="button" type="button" @click=${() => copyText(link)}>${icon('link')} ${t('share.link')}</button>`}
        <button class="button" type="button" @click=${() => copyText(pgn())}>${icon('copy')} ${t('share.copyPgn')}</button>
        ${this.local
          ? html`<button class="button" type="button" @click=${() => save(`rokada-${game.id}.pgn`, pgn())}>${icon('download')} ${t('share.pgn')}</button>`
          : html`<a class="button" href=${api.pgnAddress(game.id)} download="rokada-${game.id}.pgn">${icon('download')} ${t('share.pgn')}</a>`}
        <button class="button" type="button" @click=${() => print()}>${icon('print')} ${t('share.print')}</button>
        <a class="button" href="/analysis?fen=${encodeURIComponent(fen)}">${icon('search')} ${t('game.analyse')}</a>
        <a class="button" href="/editor?fen=${encodeURIComponent(fen)}">${icon('eraser')} ${t('nav.editor')}</a>
      </div>
    </div>`;
  }
}

function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
