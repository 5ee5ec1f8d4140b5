// SPDX-License-Identifier: GPL-3.0-or-later
// The oldest browsers we promise to work in (Chrome 97, Firefox 102, Safari 16.4) drop a rule they do not understand, without a word.
// These features are newer than one of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const newer = [/:has\(/, /color-mix\(/, /@container/, /@layer/, /@scope/, /@starting-style/, /\bround\(/, /^\s*&/m, /\d[sl]vh\b/];
const folder = join(__dirname, '../src/styles');

it('the styles use nothing that an old browser drops', () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.css'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const pattern of newer) expect(text, `${name}: ${pattern}`).not.toMatch(pattern);
    // Where it is known whether the browser has it.
    const elsewhere = text.replace(/@supports \(height: 100dvh\) \{[^}]*\}/g, '');
    expect(elsewhere, name).not.toMatch(/\ddvh/);
  }
});

it('workers are classic scripts, which every one of them can start', () => {
  expect(readFileSync(join(__dirname, '../vite.config.ts'), 'utf8')).toContain("worker: { format: 'iife' }");
});
