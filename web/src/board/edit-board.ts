// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-edit-board>: a board on which everything is allowed: drag pieces around and off, put the chosen piece on a square.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key, Role } from '@lichess-org/chessground/types';
import { html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { PageElement } from '../components/element';
import './board-grid';

const roles: Record<string, Role> = { P: 'pawn', N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king' };

@customElement('rk-edit-board')
export class EditBoard extends PageElement {
  @property() placement = '8/8/8/8/8/8/8/8';
  @property() orientation: 'white' | 'black' = 'white';
  @property() tool = ''; // a piece code, 'erase', or '' for the hand
  @query('.board__ground') private ground!: HTMLElement;
  private api: Api | undefined;
  private resize: ResizeObserver | undefined;

  protected override render(): TemplateResult {
    return html`<div class="board ${this.tool ? 'board--tool' : ''}">
      <div class="board__ground" aria-hidden="true"></div>
      <rk-board-grid .fen=${this.placement} .orientation=${this.orientation} @keydown=${this.onKey}></rk-board-grid>
    </div>`;
  }

  protected override firstUpdated(): void {
    this.api = Chessground(this.ground, {
      fen: this.placement,
      ranksPosition: 'left',
      orientation: this.orientation,
      movable: { free: true, color: 'both', showDests: false },
      premovable: { enabled: false },
      drawable: { enabled: false },
      animation: { enabled: false },
      highlight: { lastMove: false, check: false },
      draggable: { enabled: true, deleteOnDropOff: true, distance: 1 },
      autoCastle: false,
      blockTouchScroll: true,
      disableContextMenu: true,
      events: { change: () => this.changed(), select: (key) => this.put(key) },
    });
    this.ground.addEventListener('contextmenu', (event) => {
      const key = this.api?.getKeyAtDomPos([event.clientX, event.clientY]);
      if (key) this.set(key, undefined);
    });
    this.resize = new ResizeObserver(() => this.api?.redrawAll());
    this.resize.observe(this.ground);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resize?.disconnect();
    this.api?.destroy();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.api) return;
    if (changed.has('placement') && this.placement !== this.api.getFen()) this.api.set({ fen: this.placement });
    if (changed.has('orientation')) this.api.set({ orientation: this.orientation });
    if (changed.has('tool')) this.api.set({ draggable: { enabled: !this.tool }, selectable: { enabled: !this.tool } });
  }

  // The chosen piece lands on the square; a second time takes it off again.
  private put(key: Key): void {
    if (!this.tool || !this.api) return;
    this.api.cancelMove();
    const there = this.api.state.pieces.get(key);
    const same = there && this.tool[0] === there.color[0] && roles[this.tool[1] ?? ''] === there.role;
    this.set(key, this.tool === 'erase' || same ? undefined : this.tool);
  }

  private set(key: string, code: string | undefined): void {
    const piece = code ? { color: code[0] === 'w' ? ('white' as const) : ('black' as const), role: roles[code[1]!]! } : undefined;
    this.api?.setPieces(new Map([[key as Key, piece]]));
    this.changed();
  }

  private changed(): void {
    if (this.api) this.dispatchEvent(new CustomEvent('edit-change', { detail: this.api.getFen() }));
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const square = (event.target as HTMLElement).dataset.square;
    if (!square) return;
    if ((event.key === 'Enter' || event.key === ' ') && this.tool) this.set(square, this.tool === 'erase' ? undefined : this.tool);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.set(square, undefined);
  };
}
