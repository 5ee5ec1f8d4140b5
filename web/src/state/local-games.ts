// SPDX-License-Identifier: GPL-3.0-or-later
// Games that live in this browser: two people on this device, or the computer thinking here.
// Stored in the same shape as games of the server, so that every list and page can show them.
import type { Game, GameSummary } from '../api/client';
import { standardFen, turnOf } from '../board/fen';
import { t } from '../i18n';
import { fullClocks } from './clock';
import { clockOf, levelMarks, type GameForm } from './new-game';
import { randomId, readJson, removeKey, writeJson } from './storage';

const prefix = 'rokada.game.';
const indexKey = 'rokada.games';
const keep = 60; // older finished games make room

// What this browser knows beyond the game itself.
export interface LocalRecord extends Game {
  uploaded?: string; // its id on the server, once it is there
}

export const isLocalId = (id: string): boolean => id.startsWith('local-');

function ids(): string[] {
  const saved = readJson(indexKey);
  return Array.isArray(saved) ? saved.filter((id): id is string => typeof id === 'string') : [];
}

export function readLocalGame(id: string): LocalRecord | null {
  const saved = readJson(prefix + id) as LocalRecord | null;
  return saved && Array.isArray(saved.moves) && typeof saved.initial_fen === 'string' ? saved : null;
}

export function writeLocalGame(game: LocalRecord): boolean {
  const known = ids();
  if (!known.includes(game.id)) {
    const all = [game.id, ...known];
    for (const old of all.splice(keep)) removeKey(prefix + old);
    writeJson(indexKey, all);
  }
  return writeJson(prefix + game.id, game);
}

export function removeLocalGame(id: string): void {
  removeKey(prefix + id);
  writeJson(indexKey, ids().filter((known) => known !== id));
}

export function localGames(): LocalRecord[] {
  return ids()
    .map(readLocalGame)
    .filter((game): game is LocalRecord => game !== null)
    .sort((a, b) => b.updated_at.localeCompare(a.updated_at));
}

export function summaryOf(game: Game): GameSummary {
  const { id, opponent, white, black, seat, status, result, reason, fen, ply, turn, assisted, chess960, clock, created_at, updated_at } = game;
  return {
    id, opponent, white, black, seat, status, result, reason, fen, ply, turn, assisted, chess960, clock, created_at, updated_at,
    last_move: game.moves[game.moves.length - 1],
    ...(!chess960 && game.initial_fen !== standardFen ? { from_position: true } : {}),
  };
}

export const localSummaries = (): GameSummary[] => localGames().map(summaryOf);

// One of the 960 start positions; the fen goes into the form.
export async function drawStart(form: GameForm): Promise<GameForm> {
  if (form.fen || form.start !== 'chess960') return form;
  const { rules } = await import('../wasm/rules');
  return { ...form, fen: (await rules()).chess960(crypto.getRandomValues(new Uint16Array(1))[0]! % 960) };
}

// Makes the game and gives its id; the page at /game/ID does the rest.
export function startLocalGame(form: GameForm): string {
  const device = form.opponent === 'device';
  const fen = form.fen || standardFen;
  const side = form.color === 'random' ? (crypto.getRandomValues(new Uint8Array(1))[0]! % 2 ? 'white' : 'black') : form.color;
  const clock = clockOf(form);
  const now = new Date().toISOString();
  const named = levelMarks.find((mark) => mark.elo === form.elo);
  const computer: Game['white'] = {
    kind: 'computer',
    name: t('player.computer'),
    evaluation: form.evaluation,
    ...(named ? { level: named.level } : { elo: form.elo }),
  };
  const me: Game['white'] = { kind: 'guest', name: t('player.you'), me: true };
  const game: Game = {
    id: `local-${randomId()}`,
    opponent: device ? 'device' : 'page',
    white: device ? { kind: 'device', name: t('color.white') } : side === 'white' ? me : computer,
    black: device ? { kind: 'device', name: t('color.black') } : side === 'black' ? me : computer,
    seat: device ? 'both' : side,
    status: 'playing',
    assisted: false,
    initial_fen: fen,
    chess960: form.start === 'chess960',
    moves: [],
    san: [],
    fen,
    ply: 0,
    turn: turnOf(fen),
    key: '0000000000000000',
    version: 0,
    clock,
    clocks: clock ? fullClocks(clock) : null,
    offers: {},
    auto_draw: form.draws !== 'claimed',
    visibility: form.visibility === 'default' ? (device ? 'private' : 'public') : form.visibility,
    created_at: now,
    updated_at: now,
  };
  writeLocalGame(game);
  return game.id;
}
