// SPDX-License-Identifier: GPL-3.0-or-later
// Writes src/server/web/pieces.bin: our own piece drawings as pixels, for the pictures the server draws (link previews). Run by hand
// when the drawings change; needs Chromium.
//   node build/piece-pixels.mjs
// Twelve pieces (P N B R Q K of White, then of Black), 60 x 60 pixels each, one byte a pixel: 8 * opacity + tone, both 0 to 7.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startBrowser } from '../e2e/support.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const drawings = [...'wb'].flatMap((side) => [...'PNBRQK'].map((piece) => readFileSync(here(`../src/assets/pieces/rokada/${side}${piece}.svg`), 'utf8')));

const browser = await startBrowser();
const page = await browser.newPage();
const pixels = await page.evaluate(async (all) => {
  const size = 60;
  const found = [];
  for (const text of all) {
    const image = new Image(size, size);
    image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
    const paint = canvas.getContext('2d');
    paint.drawImage(image, 0, 0, size, size);
    const { data } = paint.getImageData(0, 0, size, size);
    for (let i = 0; i < data.length; i += 4) {
      const tone = (data[i] + data[i + 1] + data[i + 2]) / 3;
      const opacity = Math.round((data[i + 3] * 7) / 255);
      found.push(opacity ? 8 * opacity + Math.round((tone * 7) / 255) : 0);
    }
  }
  return found;
}, drawings);
await browser.close();
writeFileSync(here('../../src/server/web/pieces.bin'), Buffer.from(pixels));
