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
import { saveFile } from './save-file';
import { mayEvaluate } from '../state/evaluator';
import { toast } from '../state/toasts';

@customElement('rk-share')
export class Share extends PageElement {
  @property({ attribute: false }) game!: Game;
  @property() fen = '';
  @property({ type: Boolean }) local = false;
  @property() orientation: 'white' | 'black' = 'white';
  @property({ attribute: false }) lastMove: readonly string[] = [];

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
          ? html`<button class="button" type="button" @click=${() => saveFile(`rokada-${game.id}.pgn`, new Blob([pgn()], { type: 'application/x-chess-pgn' }))}>${icon('download')} ${t('share.pgn')}</button>`
          : html`<a class="button" href=${api.pgnAddress(game.id)} download="rokada-${game.id}.pgn">${icon('download')} ${t('share.pgn')}</a>`}
        <button class="button" type="button" @click=${() => print()}>${icon('print')} ${t('share.print')}</button>
        <button class="button" type="button" @click=${() => this.picture('svg')}>${icon('picture')} SVG</button>
        <button class="button" type="button" @click=${() => this.picture('png')}>${icon('picture')} PNG</button>
        ${mayEvaluate(game)
          ? html`<a class="button" href="/analysis?fen=${encodeURIComponent(fen)}">${icon('search')} ${t('game.analyse')}</a>
              <a class="button" href="/editor?fen=${encodeURIComponent(fen)}">${icon('eraser')} ${t('nav.editor')}</a>`
          : ''}
      </div>
    </div>`;
  }

  private async picture(kind: 'svg' | 'png'): Promise<void> {
    try {
      const { pageLook, positionPng, positionSvg } = await import('../board/picture');
      const { fen, orientation, lastMove } = this;
      const made = kind === 'png'
        ? await positionPng(fen, orientation, lastMove, pageLook())
        : new Blob([await positionSvg(fen, orientation, lastMove, pageLook())], { type: 'image/svg+xml' });
      saveFile(`rokada-${this.game.id}.${kind}`, made);
    } catch {
      toast(t('problem.unknown'));
    }
  }
}
