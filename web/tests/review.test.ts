// SPDX-License-Identifier: GPL-3.0-or-later
// The review from the real module under Node, and its sentences in every language.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadEngine, type Engine, type NamedPiece, type Reason, type ReviewProgress } from '@rokada/wasm';
import { standardFen } from '../src/board/fen';
import { reasonText } from '../src/components/review-words';
import { languages, setLanguage, type Language } from '../src/i18n';

const file = new URL('../../src/bindings/wasm/dist/rokada-engine.wasm', import.meta.url);
const legal = 'e2e4 e7e5 g1f3 d7d6 f1c4 c8g4 b1c3 g7g6 f3e5 g4d1 c4f7 e8e7 c3d5'.split(' ');

describe('the review of a game', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await loadEngine(readFileSync(file));
  });

  it('names the blunder, with progress on the way', () => {
    const heard: ReviewProgress[] = [];
    const answer = engine.review(standardFen, legal, { nodes: 5000 }, (progress) => heard.push(progress));
    if (!answer.ok) throw new Error(answer.error);
    const { review } = answer;
    expect(review.moves).toHaveLength(13);
    expect(review.graph).toHaveLength(14);
    const blunder = review.moves[9]!;
    expect(blunder).toMatchObject({ san: 'Bxd1', judgement: 'blunder' });
    expect(blunder.reasons[0]).toMatchObject({ code: 'allows-mate', mateIn: 2, exact: true });
    expect(review.keyMoments).toContain(9);
    const steps = heard.flatMap((progress) => ('done' in progress ? [progress] : []));
    expect(steps.at(-1)!.done).toBe(steps.at(-1)!.all);
    expect(heard.filter((progress) => 'plies' in progress)).toHaveLength(14);
  });

  it('gives the same review twice, and refuses nonsense', () => {
    const twice = [1, 2].map(() => JSON.stringify(engine.review(standardFen, legal.slice(0, 6), { nodes: 3000 })));
    expect(twice[0]).toBe(twice[1]);
    expect(engine.review('nonsense', []).ok).toBe(false);
    expect(engine.review(standardFen, ['e2e5']).ok).toBe(false);
  });
});

describe('sentences', () => {
  const piece = (name: NamedPiece['piece'], square: string): NamedPiece => ({ color: 'white', piece: name, square });
  const fork: Reason = {
    code: 'allows-fork', actor: piece('knight', 'e7'), target: piece('king', 'g8'), other: piece('queen', 'c8'), amount: 'queen', points: 9,
    line: [{ uci: 'd5e7', san: 'Ne7+' }],
  };
  const expected: Record<Language, string> = {
    en: 'Ne7+ is a fork: it attacks the king on g8 and the queen on c8 and wins a queen.',
    ro: 'Ce7+ este o furculiță: atacă regele de pe g8 și dama de pe c8 și câștigă dama.',
    pl: 'Se7+ to widełki: atakuje króla na g8 oraz hetmana na c8 i zdobywa hetmana.',
    hr: 'Se7+ je vilica: napada kralja na g8 i damu na c8 te osvaja damu.',
  };

  it.each(languages)('are whole in %s, for every motif', async (language) => {
    globalThis.document ??= { documentElement: {} } as Document;
    await setLanguage(language);
    expect(reasonText(fork)).toBe(expected[language]);
    const motifs = ['mate', 'back-rank-mate', 'hanging-piece', 'capture', 'fork', 'pin', 'pinned-guard', 'skewer', 'discovered-attack', 'trapped-piece', 'removed-defender', 'promotion', 'material'] as const;
    for (const motif of motifs)
      for (const mateIn of [1, 2, 5])
        for (const exact of [true, false]) {
          const text = reasonText({ ...fork, code: `misses-${motif}`, mateIn, exact });
          expect(text, motif).toMatch(/^[^{}]+\.$/);
          expect(text).not.toContain('undefined');
        }
  });
});
