// SPDX-License-Identifier: GPL-3.0-or-later
// The notification line: one sentence that says what matters most right now.
import type { Game } from '../api/client';
import { reasonText } from '../api/words';
import { t } from '../i18n';
import type { GameView } from '../state/game-controller';
import type { SessionState } from '../state/game-session';

export interface Notice {
  text: string;
  tone: 'calm' | 'mine' | 'bad' | 'end';
}

export function endText(game: Game): string {
  if (game.reason === 'declined') return t('challenge.declined', { name: game.invited?.name ?? '' });
  if (game.status === 'aborted') return t('game.aborted');
  const reason = reasonText(game.reason);
  if (game.result === '1/2-1/2') return t('game.drawn', { reason });
  const winner = game.result === '1-0' ? 'white' : 'black';
  if (game.seat === winner) return t('game.youWon', { reason });
  if (game.seat === 'white' || game.seat === 'black') return t('game.youLost', { reason });
  return t(winner === 'white' ? 'game.whiteWon' : 'game.blackWon', { reason });
}

export function gameNotice(state: SessionState, view: GameView): Notice {
  const { game } = state;
  if (!game) return { text: t(state.connection === 'offline' ? 'game.offline' : 'game.loading'), tone: 'calm' };
  if (view.refusal) return { text: view.refusal.text, tone: 'bad' };
  if (game.status === 'finished' || game.status === 'aborted') return { text: endText(game), tone: 'end' };
  if (game.status === 'waiting') return { text: t(game.seat ? 'game.waiting' : 'game.invited'), tone: 'calm' };
  if (state.message) return { text: state.message, tone: 'bad' };
  if (state.connection === 'restarting') return { text: t('game.restarting'), tone: 'bad' };
  if (state.connection === 'offline') return { text: t('game.offline'), tone: 'bad' };
  const offer = offerText(game);
  if (offer) return { text: offer, tone: 'mine' };
  const check = view.report?.position.check ? `${t('game.check')} ` : '';
  if (game.seat === 'both' || game.seat === null)
    return { text: check + t(game.turn === 'white' ? 'game.whiteToMove' : 'game.blackToMove'), tone: 'calm' };
  if (state.pending) return { text: t('game.sending'), tone: 'calm' };
  if (game.turn === game.seat) return { text: check + t('game.yourMove'), tone: 'mine' };
  if (view.premoves.length) return { text: t('game.premoves', { n: view.premoves.length }), tone: 'calm' };
  return { text: check + t(game.opponent === 'person' ? 'game.theirMove' : 'game.thinking'), tone: 'calm' };
}

function offerText(game: Game): string {
  const { draw, takeback } = game.offers;
  if (draw) return t(draw === game.seat ? 'game.drawOffered' : 'game.drawWanted');
  if (takeback) return t(takeback === game.seat ? 'game.takebackOffered' : 'game.takebackWanted');
  return '';
}
