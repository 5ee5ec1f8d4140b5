// SPDX-License-Identifier: GPL-3.0-or-later
// The score sheet: seen only on paper. Names, result, the moves in columns, the shown and the last position.
import { html, type TemplateResult } from 'lit';
import type { GameReport } from '@rokada/wasm';
import type { Game } from '../api/client';
import { playerLevel, playerName } from '../api/words';
import { miniBoard } from '../board/mini-board';
import { writeMove } from '../board/notation';
import { formatDate, language, t } from '../i18n';
import { settings } from '../state/settings';
import { endText } from './game-notice';

export function printSheet(game: Game, report: GameReport, ply: number, orientation: 'white' | 'black'): TemplateResult {
  const { notation, letters } = settings.state;
  const tongue = letters === 'english' ? 'en' : language();
  const move = (at: number): string => (report.san[at] === undefined ? '' : writeMove(report.san[at], game.moves[at] ?? '', notation, tongue));
  const [, turn, , , , number] = game.initial_fen.split(' ');
  const offset = turn === 'b' ? 1 : 0;
  const first = Number(number ?? 1) || 1;
  const rows = Array.from({ length: Math.ceil((report.san.length + offset) / 2) }, (_, row) => row);
  const who = (player: Game['white']): string => [playerName(player), playerLevel(player)].filter(Boolean).join(', ');
  const over = game.status === 'finished' || game.status === 'aborted';
  const last = report.fens.length - 1;
  const diagram = (at: number): TemplateResult => html`<figure class="paper__diagram">
    ${miniBoard(report.fens[at]!, orientation)}
    <figcaption>${at === 0 ? t('home.startPosition') : `${first + Math.floor((at - 1 + offset) / 2)}${(at - 1 + offset) % 2 ? '…' : '.'} ${move(at - 1)}`}</figcaption>
  </figure>`;
  return html`<section class="paper" aria-hidden="true">
    <p class="paper__names">${who(game.white)} – ${who(game.black)}</p>
    <p>${formatDate(game.created_at)}${report.opening ? ` · ${report.opening.code} ${report.opening.name}` : ''}${over ? ` · ${endText(game)}` : ''}</p>
    <div class="paper__diagrams">${diagram(last)} ${ply === last ? '' : diagram(ply)}</div>
    <ol class="paper__moves">
      ${rows.map((row) => html`<li><span>${first + row}.</span><span>${row * 2 - offset < 0 ? '…' : move(row * 2 - offset)}</span><span>${move(row * 2 + 1 - offset)}</span></li>`)}
    </ol>
  </section>`;
}
