// SPDX-License-Identifier: GPL-3.0-or-later
// Moves with variations: the first child of a node is its main line. Pure data; the rules module gives SAN and FEN.
import { standardFen } from '../board/fen';

export interface MoveNode {
  id: number;
  uci: string; // '' at the root
  san: string;
  fen: string; // after the move
  ply: number; // half moves from the root
  parent: MoveNode | null;
  children: MoveNode[];
}

export class MoveTree {
  readonly root: MoveNode;
  private next = 1;

  constructor(fen: string) {
    this.root = { id: 0, uci: '', san: '', fen, ply: 0, parent: null, children: [] };
  }

  // The child with this move, made if it is new.
  add(parent: MoveNode, uci: string, san: string, fen: string): MoveNode {
    const known = parent.children.find((child) => child.uci === uci);
    if (known) return known;
    const node: MoveNode = { id: this.next++, uci, san, fen, ply: parent.ply + 1, parent, children: [] };
    parent.children.push(node);
    return node;
  }

  // Root first, the node itself last.
  path(node: MoveNode): MoveNode[] {
    const nodes: MoveNode[] = [];
    for (let at: MoveNode | null = node; at; at = at.parent) nodes.push(at);
    return nodes.reverse();
  }

  // The path of the node, continued along main lines to the end.
  lineThrough(node: MoveNode): MoveNode[] {
    const nodes = this.path(node);
    for (let at = node.children[0]; at; at = at.children[0]) nodes.push(at);
    return nodes;
  }

  end(node: MoveNode): MoveNode {
    let at = node;
    while (at.children[0]) at = at.children[0];
    return at;
  }

  // Takes the node and everything after it away; returns where the reader stands then.
  remove(node: MoveNode): MoveNode {
    if (!node.parent) return node;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    return node.parent;
  }

  // Makes the line of the node the main line, all the way from the root.
  promote(node: MoveNode): void {
    for (let at = node; at.parent; at = at.parent) {
      const { children } = at.parent;
      at.parent.children = [at, ...children.filter((child) => child !== at)];
    }
  }

  isMainLine(node: MoveNode): boolean {
    for (let at = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) return false;
    return true;
  }

  // Movetext with variations in brackets, as PGN wants it.
  // The moves as PGN text; a game that starts elsewhere says where.
  pgn(): string {
    const { fen } = this.root;
    return (fen === standardFen ? '' : `[SetUp "1"]\n[FEN "${fen}"]\n\n`) + this.moveText();
  }

  moveText(): string {
    const [, turn, , , , number] = this.root.fen.split(' ');
    const offset = (Number(number ?? 1) - 1) * 2 + (turn === 'b' ? 1 : 0);
    const words: string[] = [];
    const write = (node: MoveNode, forced: boolean): void => {
      const half = offset + node.ply - 1;
      const count = Math.floor(half / 2) + 1;
      if (half % 2 === 0) words.push(`${count}.`);
      else if (forced) words.push(`${count}...`);
      words.push(node.san);
    };
    const line = (from: MoveNode, forced: boolean): void => {
      let at = from;
      let needsNumber = forced;
      for (;;) {
        const [main, ...others] = at.children;
        if (!main) return;
        write(main, needsNumber);
        needsNumber = others.length > 0;
        for (const other of others) {
          words.push('(');
          write(other, true);
          line(other, false);
          words.push(')');
        }
        at = main;
      }
    };
    line(this.root, true);
    return words.join(' ').replace(/\( /g, '(').replace(/ \)/g, ')');
  }
}
