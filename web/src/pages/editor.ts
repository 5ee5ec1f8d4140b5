// SPDX-License-Identifier: GPL-3.0-or-later
// The board editor: set up any position, see at once what is wrong with it, play or analyse it.
import type { Rules, SetupReport } from '@rokada/wasm';
import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { place } from '../app/router';
import { setTitle } from '../app/title';
import '../board/edit-board';
import { standardFen, type PieceCode } from '../board/fen';
import { pieceName } from '../board/names';
import { choice } from '../components/choice';
import { copyText } from '../components/copy';
import { PageElement } from '../components/element';
import { icon } from '../components/icon';
import { t } from '../i18n';
import { rules } from '../wasm/rules';

const letters = ['K', 'Q', 'R', 'B', 'N', 'P'] as const;
const rights = [['K', 'editor.castleK'], ['Q', 'editor.castleQ'], ['k', 'editor.castlek'], ['q', 'editor.castleq']] as const;

@customElement('rk-editor')
export class EditorPage extends PageElement {
  @state() private fields: string[] = standardFen.split(' ');
  @state() private tool = '';
  @state() private flipped = false;
  @state() private report: SetupReport | null = null;
  @state() private unreadable = false;
  private rules: Rules | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    setTitle(t('nav.editor'));
    void this.load();
  }

  private async load(): Promise<void> {
    this.rules = await rules();
    this.read(place.state.query.get('fen') ?? standardFen);
  }

  private get fen(): string {
    return this.fields.join(' ');
  }

  private read(fen: string): void {
    const answer = this.rules?.checkSetup(fen);
    this.unreadable = !answer?.ok;
    if (!answer?.ok) return;
    this.fields = answer.fen.split(' ');
    this.report = answer;
  }

  private change(index: number, value: string): void {
    this.fields = this.fields.map((field, i) => (i === index ? value : field));
    // A new arrangement has no history: no en passant, counters at the start.
    if (index === 0) this.fields = [this.fields[0]!, this.fields[1]!, this.possibleRights(), '-', '0', '1'];
    const answer = this.rules?.checkSetup(this.fen);
    if (answer?.ok) this.report = answer;
  }

  // Rights whose king or rook is gone are dropped by themselves.
  private possibleRights(): string {
    const rows = this.fields[0]!.split('/').map((row) => row.replace(/\d/g, (digit) => ' '.repeat(Number(digit))));
    const at = (file: number, rank: number): string => rows[8 - rank]?.[file] ?? ' ';
    const kept = (this.fields[2] ?? '-').split('').filter((right) => {
      const white = right === right.toUpperCase();
      const rank = white ? 1 : 8;
      const file = right.toLowerCase() === 'k' ? 7 : 0;
      return at(4, rank) === (white ? 'K' : 'k') && at(file, rank) === (white ? 'R' : 'r');
    });
    return kept.filter((right) => 'KQkq'.includes(right)).join('') || '-';
  }

  private toggleRight(right: string, on: boolean): void {
    const now = new Set((this.fields[2] ?? '').replace('-', ''));
    if (on) now.add(right);
    else now.delete(right);
    this.change(2, 'KQkq'.split('').filter((letter) => now.has(letter)).join('') || '-');
  }

  protected override render(): TemplateResult {
    const problems = this.report?.problems ?? [];
    const good = this.report !== null && !problems.length && !this.unreadable;
    return html`<div class="editor">
      <h1 class="visually-hidden">${t('nav.editor')}</h1>
      <div class="editor__board">
        ${this.palette('b')}
        <rk-edit-board
          .placement=${this.fields[0]!}
          .orientation=${this.flipped ? 'black' : 'white'}
          .tool=${this.tool}
          @edit-change=${(event: CustomEvent<string>) => this.change(0, event.detail)}
        ></rk-edit-board>
        ${this.palette('w')}
      </div>
      <section class="editor__panel card">
        ${choice<'w' | 'b'>(
          'turn', t('editor.turn'),
          [{ value: 'w', face: t('color.white') }, { value: 'b', face: t('color.black') }],
          (this.fields[1] ?? 'w') as 'w' | 'b', (turn) => this.change(1, turn), { bar: true },
        )}
        <fieldset>
          <legend class="legend">${t('editor.castling')}</legend>
          <div class="editor__rights">
            ${rights.map(([right, label]) => html`<label class="check">
              <input type="checkbox" .checked=${(this.fields[2] ?? '').includes(right)} @change=${(event: Event) => this.toggleRight(right, (event.target as HTMLInputElement).checked)} />
              <span>${t(label)}</span>
            </label>`)}
          </div>
        </fieldset>
        <div class="field">
          <label for="editor-fen">FEN</label>
          <div class="row sheet__row">
            <input id="editor-fen" class="input" spellcheck="false" .value=${this.fen} aria-invalid=${this.unreadable ? 'true' : 'false'} @change=${(event: Event) => this.read((event.target as HTMLInputElement).value)} />
            <button class="button button--icon" type="button" aria-label=${t('share.copyFen')} title=${t('share.copyFen')} @click=${() => copyText(this.fen)}>${icon('copy')}</button>
          </div>
        </div>
        <div class="editor__problems" role="status">
          ${this.unreadable ? html`<p class="field__error">${icon('alert', 'icon--small')}<span>${t('editor.unreadable')}</span></p>` : ''}
          ${problems.map((problem) => html`<p class="field__error">${icon('alert', 'icon--small')}<span>${t(`setup.${problem}`)}</span></p>`)}
          ${good ? html`<p class="editor__good">${icon('check', 'icon--small')} ${t('editor.good')}</p>` : ''}
        </div>
        <div class="row">
          <button class="button" type="button" @click=${() => this.read(standardFen)}>${icon('rematch')} ${t('editor.start')}</button>
          <button class="button" type="button" @click=${() => this.read('4k3/8/8/8/8/8/8/4K3 w - - 0 1')}>${icon('trash')} ${t('editor.clear')}</button>
          <button class="button" type="button" @click=${() => (this.flipped = !this.flipped)}>${icon('flip')} ${t('game.flip')}</button>
        </div>
        <div class="row">
          <a class="button button--main" aria-disabled=${good ? 'false' : 'true'} href=${good ? `/?fen=${encodeURIComponent(this.fen)}` : '/editor'}>${icon('play')} ${t('editor.play')}</a>
          <a class="button" aria-disabled=${good ? 'false' : 'true'} href=${good ? `/analysis?fen=${encodeURIComponent(this.fen)}` : '/editor'}>${icon('search')} ${t('game.analyse')}</a>
        </div>
      </section>
    </div>`;
  }

  private palette(side: 'w' | 'b'): TemplateResult {
    const button = (tool: string, label: string, face: unknown): TemplateResult => html`<button
      class="palette__piece" type="button" aria-label=${label} title=${label} aria-pressed=${this.tool === tool}
      @click=${() => (this.tool = this.tool === tool ? '' : tool)}>${face}</button>`;
    return html`<div class="palette" role="group" aria-label=${t(side === 'w' ? 'color.white' : 'color.black')}>
      ${letters.map((letter) => {
        const code = `${side}${letter}` as PieceCode;
        return button(code, pieceName(code), html`<span class="pc pc--${code}"></span>`);
      })}
      ${side === 'w' ? button('erase', t('editor.erase'), icon('eraser')) : html`<span class="palette__gap"></span>`}
    </div>`;
  }
}
