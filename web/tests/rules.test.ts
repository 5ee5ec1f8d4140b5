// SPDX-License-Identifier: GPL-3.0-or-later
// The real WebAssembly module, as the page uses it.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadRules, type Rules } from '@rokada/wasm';
import { standardFen } from '../src/board/fen';

let rules: Rules;
beforeAll(async () => {
  rules = await loadRules(readFileSync(new URL('../../src/bindings/wasm/dist/rokada-rules.wasm', import.meta.url)));
});

function replay(moves: string, fen = standardFen) {
  const report = rules.replay(fen, moves.split(' ').filter(Boolean));
  if (!report.ok) throw new Error(report.error);
  return report;
}

describe('the rules module', () => {
  it('gives twenty moves at the start', () => {
    expect(replay('').position.legal).toHaveLength(20);
  });

  it('writes notation, positions and the check', () => {
    const report = replay('e2e4 f7f6 d2d4 g7g5 d1h5');
    expect(report.san).toEqual(['e4', 'f6', 'd4', 'g5', 'Qh5#']);
    expect(report.fens).toHaveLength(6);
    expect(report.position.check).toBe('e8');
    expect(report.outcome).toEqual({ winner: 'white', reason: 'checkmate' });
  });

  it('knows stalemate, repetition and too few pieces', () => {
    expect(replay('f7g6', '7k/5Q2/8/8/8/8/8/K7 w - - 0 1').outcome?.reason).toBe('stalemate');
    expect(replay('g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8').outcome?.reason).toBe('threefold-repetition');
    expect(replay('a1b2', '8/8/4k3/8/8/8/1p6/K7 w - - 0 1').outcome?.reason).toBe('insufficient-material');
  });

  it('plays castling, en passant and underpromotion', () => {
    expect(replay('e1g1', 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1').san).toEqual(['O-O']);
    expect(replay('e5d6', '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1').san).toEqual(['exd6']);
    expect(replay('a7a8n', '4k3/P7/8/8/8/8/8/4K3 w - - 0 1').san).toEqual(['a8=N']);
  });

  it('says why a move is not possible, and who is to blame', () => {
    const why = (fen: string, from: string, to: string) => rules.explain(fen, from, to);
    expect(why('4k3/8/8/8/1b6/8/4P3/4K3 w - - 0 1', 'e2', 'e3')).toMatchObject({ code: 'check-not-answered', by: ['b4'] });
    expect(why('4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1', 'e2', 'd3')).toMatchObject({ code: 'pinned', by: ['e8'] });
    expect(why('3r3k/8/8/8/8/8/8/R3K3 w Q - 0 1', 'e1', 'c1')).toMatchObject({ code: 'castling-through-attack', by: ['d8'] });
    expect(why(standardFen, 'e7', 'e5')).toMatchObject({ code: 'not-your-turn' });
    expect(why(standardFen, 'e2', 'e4')).toMatchObject({ code: 'legal' });
  });

  it('reads typed moves', () => {
    expect(rules.readMove(standardFen, 'Nf3')).toMatchObject({ ok: true, uci: 'g1f3' });
    expect(rules.readMove(standardFen, 'e2e4')).toMatchObject({ ok: true, san: 'e4' });
    expect(rules.readMove(standardFen, 'Ke9').ok).toBe(false);
  });

  it('names every problem of a setup', () => {
    expect(rules.checkSetup('8/8/8/8/8/8/8/P7 w - - 0 1')).toMatchObject({ ok: true, problems: ['king-count', 'pawn-on-back-rank'] });
    expect(rules.checkSetup(standardFen)).toMatchObject({ ok: true, problems: [] });
    expect(rules.checkSetup('hello').ok).toBe(false);
  });

  it('answers any text without falling over', () => {
    for (const text of ['', 'x', '\n\n\n', '💥', 'k'.repeat(5000), '8/8/8/8/8/8/8/8 w - - 0 1']) {
      expect(rules.position(text).ok).toBe(false);
      expect(rules.replay(standardFen, [text.replace(/\s/g, '') || 'x']).ok).toBe(false);
      expect(rules.explain(text, 'a1', 'a2').ok).toBe(false);
      expect(rules.readMove(standardFen, text).ok).toBe(false);
    }
    expect(rules.replay('', []).ok).toBe(false);
  });

  it('reads PGN with variations and comments, and says where a game breaks', () => {
    const good = rules.readPgn('[White "Ana"]\n[Result "1-0"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 1-0\n');
    if (!good.ok) throw new Error(good.error);
    expect(good.games[0]).toMatchObject({ tags: { White: 'Ana' }, fen: standardFen, result: '1-0' });
    expect(good.games[0]!.nodes.map(({ san, parent }) => [san, parent])).toEqual([
      ['e4', -1], ['e5', 0], ['Nf3', 1], ['c5', 0], ['Nf3', 3],
    ]);
    expect(good.games[0]!.nodes[0]!.comment).toBe('best');
    const broken = rules.readPgn('1. e4 e5 2. Ke5 *');
    expect(broken).toMatchObject({ ok: true });
    if (broken.ok) expect(broken.errors[0]).toMatch(/^line 1/);
  });

  it('sets up Chess960', () => {
    expect(rules.chess960(518)).toBe(standardFen);
    expect(rules.chess960(960)).toBe('');
  });
});
