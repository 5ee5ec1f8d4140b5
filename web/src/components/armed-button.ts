// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-armed-button>: arms on the first press, acts on the second within three seconds, in the same place.
import { html, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { PageElement } from './element';
import { icon, type IconName } from './icon';

@customElement('rk-armed-button')
export class ArmedButton extends PageElement {
  @property() label = '';
  @property() sure = ''; // what it says when armed
  @property() icon: IconName = 'resign';
  @property({ type: Boolean }) disabled = false;
  @state() private armed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private armedAt = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  protected override render(): TemplateResult {
    const text = this.armed ? this.sure : this.label;
    return html`<button
      class="button action ${this.armed ? 'button--armed' : ''}"
      type="button"
      ?disabled=${this.disabled}
      title=${text}
      @click=${this.press}
    >
      ${icon(this.armed ? 'check' : this.icon)}<span class="action__label" aria-live="polite">${text}</span>
    </button>`;
  }

  private readonly press = (): void => {
    clearTimeout(this.timer);
    if (!this.armed) {
      this.armed = true;
      this.armedAt = performance.now();
      this.timer = setTimeout(() => (this.armed = false), 3000);
      return;
    }
    // A double click is a slip, not a decision.
    if (performance.now() - this.armedAt < 350) {
      this.timer = setTimeout(() => (this.armed = false), 3000);
      return;
    }
    this.armed = false;
    this.dispatchEvent(new CustomEvent('armed-action'));
  };
}
