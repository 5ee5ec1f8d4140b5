// SPDX-License-Identifier: GPL-3.0-or-later
// One small store per page: a plain state object, changed by patches, watched by elements.
import type { ReactiveController, ReactiveControllerHost } from 'lit';

export class Store<State extends object> {
  private readonly listeners = new Set<(state: State) => void>();

  constructor(public state: State) {}

  set(patch: Partial<State>): void {
    this.state = { ...this.state, ...patch };
    for (const listener of [...this.listeners]) listener(this.state);
  }

  subscribe(listener: (state: State) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

// Redraws its element whenever the store changes, for as long as the element is on the page.
export class Watch<State extends object> implements ReactiveController {
  private stop: (() => void) | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly store: Store<State>,
  ) {
    host.addController(this);
  }

  get state(): State {
    return this.store.state;
  }

  hostConnected(): void {
    this.stop = this.store.subscribe(() => this.host.requestUpdate());
  }

  hostDisconnected(): void {
    this.stop?.();
  }
}
