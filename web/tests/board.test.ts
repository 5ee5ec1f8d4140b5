// SPDX-License-Identifier: GPL-3.0-or-later
import { describe, expect, it } from 'vitest';
import { agentName } from '../src/api/agent';
import { readPlacement, squaresFrom, standardFen, writePlacement } from '../src/board/fen';
import { material } from '../src/board/material';
import { spokenParts, toEnglishLetters, writeMove } from '../src/board/notation';
import { premoveTargets, virtualPlacement } from '../src/board/premove';
import { movesBetween, targetsOf } from '../src/board/targets';
import { scoreText, whiteScore, winPercent } from '../src/board/score';

describe('placement', () => {
  it('survives reading and writing', () => {
    for (const fen of [standardFen, '8/8/8/3k4/8/8/4P3/4K3 w - - 0 1', 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'])
      expect(writePlacement(readPlacement(fen))).toBe(fen.split(' ')[0]);
  });

  it('is total: broken text gives a board, not an error', () => {
    expect(readPlacement('').size).toBe(0);
    expect(readPlacement('zzzz/99/K').get('a6')).toBe('wK');
    expect(() => readPlacement('kkkkkkkkkkkkk/////////////////q')).not.toThrow();
  });

  it('lists squares as each player sees them', () => {
    expect(squaresFrom('white')[0]).toBe('a8');
    expect(squaresFrom('black')[0]).toBe('h1');
    expect(squaresFrom('black')[63]).toBe('a8');
  });
});

describe('where pieces may go', () => {
  it('castling is also the king put on its rook; in Chess960 also the king on its square, unless a plain move goes there', () => {
    const usual = [{ uci: 'e1g1', san: 'O-O' }, { uci: 'e1c1', san: 'O-O-O' }, { uci: 'e1d1', san: 'Kd1' }];
    expect(targetsOf(usual).get('e1')).toEqual(['g1', 'h1', 'c1', 'a1', 'd1']);
    expect(movesBetween(usual, 'e1', 'h1').map(({ uci }) => uci)).toEqual(['e1g1']);
    const drawn = [{ uci: 'b1h1', san: 'O-O' }, { uci: 'b1a1', san: 'O-O-O' }, { uci: 'b1c1', san: 'Kc1' }];
    expect(targetsOf(drawn).get('b1')).toEqual(['h1', 'g1', 'a1', 'c1']);
    expect(movesBetween(drawn, 'b1', 'g1').map(({ uci }) => uci)).toEqual(['b1h1']);
    expect(movesBetween(drawn, 'b1', 'c1').map(({ uci }) => uci)).toEqual(['b1c1']);
  });
});

describe('captured pieces', () => {
  it('are even at the start', () => {
    expect(material(standardFen, standardFen)).toEqual({ taken: { white: [], black: [] }, balance: 0 });
  });

  it('count what each side took and the balance in points', () => {
    const fen = 'rnb1kbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBN1 w Qkq - 0 1';
    expect(material(fen, standardFen)).toEqual({ taken: { white: ['Q'], black: ['R', 'P'] }, balance: 3 });
  });

  it('do not call a promoted pawn captured', () => {
    const fen = 'rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPP1/RNBQKBNQ w Qkq - 0 1';
    const { taken, balance } = material(fen, standardFen);
    expect(taken.black).toEqual(['R']);
    expect(taken.white).toEqual(['P']);
    expect(balance).toBe(4);
  });

  it('start from the position of the game, not from 32 pieces', () => {
    const fen = '4k3/8/8/8/8/8/8/R3K3 w - - 0 1';
    expect(material(fen, fen).taken).toEqual({ white: [], black: [] });
  });
});

describe('written moves', () => {
  it('use the letters of the language', () => {
    expect(writeMove('Nf3', 'g1f3', 'san', 'ro')).toBe('Cf3');
    expect(writeMove('Qxd8+', 'd1d8', 'san', 'pl')).toBe('Hxd8+');
    expect(writeMove('Bb5', 'f1b5', 'san', 'hr')).toBe('Lb5');
    expect(writeMove('e8=Q#', 'e7e8q', 'san', 'pl')).toBe('e8=H#');
  });

  it('leave castling and pawn moves alone', () => {
    expect(writeMove('O-O', 'e1g1', 'san', 'ro')).toBe('O-O');
    expect(writeMove('bxc3', 'b2c3', 'san', 'pl')).toBe('bxc3');
  });

  it('can be figurines or long', () => {
    expect(writeMove('Nf3', 'g1f3', 'figurine', 'en')).toBe('♘f3');
    expect(writeMove('Nxe5', 'f3e5', 'long', 'en')).toBe('Nf3×e5');
    expect(writeMove('e8=Q+', 'e7e8q', 'long', 'ro')).toBe('e7–e8=D+');
  });

  it('are understood in the letters of the language', () => {
    expect(toEnglishLetters('Cf3', 'ro')).toBe('Nf3');
    expect(toEnglishLetters('Nb5', 'ro')).toBe('Bb5');
    expect(toEnglishLetters('e8=H', 'pl')).toBeNull();
    expect(toEnglishLetters('Hxd8', 'pl')).toBe('Qxd8');
    expect(toEnglishLetters('O-O', 'hr')).toBeNull();
    expect(toEnglishLetters('Nf3', 'en')).toBeNull();
  });

  it('are taken apart for reading aloud', () => {
    expect(spokenParts('Nbxd7+')).toEqual({ piece: 'N', capture: true, to: 'd7', promotion: undefined, check: 'check' });
    expect(spokenParts('exd8=Q#')).toEqual({ piece: 'P', capture: true, to: 'd8', promotion: 'Q', check: 'mate' });
    expect(spokenParts('O-O-O').castling).toBe('long');
  });
});

describe('premoves', () => {
  const start = readPlacement(standardFen);

  it('reach through pieces that may be gone by then', () => {
    expect(premoveTargets(start, 'a1')).toContain('a8');
    expect(premoveTargets(start, 'f1')).toContain('a6');
    expect(premoveTargets(start, 'g1').sort()).toEqual(['e2', 'f3', 'h3']);
  });

  it('let pawns plan steps and captures, forwards only', () => {
    expect(premoveTargets(start, 'e2').sort()).toEqual(['d3', 'e3', 'e4', 'f3']);
    expect(premoveTargets(start, 'e7').sort()).toEqual(['d6', 'e5', 'e6', 'f6']);
  });

  it('let the king plan castling from its own square only', () => {
    expect(premoveTargets(start, 'e1')).toEqual(expect.arrayContaining(['g1', 'c1']));
    expect(premoveTargets(readPlacement('8/8/8/8/8/8/3K4/8 w - - 0 1'), 'd2')).not.toContain('f2');
  });

  it('show the board after the whole queue', () => {
    const after = virtualPlacement(start, [{ from: 'e2', to: 'e4' }, { from: 'g1', to: 'f3' }, { from: 'e1', to: 'g1' }]);
    expect(after.get('e4')).toBe('wP');
    expect(after.get('g1')).toBe('wK');
    expect(after.get('f1')).toBe('wR');
    expect(after.has('h1')).toBe(false);
  });
});

describe('engine scores', () => {
  it('are shown from White’s side', () => {
    expect(scoreText(whiteScore({ cp: 35 }, 'black'))).toBe('−0.35');
    expect(scoreText(whiteScore({ mate: 3 }, 'black'))).toBe('−#3');
    expect(scoreText({ mate: 2 })).toBe('#2');
    expect(scoreText({ cp: 0 })).toBe('0.00');
  });

  it('become winning chances', () => {
    expect(winPercent({ cp: 0 })).toBe(50);
    expect(winPercent({ mate: -1 })).toBe(0);
    expect(winPercent({ cp: 300 })).toBeGreaterThan(70);
    expect(winPercent({ cp: 300 }) + winPercent({ cp: -300 })).toBeCloseTo(100);
  });
});

describe('the name of a browser', () => {
  it('is short', () => {
    expect(agentName('Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0')).toBe('Firefox, Linux');
    expect(agentName('Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Mobile Safari/604.1')).toBe('Safari, iOS');
    expect(agentName('curl/8.5')).toBe('curl/8.5');
  });
});
