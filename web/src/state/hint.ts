// SPDX-License-Identifier: GPL-3.0-or-later
// One good move for a person who asks: from the server, or from the engine in this browser when the server is away.
import { api } from '../api/client';
import { t } from '../i18n';
import { toast } from './toasts';

export async function findHint(fen: string): Promise<string> {
  try {
    const answer = await api.bestMove(fen, '', undefined, 400);
    return answer.bestmove ?? '';
  } catch {
    return hintHere(fen);
  }
}

async function hintHere(fen: string): Promise<string> {
  const { BrowserEngine } = await import('../wasm/engine');
  const engine = new BrowserEngine();
  try {
    return await engine.search({ fen, moves: [], options: {}, limits: { movetime: 600 } });
  } catch {
    toast(t('game.noHint'));
    return '';
  } finally {
    engine.close();
  }
}
