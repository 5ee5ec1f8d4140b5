// SPDX-License-Identifier: GPL-3.0-or-later
import { describe, expect, it } from 'vitest';
import { standardFen } from '../src/board/fen';
import { MoveTree } from '../src/state/move-tree';

function sample(): MoveTree {
  const tree = new MoveTree(standardFen);
  const e4 = tree.add(tree.root, 'e2e4', 'e4', 'fen1');
  const e5 = tree.add(e4, 'e7e5', 'e5', 'fen2');
  tree.add(e5, 'g1f3', 'Nf3', 'fen3');
  const c5 = tree.add(e4, 'c7c5', 'c5', 'fen4');
  tree.add(c5, 'g1f3', 'Nf3', 'fen5');
  return tree;
}

describe('a tree of moves', () => {
  it('knows a move that was made before', () => {
    const tree = sample();
    const again = tree.add(tree.root, 'e2e4', 'e4', 'fen1');
    expect(tree.root.children).toHaveLength(1);
    expect(tree.root.children[0]).toBe(again);
  });

  it('writes variations in brackets with the numbers PGN wants', () => {
    expect(sample().moveText()).toBe('1. e4 e5 (1... c5 2. Nf3) 2. Nf3');
  });

  it('becomes PGN that leads back to its start', () => {
    expect(sample().pgn()).toBe(sample().moveText());
    const fen = '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1';
    const tree = new MoveTree(fen);
    tree.add(tree.root, 'e2e4', 'e4', 'x');
    expect(tree.pgn()).toBe(`[SetUp "1"]\n[FEN "${fen}"]\n\n1. e4`);
  });

  it('starts numbering where the position says', () => {
    const tree = new MoveTree('4k3/8/8/8/8/8/4p3/4K3 b - - 0 40');
    const first = tree.add(tree.root, 'e8d7', 'Kd7', 'x');
    tree.add(first, 'e1e2', 'Kxe2', 'y');
    expect(tree.moveText()).toBe('40... Kd7 41. Kxe2');
  });

  it('can make a variation the main line and delete one', () => {
    const tree = sample();
    const c5 = tree.root.children[0]!.children[1]!;
    expect(tree.isMainLine(c5)).toBe(false);
    tree.promote(c5.children[0]!);
    expect(tree.isMainLine(c5)).toBe(true);
    expect(tree.moveText()).toBe('1. e4 c5 (1... e5 2. Nf3) 2. Nf3');
    expect(tree.remove(c5).san).toBe('e4');
    expect(tree.moveText()).toBe('1. e4 e5 2. Nf3');
  });

  it('never removes its root', () => {
    const tree = sample();
    expect(tree.remove(tree.root)).toBe(tree.root);
  });
});
