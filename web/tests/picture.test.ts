// SPDX-License-Identifier: GPL-3.0-or-later
import { describe, expect, it } from 'vitest';
import { standardFen } from '../src/board/fen';
import { positionSvg } from '../src/board/picture';
import { pieceSets } from '../src/state/settings';

const look = { pieces: 'cburnett', light: '#eeeeee', dark: '#777777', mark: '#00ff00' };
const read = async (): Promise<string> => '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';

describe('the picture of a position', () => {
  it('has 64 squares, every piece, and needs no other file', async () => {
    const svg = await positionSvg(standardFen, 'white', ['e2', 'e4'], look, read);
    expect(svg.match(/<use /g)).toHaveLength(32);
    expect(svg.match(/fill="#eeeeee"/g)).toHaveLength(32);
    expect(svg.match(/fill="#777777"/g)).toHaveLength(32);
    expect(svg.match(/fill="#00ff00"/g)).toHaveLength(2);
    expect(svg).not.toMatch(/href="(?!#)|url\(/);
  });

  it('has all twelve pieces of every set', async () => {
    for (const pieces of pieceSets) {
      const asked = new Set<string>();
      await positionSvg(standardFen, 'white', [], { ...look, pieces }, async (address) => {
        asked.add(address);
        return read();
      });
      expect([...asked].filter((address) => address.includes(`/${pieces}/`)), pieces).toHaveLength(12);
    }
  });

  it('is turned for Black, with a dark corner at the left either way', async () => {
    const white = await positionSvg('8/8/8/8/8/8/8/K7 w - - 0 1', 'white', [], look, read);
    const black = await positionSvg('8/8/8/8/8/8/8/K7 w - - 0 1', 'black', [], look, read);
    expect(white).toContain('<use href="#wK" x="0" y="315"/>');
    expect(black).toContain('<use href="#wK" x="315" y="0"/>');
    for (const svg of [white, black]) expect(svg).toContain('<rect x="0" y="315" width="45" height="45" fill="#777777"/>');
  });
});
