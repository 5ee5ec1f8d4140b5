// SPDX-License-Identifier: GPL-3.0-or-later
// The WebSocket of this tab (docs/live-protocol.md): follows games, reconnects by itself, and tells its
// followers when it is not connected. Actions go over HTTP; this only brings the news.
import type { Clocks, Game, GameSummary, Player, Reason, Side } from './client';

export interface GameEvent {
  t: 'event';
  game: string;
  version: number;
  ply: number;
  key: string;
  kind: 'start' | 'move' | 'takeback' | 'offer' | 'end' | 'rematch' | 'clock' | 'chat' | 'mute' | 'assisted';
  uci?: string;
  san?: string;
  fen?: string;
  clocks?: Clocks;
  draw_offer?: Side;
  can_claim_draw?: boolean;
  moves?: number;
  what?: 'draw' | 'takeback' | 'rematch';
  side?: Side;
  action?: 'offer' | 'decline';
  status?: Game['status'];
  result?: Game['result'];
  reason?: Reason | 'restart' | 'handover' | 'outage';
  next?: string;
  white?: Player;
  black?: Player;
  name?: string;
  text?: string;
  on?: boolean;
}

export type LiveMessage =
  | GameEvent
  | { t: 'hello' }
  | { t: 'snapshot'; game: string; version: number; state: Game }
  | { t: 'watching'; game: string; version: number }
  | { t: 'presence'; game: string; white: boolean; black: boolean; watchers: number; gone?: { side: Side; claim_ms: number } }
  | { t: 'games'; changed?: GameSummary[]; removed?: string[] }
  | { t: 'pong' }
  | { t: 'error'; game?: string; code: string; detail?: string }
  | { t: 'ack' };

export interface Follower {
  version(): number | undefined; // undefined asks for a snapshot
  message(message: LiveMessage): void;
  connection(open: boolean, restarting?: boolean): void;
}

const pingEvery = 10_000;
const silenceLimit = 25_000;
const serviceRestart = 1012; // the code with which a server closes that is told to end
const restartTime = 60_000; // it is expected back within

export class Live {
  private socket: WebSocket | undefined;
  private readonly followers = new Map<string, Follower>();
  private attempts = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;
  private heard = 0;
  private expectedBack = 0; // until then its absence is a restart
  private listener: ((message: LiveMessage) => void) | undefined;

  constructor(
    private readonly address: () => string,
    private readonly make: (address: string) => WebSocket = (to) => new WebSocket(to),
  ) {}

  follow(game: string, follower: Follower): () => void {
    this.followers.set(game, follower);
    if (this.ready) this.watch(game, follower);
    else this.connect();
    return () => {
      if (this.followers.get(game) !== follower) return;
      this.followers.delete(game);
      this.send({ t: 'leave', game });
      this.closeWhenIdle();
    };
  }

  // Changes of the lists on the home page.
  followLists(listener: (message: LiveMessage) => void): () => void {
    this.listener = listener;
    if (this.ready) this.send({ t: 'games', on: true });
    else this.connect();
    return () => {
      if (this.listener !== listener) return;
      this.listener = undefined;
      this.send({ t: 'games', on: false });
      this.closeWhenIdle();
    };
  }

  // Asks again from the follower's version: after a gap or a drift.
  resume(game: string): void {
    const follower = this.followers.get(game);
    if (follower && this.ready) this.watch(game, follower);
  }

  // Another person uses this page now: the socket must say so too.
  restart(): void {
    const { socket } = this;
    if (!socket) return;
    this.socket = undefined;
    clearInterval(this.beat);
    socket.close(1000);
    if (this.wanted) this.connect();
  }

  // The network is back or the page is visible again: do not wait for the timer.
  wake(): void {
    if (!this.wanted || this.ready || this.socket) return;
    this.connect();
  }

  private get ready(): boolean {
    return this.socket?.readyState === 1;
  }

  private get wanted(): boolean {
    return this.followers.size > 0 || this.listener !== undefined;
  }

  private connect(): void {
    if (this.socket) return;
    clearTimeout(this.retry);
    const socket = this.make(this.address());
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.expectedBack = 0;
      this.heard = Date.now();
      for (const [game, follower] of this.followers) this.watch(game, follower);
      if (this.listener) this.send({ t: 'games', on: true });
      for (const follower of this.followers.values()) follower.connection(true);
      this.beat = setInterval(() => this.tick(socket), pingEvery);
    };
    socket.onmessage = (event) => {
      this.heard = Date.now();
      this.receive(String(event.data));
    };
    socket.onclose = ({ code }) => {
      if (code === serviceRestart && this.socket === socket) this.expectedBack = Date.now() + restartTime;
      this.lost(socket);
    };
  }

  private tick(socket: WebSocket): void {
    if (Date.now() - this.heard > silenceLimit) {
      socket.close();
      this.lost(socket);
    } else this.send({ t: 'ping', n: Date.now() });
  }

  private lost(socket: WebSocket): void {
    if (this.socket !== socket) return;
    const restarting = Date.now() < this.expectedBack;
    this.socket = undefined;
    clearInterval(this.beat);
    for (const follower of this.followers.values()) follower.connection(false, restarting);
    if (!this.wanted) return;
    const delay = Math.min(15_000, 400 * 2 ** this.attempts++);
    this.retry = setTimeout(() => this.connect(), delay * (0.7 + 0.6 * Math.random()));
  }

  private closeWhenIdle(): void {
    if (this.wanted) return;
    clearTimeout(this.retry);
    clearInterval(this.beat);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close(1000);
  }

  private watch(game: string, follower: Follower): void {
    const version = follower.version();
    this.send(version === undefined ? { t: 'watch', game } : { t: 'watch', game, version });
  }

  private send(message: object): void {
    if (this.ready) this.socket!.send(JSON.stringify(message));
  }

  private receive(text: string): void {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return;
    }
    for (const message of (Array.isArray(parsed) ? parsed : [parsed]) as LiveMessage[]) {
      if (message.t === 'games') this.listener?.(message);
      else if ('game' in message && message.game) this.followers.get(message.game)?.message(message);
    }
  }
}

let shared: Live | undefined;

export function live(): Live {
  if (!shared) {
    const created = new Live(() => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/v1/live`);
    addEventListener('online', () => created.wake());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) created.wake();
    });
    shared = created;
  }
  return shared;
}
