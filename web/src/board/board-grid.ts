// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-board-grid>: the same board for the keyboard and for screen readers: 64 named squares over the
// picture, one of them in the tab order. Arrows walk, Enter picks up and puts down, Escape lets go.
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { PageElement } from '../components/element';
import { t } from '../i18n';
import { pieceName } from './names';
import { readPlacement, squaresFrom } from './fen';

@customElement('rk-board-grid')
export class BoardGrid extends PageElement {
  @property() fen = '';
  @property() orientation: 'white' | 'black' = 'white';
  @property({ attribute: false }) targets: ReadonlyMap<string, readonly string[]> = new Map();
  @property() movable: 'white' | 'black' | 'both' | 'none' = 'none';
  @property() label = '';
  @state() private current = 'e2';
  @state() private held = '';

  protected override render(): TemplateResult {
    const placement = readPlacement(this.fen);
    const squares = squaresFrom(this.orientation);
    const rows = Array.from({ length: 8 }, (_, row) => squares.slice(row * 8, row * 8 + 8));
    const describe = (square: string): string => {
      const piece = placement.get(square);
      const parts = [square, piece ? pieceName(piece) : t('board.empty')];
      if (square === this.held) parts.push(t('board.held'));
      else if (this.held && this.targets.get(this.held)?.includes(square)) parts.push(t('board.target'));
      return parts.join(', ');
    };
    return html`
      <div class="board-grid" role="grid" aria-label=${this.label || t('board.label')} @keydown=${this.onKey}>
        ${rows.map(
          (row) => html`<div class="board-grid__row" role="row">
            ${row.map(
              (square) => html`<div
                class="board-grid__cell ${square === this.held ? 'board-grid__cell--held' : ''}"
                role="gridcell"
                data-square=${square}
                tabindex=${square === this.current ? 0 : -1}
                aria-label=${describe(square)}
                aria-selected=${square === this.held ? 'true' : nothing}
                @focus=${() => (this.current = square)}
              ></div>`,
            )}
          </div>`,
        )}
      </div>
    `;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 };
    const step = steps[event.key];
    if (step !== undefined) {
      const squares = squaresFrom(this.orientation);
      const at = squares.indexOf(this.current);
      const next = at + step;
      const sameRow = Math.abs(step) === 8 || Math.floor(at / 8) === Math.floor(next / 8);
      if (next >= 0 && next < 64 && sameRow) void this.focusSquare(squares[next]!);
    } else if (event.key === 'Enter' || event.key === ' ') this.act();
    else if (event.key === 'Escape' && this.held) this.hold('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  async focusSquare(square: string): Promise<void> {
    this.current = square;
    await this.updateComplete;
    this.querySelector<HTMLElement>(`[data-square="${square}"]`)?.focus();
  }

  refocus(): void {
    void this.focusSquare(this.current);
  }

  private act(): void {
    const square = this.current;
    const piece = readPlacement(this.fen).get(square);
    const side = piece?.[0] === 'w' ? 'white' : 'black';
    const own = !!piece && this.movable !== 'none' && (this.movable === 'both' || this.movable === side);
    if (this.held && this.held !== square) {
      const from = this.held;
      if (this.targets.get(from)?.includes(square)) {
        this.hold('');
        this.dispatchEvent(new CustomEvent('grid-move', { detail: { from, to: square } }));
        return;
      }
      if (!own) {
        this.dispatchEvent(new CustomEvent('grid-illegal', { detail: { from, to: square } }));
        return;
      }
    }
    // A piece that is not to move now: the page says why.
    if (piece && !own && !this.held) this.dispatchEvent(new CustomEvent('grid-illegal', { detail: { from: square, to: square } }));
    this.hold(own && this.held !== square ? square : '');
  }

  private hold(square: string): void {
    this.held = square;
    this.dispatchEvent(new CustomEvent('grid-select', { detail: square }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'rk-board-grid': BoardGrid;
  }
}
