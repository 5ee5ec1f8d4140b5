// SPDX-License-Identifier: GPL-3.0-or-later
// What the Play card holds, and the request it becomes. Remembered for the next visit.
import type { Clock, Level, NewGame } from '../api/client';
import { readJson, writeJson } from './storage';

export type Opponent = 'computer' | 'friend' | 'device';
export type ColorChoice = 'white' | 'random' | 'black';

export interface GameForm {
  opponent: Opponent;
  friend: string; // a user or bot here; empty for a link to send
  elo: number;
  color: ColorChoice;
  clock: string; // 'none', 'own', or minutes+seconds
  minutes: number;
  increment: number;
  mode: 'increment' | 'delay' | 'bronstein';
  odds: boolean; // Black has another time
  blackMinutes: number;
  blackIncrement: number;
  evaluation: 'network' | 'classical';
  start: 'usual' | 'chess960' | 'position'; // a position of one's own stands in `fen`
  visibility: 'default' | 'public' | 'link' | 'private'; // who may watch; the server's default depends on the opponent
  draws: 'default' | 'automatic' | 'claimed'; // threefold and fifty moves; the default depends on the opponent
  fen: string;
}

export const clockChips = ['none', '3+2', '10+0', '15+10', 'own'] as const;

// The named levels as points of the same scale.
export const levelMarks: { level: Level; elo: number }[] = [
  { level: 'Easy', elo: 800 },
  { level: 'Medium', elo: 1500 },
  { level: 'Hard', elo: 2400 },
  { level: 'Full', elo: 3200 },
];

export const minElo = 400;
export const maxElo = 3200;

// Bands for the sentence under the slider; the words are in the catalogue.
export const eloBands = [600, 800, 1000, 1200, 1400, 1600, 1900, 2200, 2500, 2900, 3200] as const;

export function bandOf(elo: number): (typeof eloBands)[number] {
  return eloBands.find((limit) => elo <= limit) ?? 3200;
}

export const emptyForm: GameForm = {
  opponent: 'computer',
  friend: '',
  elo: 1000,
  color: 'random',
  clock: 'none',
  minutes: 5,
  increment: 3,
  mode: 'increment',
  odds: false,
  blackMinutes: 2,
  blackIncrement: 1,
  evaluation: 'network',
  start: 'usual',
  visibility: 'default',
  draws: 'default',
  fen: '',
};

const key = 'rokada.new-game';

export function savedForm(): GameForm {
  const saved = readJson(key);
  if (typeof saved !== 'object' || saved === null) return { ...emptyForm };
  const form = { ...emptyForm, ...(saved as Partial<GameForm>), fen: '', friend: '' };
  form.elo = Math.min(maxElo, Math.max(minElo, Number(form.elo) || emptyForm.elo));
  if (!['computer', 'friend', 'device'].includes(form.opponent)) form.opponent = 'computer';
  // A position is chosen for one game.
  if (!['usual', 'chess960'].includes(form.start)) form.start = 'usual';
  if (!['default', 'public', 'link', 'private'].includes(form.visibility)) form.visibility = 'default';
  if (!['default', 'automatic', 'claimed'].includes(form.draws)) form.draws = 'default';
  if (!(clockChips as readonly string[]).includes(form.clock)) form.clock = 'none';
  return form;
}

export const saveForm = (form: GameForm): boolean => writeJson(key, form);

export function clockOf(form: GameForm): Clock | null {
  if (form.clock === 'none') return null;
  const own = form.clock === 'own';
  const [minutes, increment] = own ? [form.minutes, form.increment] : form.clock.split('+').map(Number);
  return {
    initial: Math.round((minutes ?? 5) * 60), increment: increment ?? 0, mode: own ? form.mode : 'increment',
    ...(own && form.odds ? { black: { initial: Math.round(form.blackMinutes * 60), increment: form.blackIncrement } } : {}),
  };
}

export function requestOf(form: GameForm): NewGame {
  const wanted: NewGame = {
    opponent: form.opponent === 'computer' ? 'computer' : form.opponent === 'device' ? 'device' : form.friend ? 'user' : 'link',
    color: form.color,
    clock: clockOf(form),
  };
  if (form.opponent === 'computer') {
    const named = levelMarks.find((mark) => mark.elo === form.elo);
    if (named) wanted.level = named.level;
    else wanted.elo = form.elo;
    wanted.evaluation = form.evaluation;
  }
  if (wanted.opponent === 'user') wanted.username = form.friend;
  if (form.fen) wanted.fen = form.fen;
  else if (form.start === 'chess960') wanted.chess960 = true;
  if (form.visibility !== 'default') wanted.visibility = form.visibility;
  if (form.draws !== 'default') wanted.auto_draw = form.draws === 'automatic';
  return wanted;
}
