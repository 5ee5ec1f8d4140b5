// SPDX-License-Identifier: GPL-3.0-or-later
// A game as PGN text for copying, from the notation the rules module or the server made.
import type { Game } from '../api/client';
import { playerName } from '../api/words';
import { standardFen } from './fen';

const escape = (text: string): string => text.replace(/["\\]/g, '\\$&');

export function writePgn(game: Game): string {
  const date = game.created_at.slice(0, 10).replace(/-/g, '.');
  const result = game.result ?? '*';
  const tags: [string, string][] = [
    ['Event', 'Rokada'],
    ['Site', typeof location === 'undefined' ? '?' : location.origin],
    ['Date', date],
    ['Round', '-'],
    ['White', playerName(game.white)],
    ['Black', playerName(game.black)],
    ['Result', result],
  ];
  const time = ({ initial, increment }: { initial: number; increment?: number }): string => `${initial}+${increment ?? 0}`;
  if (game.clock?.black) tags.push(['WhiteTimeControl', time(game.clock)], ['BlackTimeControl', time(game.clock.black)]);
  else if (game.clock) tags.push(['TimeControl', time(game.clock)]);
  if (game.initial_fen !== standardFen) tags.push(['SetUp', '1'], ['FEN', game.initial_fen]);
  if (game.chess960) tags.push(['Variant', 'Chess960']);
  const [, turn, , , , number] = game.initial_fen.split(' ');
  const words: string[] = [];
  let ply = turn === 'b' ? 1 : 0;
  const first = Number(number ?? 1) || 1;
  game.san.forEach((san, i) => {
    const move = first + Math.floor(ply / 2);
    if (ply % 2 === 0) words.push(`${move}.`);
    else if (i === 0) words.push(`${move}...`);
    words.push(san);
    ++ply;
  });
  words.push(result);
  return `${tags.map(([name, value]) => `[${name} "${escape(value)}"]`).join('\n')}\n\n${wrap(words)}\n`;
}

// PGN lines stay under 80 columns.
function wrap(words: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line && line.length + 1 + word.length > 79) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join('\n');
}
