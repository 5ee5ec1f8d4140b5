// SPDX-License-Identifier: GPL-3.0-or-later
// Arrows and circles a person drew, kept with the game so that they are there after a reload.
import type { DrawShape } from '@lichess-org/chessground/draw';

const key = (id: string): string => `rokada.drawings.${id}`;

export function readDrawings(id: string): DrawShape[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(key(id)) ?? '[]');
    return Array.isArray(saved) ? (saved as DrawShape[]).filter((shape) => /^[a-h][1-8]$/.test(shape.orig)) : [];
  } catch {
    return [];
  }
}

export function writeDrawings(id: string, shapes: readonly DrawShape[]): void {
  try {
    sessionStorage.setItem(key(id), JSON.stringify(shapes));
  } catch {
    // Without storage they last as long as the page.
  }
}
