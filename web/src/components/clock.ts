// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-clock>: one side's time, counted down in the page between two words of the referee.
import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Clocks, Side } from '../api/client';
import { t } from '../i18n';
import { playSound } from '../sound/sounds';
import { clockText, timeLeft, urgency } from '../state/clock';
import { settings } from '../state/settings';
import { PageElement } from './element';

@customElement('rk-clock')
export class ClockFace extends PageElement {
  @property({ attribute: false }) clocks: Clocks | null = null;
  @property() side: Side = 'white';
  @property({ type: Number }) receivedAt = 0;
  @property({ type: Boolean }) warn = false; // sounds for the person's own clock
  private timer: ReturnType<typeof setTimeout> | undefined;
  private warned = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  protected override render(): TemplateResult {
    if (!this.clocks) return html``;
    const left = this.left();
    const running = this.clocks.running === this.side;
    return html`<span
      class="clock clock--${urgency(left)} ${running ? 'clock--running' : ''}"
      role="timer"
      aria-label=${t('clock.left', { side: t(`color.${this.side}`) })}
      >${clockText(left)}</span
    >`;
  }

  private left(): number {
    return timeLeft(this.clocks!, this.side, performance.now() - this.receivedAt);
  }

  protected override updated(): void {
    clearTimeout(this.timer);
    if (!this.clocks || this.clocks.running !== this.side) return;
    const left = this.left();
    if (left <= 0) return;
    if (this.warn && left < 20_000 && !this.warned && settings.state.lowTimeSound) {
      this.warned = true;
      playSound('low');
    } else if (left > 30_000) this.warned = false;
    // Wake at the next change of the shown text.
    const step = left < 20_000 ? 100 : 1000;
    this.timer = setTimeout(() => this.requestUpdate(), (left % step) + 4);
  }
}
