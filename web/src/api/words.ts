// SPDX-License-Identifier: GPL-3.0-or-later
// Codes of the server in words of the reader's language. An unknown code gets an honest general sentence.
import { t, type MessageKey } from '../i18n';
import { en } from '../i18n/en';
import type { FieldError, Game, GameSummary, Player, Problem, Reason } from './client';

const known = (key: string): key is MessageKey => key in en;

export function problemText(problem: Problem): string {
  const key = `problem.${problem.code}`;
  return known(key) ? t(key) : problem.detail || t('problem.unknown');
}

export function fieldText(error: FieldError): string {
  const exact = `field.${error.field}.${error.code}`;
  if (known(exact)) return t(exact);
  const general = `field.${error.code}`;
  return known(general) ? t(general) : error.message;
}

export function playerName(player: Player): string {
  switch (player.kind) {
    case 'computer': return t('player.computer');
    case 'open': return t('player.open');
    case 'deleted': return t('player.deleted');
    case 'device': return player.name || t('player.device');
    // The server numbers its guests: "Guest 4711".
    case 'guest': return player.name.replace(/^Guest(?= |$)/, t('player.guest')) || t('player.guest');
    default: return player.name;
  }
}

export function playerLevel(player: Player): string {
  if (player.level) return t(`level.${player.level}`);
  return player.elo ? String(player.elo) : '';
}

export function reasonText(reason: Reason | undefined): string {
  return reason ? t(`reason.${reason}`) : '';
}

// 1–0, 0–1, ½–½.
export const scoreMark = (result: string): string => result.replace(/1\/2/g, '½').replace('-', '–');

// The result for a list, as the reader sees it: won, lost, drawn, or the plain score of others.
export function resultMark(game: Game | GameSummary): 'won' | 'lost' | 'drawn' | 'live' | 'none' {
  if (game.status === 'playing' || game.status === 'waiting') return 'live';
  if (!game.result) return 'none';
  if (game.result === '1/2-1/2') return 'drawn';
  if (game.seat !== 'white' && game.seat !== 'black') return 'none';
  return (game.result === '1-0') === (game.seat === 'white') ? 'won' : 'lost';
}

export function resultText(game: Game | GameSummary): string {
  const mark = resultMark(game);
  if (game.status === 'waiting') return t('result.waiting');
  if (mark === 'live') return t('result.playing');
  if (game.status === 'aborted') return t('result.aborted');
  if (mark === 'won' || mark === 'lost') return t(`result.${mark}`);
  return scoreMark(game.result ?? '');
}
