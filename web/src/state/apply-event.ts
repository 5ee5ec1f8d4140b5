// SPDX-License-Identifier: GPL-3.0-or-later
// A game after one event of the live protocol. Pure: no clock, no network.
import type { Game } from '../api/client';
import type { GameEvent } from '../api/live';
import { turnOf } from '../board/fen';

export function applyEvent(game: Game, event: GameEvent): Game {
  const next: Game = { ...game, version: event.version, ply: event.ply, key: event.key, offers: { ...game.offers } };
  if (event.clocks) next.clocks = event.clocks;
  if (event.fen) {
    next.fen = event.fen;
    next.turn = turnOf(event.fen);
  }
  switch (event.kind) {
    case 'start':
      next.status = 'playing';
      // The event is the same for everybody; who "I" am stays as the snapshot said.
      if (event.white) next.white = { ...event.white, me: game.white.me };
      if (event.black) next.black = { ...event.black, me: game.black.me };
      break;
    case 'move':
      next.moves = [...game.moves.slice(0, event.ply - 1), event.uci!];
      next.san = [...game.san.slice(0, event.ply - 1), event.san!];
      next.can_claim_draw = event.can_claim_draw ?? false;
      delete next.first_move_ms;
      delete next.offers.takeback;
      if (event.draw_offer) next.offers.draw = event.draw_offer;
      else if (game.offers.draw && game.offers.draw === game.turn) next.offers.draw = game.offers.draw;
      else delete next.offers.draw;
      break;
    case 'takeback':
      next.moves = game.moves.slice(0, event.ply);
      next.san = game.san.slice(0, event.ply);
      next.can_claim_draw = false;
      next.assisted = true;
      delete next.offers.takeback;
      delete next.offers.draw;
      break;
    case 'assisted':
      next.assisted = true;
      break;
    case 'offer':
      if (event.what && event.action === 'offer') next.offers[event.what] = event.side!;
      else if (event.what) delete next.offers[event.what];
      break;
    case 'end':
      next.status = event.status ?? 'finished';
      if (event.result) next.result = event.result;
      if (event.reason && event.reason !== 'restart' && event.reason !== 'handover' && event.reason !== 'outage') next.reason = event.reason;
      next.offers = {};
      if (next.clocks) next.clocks = { ...next.clocks, running: null };
      break;
    case 'rematch':
      if (event.next) next.rematch = event.next;
      break;
    case 'mute': {
      const sides = (['white', 'black'] as const).filter((side) => (side === event.side ? event.on : game.muted === side || game.muted === 'both'));
      if (sides.length) next.muted = sides.length === 2 ? 'both' : sides[0]!;
      else delete next.muted;
      break;
    }
    default:
      break;
  }
  return next;
}
