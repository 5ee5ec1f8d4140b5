// SPDX-License-Identifier: GPL-3.0-or-later
// Games against the computer in this browser go to the server once they are over and the server answers, so that they
// stand in the lists and on the profile. Sent as often as needed, kept there once. Games of two people on this device stay here.
import { api, Problem, type Game, type Upload } from '../api/client';
import { standardFen } from '../board/fen';
import { localGames, writeLocalGame } from './local-games';
import { loadSession, session } from './session';

const declared = ['resignation', 'agreement', 'time', 'abandonment', 'aborted', 'threefold-repetition', 'fifty-moves'] as const;

// What the board decides is decided there; the rest is told. A fallen flag is told as lost; what it means is decided there too.
function toldEnd(game: Game): Pick<Upload, 'result' | 'reason'> | null {
  if (game.reason === 'time-against-bare-king') return { result: game.clocks?.white_ms === 0 ? '0-1' : '1-0', reason: 'time' };
  const reason = declared.find((word) => word === game.reason);
  return reason ? { result: game.result ?? '*', reason } : null;
}

export function uploadOf(game: Game): Upload {
  const computer = game.white.kind === 'computer' ? game.white : game.black;
  const told = toldEnd(game);
  return {
    opponent: 'page',
    color: game.seat === 'black' ? 'black' : 'white',
    ...(computer.level ? { level: computer.level } : { elo: computer.elo ?? 1500 }),
    ...(computer.evaluation ? { evaluation: computer.evaluation } : {}),
    ...(game.initial_fen === standardFen ? {} : { fen: game.initial_fen }),
    ...(game.chess960 ? { chess960: true } : {}),
    clock: game.clock,
    visibility: game.visibility,
    moves: game.moves,
    ...(game.assisted ? { assisted: true } : {}),
    ...(game.auto_draw ? {} : { auto_draw: false }),
    ...(told ?? {}),
  };
}

const wanted = (game: ReturnType<typeof localGames>[number]): boolean =>
  game.opponent === 'page' && game.status === 'finished' && game.moves.length > 1 && !game.uploaded;

let running = false;

export async function sendLocalGames(): Promise<void> {
  if (running || !session.state.me) return;
  running = true;
  try {
    for (const game of localGames().filter(wanted)) {
      const made = await api.upload(game.id, uploadOf(game));
      writeLocalGame({ ...game, uploaded: made.id });
    }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    // Away: the server is looked for until it answers, and then they are sent. Too many at once: the next visit goes on.
    if (problem.offline) setTimeout(() => void loadSession(), 3000);
  } finally {
    running = false;
  }
}
