// SPDX-License-Identifier: GPL-3.0-or-later
// One good move for a person who asks: from the engine on the server.
import { api } from '../api/client';
import { t } from '../i18n';
import { toast } from './toasts';

export async function findHint(fen: string): Promise<string> {
  try {
    const answer = await api.bestMove(fen, '', undefined, 400);
    return answer.bestmove ?? '';
  } catch {
    toast(t('game.noHint'));
    return '';
  }
}
