// SPDX-License-Identifier: GPL-3.0-or-later
// A position as a picture to take along: SVG that needs no other file, and PNG. With the pieces and colours of the page.
import { files, readPlacement, squaresFrom, type PieceCode } from './fen';

export interface PictureLook {
  pieces: string; // the set's folder
  light: string;
  dark: string;
  mark: string; // colour over the squares of the last move
}

const found = import.meta.glob<string>('../assets/pieces/*/*.svg', { query: '?url', import: 'default', eager: true });
const addressOf = (set: string, piece: PieceCode): string => found[`../assets/pieces/${set}/${piece}.svg`]!;

const square = 45; // units of the piece drawings

// Where everything stands, in units; shared by both formats.
function layout(fen: string, orientation: 'white' | 'black', lastMove: readonly string[]) {
  const placement = readPlacement(fen);
  return squaresFrom(orientation).map((name, i) => ({
    x: (i % 8) * square,
    y: Math.floor(i / 8) * square,
    light: (files.indexOf(name[0]!) + Number(name[1])) % 2 === 0,
    marked: lastMove.includes(name),
    piece: placement.get(name),
  }));
}

export async function positionSvg(fen: string, orientation: 'white' | 'black', lastMove: readonly string[], look: PictureLook, read = readText): Promise<string> {
  const squares = layout(fen, orientation, lastMove);
  const wanted = [...new Set(squares.flatMap(({ piece }) => piece ?? []))].sort();
  const drawings = await Promise.all(
    wanted.map(async (piece) => {
      const inner = (await read(addressOf(look.pieces, piece))).replace(/^[^]*?<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '');
      return `<g id="${piece}">${inner}</g>`;
    }),
  );
  const side = 8 * square;
  const parts = squares.map(({ x, y, light, marked, piece }) => {
    const box = `x="${x}" y="${y}" width="${square}" height="${square}"`;
    return [
      `<rect ${box} fill="${light ? look.light : look.dark}"/>`,
      marked ? `<rect ${box} fill="${look.mark}" opacity="0.4"/>` : '',
      piece ? `<use href="#${piece}" x="${x}" y="${y}"/>` : '',
    ].join('');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side}" height="${side}"><title>${fen}</title><defs>${drawings.join('')}</defs>${parts.join('')}</svg>\n`;
}

async function readText(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.text();
}

// The policy of the site allows pictures of its own files only, so each piece is drawn from its file.
export async function positionPng(fen: string, orientation: 'white' | 'black', lastMove: readonly string[], look: PictureLook, size = 960): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const paint = canvas.getContext('2d')!;
  paint.scale(size / (8 * square), size / (8 * square));
  const squares = layout(fen, orientation, lastMove);
  const images = new Map<PieceCode, HTMLImageElement>();
  await Promise.all(
    [...new Set(squares.flatMap(({ piece }) => piece ?? []))].map(async (piece) => {
      const image = new Image(size / 8, size / 8);
      image.src = addressOf(look.pieces, piece);
      await image.decode();
      images.set(piece, image);
    }),
  );
  for (const { x, y, light, marked, piece } of squares) {
    paint.fillStyle = light ? look.light : look.dark;
    paint.fillRect(x, y, square, square);
    if (marked) {
      paint.globalAlpha = 0.4;
      paint.fillStyle = look.mark;
      paint.fillRect(x, y, square, square);
      paint.globalAlpha = 1;
    }
    if (piece) paint.drawImage(images.get(piece)!, x, y, square, square);
  }
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
}

export function pageLook(): PictureLook {
  const styles = getComputedStyle(document.documentElement);
  const value = (name: string): string => styles.getPropertyValue(name).trim();
  return {
    pieces: document.documentElement.dataset.pieces ?? 'cburnett',
    light: value('--board-light'),
    dark: value('--board-dark'),
    mark: value('--accent'),
  };
}
