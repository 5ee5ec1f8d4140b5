// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-board>: chessground inside an element. Draws what it is told and reports what was tried;
// it knows no rules. Input by drag, click-click, touch and (through board-grid) keyboard.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Color, Dests, Key, SquareClasses } from '@lichess-org/chessground/types';
import { html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { PageElement } from '../components/element';
import { glideTime, wantsMotion } from './motion';
import './board-grid';
import './promotion';

export type { DrawShape };

export interface BoardMove {
  from: string;
  to: string;
}

@customElement('rk-board')
export class Board extends PageElement {
  @property() fen = '';
  @property() orientation: Color = 'white';
  @property() turn: Color = 'white';
  @property() movable: Color | 'both' | 'none' = 'none';
  @property({ attribute: false }) targets: ReadonlyMap<string, readonly string[]> = new Map();
  @property({ attribute: false }) lastMove: readonly string[] = [];
  @property() check = ''; // the square of the king in check
  @property({ attribute: false }) marks: ReadonlyMap<string, string> = new Map(); // square -> class
  @property({ attribute: false }) arrows: readonly DrawShape[] = []; // drawn by the page: hint, best move
  @property({ attribute: false }) drawings: readonly DrawShape[] = []; // drawn by the person
  @property({ type: Boolean }) coordinates = true;
  @property({ type: Boolean }) animation = true;
  @property({ type: Boolean }) showTargets = true;
  @property({ type: Boolean }) premoving = false;
  @property() promoting = ''; // square where the picker is open
  @property() label = '';

  @query('.board__ground') private ground!: HTMLElement;
  private api: Api | undefined;
  private pressed: { key: Key; selected: Key | undefined } | undefined;
  private passive: Key | undefined; // a piece that was clicked and cannot be picked up
  private resize: ResizeObserver | undefined;
  private byKey = false; // the last move was made with the keyboard
  private undrawn = false; // arrows wait: a board without a size cannot place them

  protected override render(): TemplateResult {
    return html`
      <div class="board ${this.premoving ? 'board--premoving' : ''}">
        <div class="board__ground" aria-hidden="true"></div>
        <rk-board-grid
          .fen=${this.fen}
          .orientation=${this.orientation}
          .targets=${this.targets}
          .movable=${this.movable}
          .label=${this.label}
          @grid-move=${(event: CustomEvent<BoardMove>) => this.moveByKey(event.detail)}
          @grid-illegal=${(event: CustomEvent<BoardMove>) => this.report('board-illegal', event.detail)}
          @grid-select=${(event: CustomEvent<string>) => this.api?.selectSquare((event.detail || null) as Key | null)}
        ></rk-board-grid>
        ${this.promoting
          ? html`<rk-promotion .square=${this.promoting} .orientation=${this.orientation}></rk-promotion>`
          : ''}
      </div>
    `;
  }

  protected override firstUpdated(): void {
    this.api = Chessground(this.ground, {
      ...this.config(),
      addPieceZIndex: false,
      disableContextMenu: true,
      blockTouchScroll: true,
      movable: { ...this.config().movable, free: false, events: { after: (from, to) => this.report('board-move', { from, to }) } },
      premovable: { enabled: false },
      draggable: { enabled: true, showGhost: true, distance: 3 },
      drawable: {
        enabled: true,
        defaultSnapToValidMove: true,
        eraseOnMovablePieceClick: false,
        onChange: (shapes) => this.dispatchEvent(new CustomEvent('board-drawings', { detail: shapes })),
      },
    });
    this.ground.addEventListener('pointerdown', this.onPress, { capture: true });
    this.ground.addEventListener('mousedown', this.onSecondButton, { capture: true });
    addEventListener('pointerup', this.onRelease);
    this.drawShapes();
    this.resize = new ResizeObserver(() => {
      if (!this.ground.clientWidth) return;
      this.api?.redrawAll();
      if (this.undrawn) this.drawShapes();
    });
    this.resize.observe(this.ground);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('pointerup', this.onRelease);
    this.resize?.disconnect();
    this.api?.destroy();
    this.api = undefined;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.api || changed.size === 0) return;
    // The picker of a promotion took the focus of a person who moves by key.
    if (this.byKey && changed.get('promoting') && !this.promoting) this.querySelector('rk-board-grid')?.refocus();
    if (changed.size === 1 && changed.has('promoting')) return;
    const { fen, ...config } = this.config();
    // Setting the pieces again would wipe drawings and disturb a drag, so only when they are new.
    this.api.set(changed.has('fen') ? { ...config, fen } : config);
    if (changed.has('arrows') || changed.has('drawings') || changed.has('fen')) this.drawShapes(changed);
  }

  private drawShapes(changed?: PropertyValues<this>): void {
    this.undrawn = !this.ground.clientWidth;
    if (this.undrawn) return;
    if (!changed || changed.has('arrows')) this.api?.setAutoShapes([...this.arrows]);
    if (!changed || changed.has('drawings') || changed.has('fen')) this.api?.setShapes([...this.drawings]);
  }

  // Puts the pieces back after a move that was not made.
  restore(): void {
    this.api?.set(this.config());
    this.api?.setShapes([...this.drawings]);
  }

  cancel(): void {
    this.api?.cancelMove();
  }

  private config() {
    const marks: SquareClasses = new Map();
    for (const [square, name] of this.marks) marks.set(square as Key, name);
    if (this.check) marks.set(this.check as Key, `${marks.get(this.check as Key) ?? ''} check`.trim());
    return {
      fen: this.fen,
      orientation: this.orientation,
      turnColor: this.turn,
      lastMove: [...this.lastMove] as Key[],
      coordinates: this.coordinates,
      ranksPosition: 'left' as const,
      animation: { enabled: this.animation && wantsMotion(), duration: glideTime },
      highlight: { lastMove: true, check: false, custom: marks },
      movable: {
        color: this.movable === 'none' ? undefined : this.movable,
        dests: this.targets as Dests,
        showDests: this.showTargets,
      },
    };
  }

  private moveByKey(move: BoardMove): void {
    this.byKey = true;
    this.report('board-move', move);
  }

  private report(name: string, detail: BoardMove): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  // Chessground refuses an illegal move in silence; the page wants to say why.
  private readonly onPress = (event: PointerEvent): void => {
    this.pressed = undefined;
    this.byKey = false;
    if (!this.api || event.button !== 0) return;
    const key = this.api.getKeyAtDomPos([event.clientX, event.clientY]);
    if (!key) return;
    const { selected, pieces } = this.api.state;
    const piece = pieces.get(key);
    this.pressed = { key, selected };
    if (selected && selected !== key && !this.allows(selected, key)) {
      const own = piece && piece.color === pieces.get(selected)?.color;
      if (!own) this.report('board-illegal', { from: selected, to: key });
    }
    // Two clicks with a piece that is not to move now are a try as well.
    const idle = piece !== undefined && this.movable !== 'both' && this.movable !== piece.color;
    if (this.passive && !selected && key !== this.passive && (!piece || idle)) this.report('board-illegal', { from: this.passive, to: key });
    this.passive = idle && !selected && !this.passive ? key : undefined;
  };

  // The second button while the first is held: chessground lets the piece go, and that is no try.
  private readonly onSecondButton = (event: MouseEvent): void => {
    if (event.button === 0) return;
    this.pressed = undefined;
    this.glideBack();
  };

  private readonly onRelease = (event: PointerEvent): void => {
    const pressed = this.pressed;
    this.pressed = undefined;
    if (!this.api || !pressed || event.button !== 0) return;
    this.glideBack();
    const to = this.api.getKeyAtDomPos([event.clientX, event.clientY]);
    if (to !== pressed.key) this.passive = undefined;
    if (!to || to === pressed.key || this.allows(pressed.key, to)) return;
    if (this.api.state.pieces.has(pressed.key)) this.report('board-illegal', { from: pressed.key, to });
  };

  // A piece that is let go and makes no move glides home, where chessground would put it at once.
  private glideBack(): void {
    const drag = this.api?.state.draggable.current;
    if (!drag?.started || typeof drag.element === 'function' || !this.animation || !wantsMotion()) return;
    const { element, orig, piece } = drag;
    const from = element.style.transform;
    // After chessground has heard of it, and in the frame in which it draws.
    setTimeout(() => requestAnimationFrame(() => {
      const to = element.style.transform;
      if (this.api?.state.pieces.get(orig) !== piece || this.api.state.draggable.current || from === to) return;
      element.animate([{ transform: from }, { transform: to }], { duration: glideTime, easing: 'ease-out' });
    }));
  }

  private allows(from: string, to: string): boolean {
    return this.targets.get(from)?.includes(to) ?? false;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'rk-board': Board;
  }
}
