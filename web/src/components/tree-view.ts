// SPDX-License-Identifier: GPL-3.0-or-later
// A tree of moves as running text: the main line, variations in brackets beneath it.
import { html, nothing, type TemplateResult } from 'lit';
import { writeMove } from '../board/notation';
import { language, t } from '../i18n';
import type { MoveNode, MoveTree } from '../state/move-tree';
import { settings } from '../state/settings';

export function treeView(tree: MoveTree, current: MoveNode, onShow: (node: MoveNode) => void): TemplateResult {
  if (!tree.root.children.length) return html`<p class="tree__empty muted">${t('analysis.empty')}</p>`;
  const [, turn, , , , number] = tree.root.fen.split(' ');
  const offset = ((Number(number ?? 1) || 1) - 1) * 2 + (turn === 'b' ? 1 : 0);
  const { notation, letters } = settings.state;

  const move = (node: MoveNode, forced: boolean): TemplateResult => {
    const half = offset + node.ply - 1;
    const count = Math.floor(half / 2) + 1;
    const prefix = half % 2 === 0 ? `${count}.` : forced ? `${count}…` : '';
    const text = writeMove(node.san, node.uci, notation, letters === 'english' ? 'en' : language());
    return html`${prefix ? html`<span class="tree__number">${prefix}</span>` : ''}<button
        type="button"
        class="moves__move"
        data-node=${node.id}
        aria-current=${node === current ? 'true' : nothing}
        @click=${() => onShow(node)}
      >
        ${text}</button
      > `;
  };
  const line = (from: MoveNode, forced: boolean): TemplateResult[] => {
    const parts: TemplateResult[] = [];
    let at = from;
    let needsNumber = forced;
    for (;;) {
      const [main, ...others] = at.children;
      if (!main) return parts;
      parts.push(move(main, needsNumber));
      needsNumber = others.length > 0;
      for (const other of others)
        parts.push(html`<div class="tree__variation">${move(other, true)}${line(other, false)}</div>`);
      at = main;
    }
  };
  return html`<div class="tree">${line(tree.root, true)}</div>`;
}
