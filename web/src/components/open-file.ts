// SPDX-License-Identifier: GPL-3.0-or-later
// A button that reads a text file of the person's own, such as a saved game.
import { html, type TemplateResult } from 'lit';
import { t } from '../i18n';
import { icon } from './icon';

export function openFile(onText: (text: string) => void): TemplateResult {
  return html`<label class="button open-file">
    ${icon('folder')} ${t('share.open')}
    <input class="visually-hidden" type="file" accept=".pgn,.txt,.fen,application/x-chess-pgn,text/plain" @change=${async (event: Event) => {
      const input = event.target as HTMLInputElement;
      const [file] = input.files ?? [];
      if (file) onText(await file.text());
      input.value = ''; // the same file may be chosen again
    }} />
  </label>`;
}
