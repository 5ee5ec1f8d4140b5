// SPDX-License-Identifier: GPL-3.0-or-later
// A game on the server. Own moves appear at once, marked as not confirmed, and are sent until the server
// has them; news arrives over the live socket.
import { api, Problem, type Game } from '../api/client';
import { live, type GameEvent, type LiveMessage } from '../api/live';
import { problemText } from '../api/words';
import { t } from '../i18n';
import { applyEvent } from './apply-event';
import { emptySession, type ChatLine, type GameSession, type OfferAction, type SessionState } from './game-session';
import { readTabJson, writeTabJson } from './storage';
import { Store } from './store';

export class ServerGame implements GameSession {
  readonly local = false;
  readonly store = new Store<SessionState>({ ...emptySession, connection: 'connecting' });
  private unfollow: (() => void) | undefined;
  private closed = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pendingPly = 0;
  private helped = false; // told to the server, which may not have answered yet

  private readonly chatKey: string;

  constructor(private readonly id: string) {
    // What was said survives a reload of this tab; the server tells each line once.
    this.chatKey = `rokada.chat.${id}`;
    const saved = readTabJson(this.chatKey);
    if (Array.isArray(saved)) this.store.set({ chat: saved as ChatLine[] });
  }

  open(): void {
    void this.load();
  }

  close(): void {
    this.closed = true;
    this.unfollow?.();
    clearTimeout(this.retry);
  }

  private async load(): Promise<void> {
    try {
      this.receive(await api.game(this.id));
      this.follow();
    } catch (problem) {
      if (this.closed) return;
      if (problem instanceof Problem && !problem.offline && problem.status < 500) this.store.set({ problem });
      else {
        this.store.set({ connection: 'offline' });
        this.retry = setTimeout(() => void this.load(), 2000);
      }
    }
  }

  private follow(): void {
    if (this.closed || this.unfollow) return;
    this.unfollow = live().follow(this.id, {
      version: () => this.store.state.game?.version,
      message: (message) => this.hear(message),
      connection: (open, restarting) => this.connection(open, restarting),
    });
  }

  private connection(open: boolean, restarting = false): void {
    this.store.set({ connection: open ? 'online' : restarting ? 'restarting' : 'offline' });
    // A move that was on its way when the line broke is sent again; the server plays it once.
    if (open && this.store.state.pending) void this.send(this.store.state.pending);
  }

  private hear(message: LiveMessage): void {
    if (message.t === 'snapshot') this.receive(message.state, true);
    else if (message.t === 'event') this.event(message);
    else if (message.t === 'presence') {
      const { white, black, watchers, gone } = message;
      this.store.set({
        presence: { white, black, watchers, ...(gone ? { gone: { side: gone.side, claimAt: performance.now() + gone.claim_ms } } : {}) },
      });
    }
  }

  private event(event: GameEvent): void {
    const { game, pending } = this.store.state;
    if (!game || event.version <= game.version) return;
    if (event.version > game.version + 1) {
      live().resume(this.id);
      return;
    }
    if (event.kind === 'start' && !game.seat) {
      // Somebody took the seat; who that is depends on the reader.
      void this.refresh();
    }
    const mine = event.kind === 'move' && event.uci === pending;
    const patch: Partial<SessionState> = { game: applyEvent(game, event), message: '' };
    if (event.clocks) patch.receivedAt = performance.now();
    if (mine || event.kind === 'takeback' || event.kind === 'end') patch.pending = '';
    if (event.kind === 'clock' && event.reason === 'restart') patch.message = t('game.timeBack');
    if (event.kind === 'clock' && event.reason === 'outage') patch.message = t('game.outage');
    if (event.kind === 'offer' && event.action === 'decline') patch.message = t('game.declined');
    if (event.kind === 'chat') {
      patch.chat = [...this.store.state.chat, { name: event.name ?? '', text: event.text ?? '' }].slice(-200);
      writeTabJson(this.chatKey, patch.chat);
    }
    this.store.set(patch);
  }

  private receive(game: Game, force = false): void {
    const { game: known, pending } = this.store.state;
    if (!force && known && known.version > game.version) return;
    const confirmed = pending !== '' && (game.moves[this.pendingPly - 1] === pending || game.status !== 'playing');
    this.store.set({ game, receivedAt: performance.now(), problem: null, ...(confirmed ? { pending: '' } : {}) });
  }

  private async refresh(): Promise<void> {
    try {
      this.receive(await api.game(this.id), true);
    } catch {
      live().resume(this.id);
    }
  }

  play(uci: string): void {
    if (this.store.state.pending) return;
    this.pendingPly = (this.store.state.game?.moves.length ?? 0) + 1;
    this.store.set({ pending: uci, message: '' });
    void this.send(uci);
  }

  private async send(uci: string, attempt = 0): Promise<void> {
    try {
      const game = await api.move(this.id, this.pendingPly, uci);
      this.receive(game);
    } catch (problem) {
      if (this.closed || this.store.state.pending !== uci) return;
      if (problem instanceof Problem && !problem.offline && problem.status < 500) {
        this.store.set({ pending: '', message: problemText(problem) });
        if (problem.game) this.receive(problem.game, true);
        else void this.refresh();
      } else {
        this.store.set({ message: t('game.retrying') });
        this.retry = setTimeout(() => void this.send(uci, attempt + 1), Math.min(8000, 500 * 2 ** attempt));
      }
    }
  }

  takeback(action: OfferAction): void {
    void this.act(() => api.takeback(this.id, action));
  }

  draw(action: OfferAction | 'claim'): void {
    void this.act(() => api.draw(this.id, action));
  }

  resign(): void {
    void this.act(() => api.resign(this.id));
  }

  abort(): void {
    void this.act(() => api.abort(this.id));
  }

  rematch(action: OfferAction): void {
    void this.act(() => api.rematch(this.id, action));
  }

  claim(result: 'win' | 'draw'): void {
    void this.act(() => api.claim(this.id, result));
  }

  join(): void {
    void this.act(async () => {
      const game = await api.join(this.id);
      this.receive(game, true);
      live().resume(this.id);
      return game;
    });
  }

  assisted(): void {
    const { game } = this.store.state;
    if (!game?.seat || game.assisted || this.helped || game.status !== 'playing' || game.opponent === 'person') return;
    this.helped = true;
    void this.act(() => api.assisted(this.id));
  }

  decline(): void {
    void this.act(() => api.decline(this.id));
  }

  say(text: string): void {
    void this.act(() => api.say(this.id, text));
  }

  mute(on: boolean): void {
    void this.act(() => api.mute(this.id, on));
  }

  private async act(action: () => Promise<Game>): Promise<void> {
    try {
      this.receive(await action());
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.store.set({ message: problemText(problem) });
      if (problem.game) this.receive(problem.game, true);
    }
  }
}
