// SPDX-License-Identifier: GPL-3.0-or-later
// Typed calls of the HTTP interface. A failure is always a Problem: the server's own, or one that
// says the server could not be reached.
import type { components } from './schema';

type Schemas = components['schemas'];
export type Game = Schemas['Game'];
export type GameSummary = Schemas['GameSummary'];
export type GameList = Schemas['GameList'];
export type Me = Schemas['Me'];
export type ServerInfo = Schemas['ServerInfo'];
export type NewGame = Schemas['NewGame'];
export type Player = Schemas['Player'];
export type Clocks = Schemas['Clocks'];
export type Clock = Schemas['Clock'];
export type Profile = Schemas['Profile'];
export type Side = Schemas['Side'];
export type Level = Schemas['Level'];
export type Reason = Schemas['Reason'];
export type FieldError = Schemas['FieldError'];
export type PositionInfo = Schemas['PositionInfo'];
export type BestMove = Schemas['BestMove'];
export type Upload = Schemas['Upload'];

export class Problem extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    readonly detail = '',
    readonly errors: FieldError[] = [],
    readonly game?: Game,
  ) {
    super(detail || code);
  }

  get offline(): boolean {
    return this.status === 0;
  }
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const body = (await response.json()) as Partial<Schemas['Problem']>;
    return new Problem(body.code ?? 'unknown', response.status, body.detail ?? body.title, body.errors ?? [], body.game);
  } catch {
    return new Problem(response.status >= 500 ? 'server' : 'unknown', response.status);
  }
}

export async function call<T>(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Problem('offline', 0);
  }
  if (!response.ok) throw await problemOf(response);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch {
    throw new Problem('server', response.status);
  }
}

const query = (values: Record<string, string | number | undefined>): string => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) if (value !== undefined && value !== '') search.set(key, String(value));
  const text = search.toString();
  return text ? `?${text}` : '';
};

export interface GameFilter {
  scope?: 'latest' | 'mine';
  state?: 'any' | 'playing' | 'finished';
  player?: string;
  limit?: number;
  after?: string;
}

const game = (id: string): string => `/api/v1/games/${encodeURIComponent(id)}`;

export const api = {
  me: () => call<Me>('GET', '/api/v1/me'),
  register: (username: string, password: string, code?: string) =>
    call<Me>('POST', '/api/v1/register', code ? { username, password, code } : { username, password }),
  login: (username: string, password: string, code?: string) =>
    call<Me>('POST', '/api/v1/login', code ? { username, password, code } : { username, password }),
  exit: () => call<void>('POST', '/api/v1/exit'),
  logout: () => call<void>('POST', '/api/v1/logout'),
  profile: (name: string) => call<Profile>('GET', `/api/v1/users/${encodeURIComponent(name)}`),

  games: (filter: GameFilter = {}) => call<GameList>('GET', `/api/v1/games${query({ ...filter })}`),
  createGame: (wanted: NewGame) => call<Game>('POST', '/api/v1/games', wanted),
  game: (id: string) => call<Game>('GET', game(id)),
  pgnAddress: (id: string) => `${game(id)}.pgn`,
  move: (id: string, ply: number, uci: string, offerDraw = false) =>
    call<Game>('PUT', `${game(id)}/moves/${ply}`, offerDraw ? { uci, offer_draw: true } : { uci }),
  decline: (id: string) => call<Game>('POST', `${game(id)}/decline`),
  challenges: () => call<{ received: GameSummary[]; sent: GameSummary[] }>('GET', '/api/v1/challenges'),
  here: async () => (await call<{ people: { username: string; bot: boolean }[] }>('GET', '/api/v1/here')).people,
  join: (id: string) => call<Game>('POST', `${game(id)}/join`),
  resign: (id: string) => call<Game>('POST', `${game(id)}/resign`),
  abort: (id: string) => call<Game>('POST', `${game(id)}/abort`),
  takeback: (id: string, action: 'offer' | 'accept' | 'decline' = 'offer') => call<Game>('POST', `${game(id)}/takeback`, { action }),
  draw: (id: string, action: 'offer' | 'accept' | 'decline' | 'claim' = 'offer') => call<Game>('POST', `${game(id)}/draw`, { action }),
  rematch: (id: string, action: 'offer' | 'accept' | 'decline' = 'offer') => call<Game>('POST', `${game(id)}/rematch`, { action }),
  claim: (id: string, result: 'win' | 'draw') => call<Game>('POST', `${game(id)}/claim`, { result }),

  assisted: (id: string) => call<Game>('POST', `${game(id)}/assisted`),
  say: (id: string, text: string) => call<Game>('POST', `${game(id)}/chat`, { text }),
  mute: (id: string, on: boolean) => call<Game>('POST', `${game(id)}/mute`, { on }),

  upload: (client: string, body: Upload) => call<Game>('PUT', `/api/v1/uploads/${encodeURIComponent(client)}`, body),
  position: (fen: string) => call<PositionInfo>('GET', `/api/v1/position${query({ fen })}`),
  bestMove: (fen: string, moves: string, elo?: number, movetime?: number) =>
    call<BestMove>('GET', `/api/v1/bestmove${query({ fen, moves, elo, movetime })}`),
};
