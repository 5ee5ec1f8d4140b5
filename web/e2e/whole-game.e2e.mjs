// SPDX-License-Identifier: GPL-3.0-or-later
// A whole game against Easy with the mouse, from the first move to its natural end: the engine's package tells the player of this
// page what to play, the board is all it touches.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { playEasy, stage, violations } from './support.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const wasm = here('../../src/bindings/wasm');
let game, advice;

const world = stage({
  options: ['--quick-computer'],
  prepare: async () => {
    execFileSync('node', [here('../node_modules/typescript/bin/tsc'), '-p', wasm]);
    const { Game, loadEngine, search } = await import(`${wasm}/dist/index.js`);
    const engine = await loadEngine(readFileSync(`${wasm}/dist/rokada-engine.wasm`));
    game = new Game(engine);
    advice = () => search(engine, game, { nodes: 15_000 }).best;
  },
});

const names = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' };
// A strong player against Easy ends with one of these; a draw by repetition or fifty moves would be a fault of the adviser.
const ends = { checkmate: 'checkmate', stalemate: 'stalemate', 'insufficient-material': 'too few pieces to mate' };

test('a whole game against Easy, played with the mouse to its end, stands in the list and on the profile, and can be reviewed', { timeout: 120_000 }, async () => {
  const person = await world.visit();
  const { page, board } = person;
  await page.goto('/register');
  await page.getByLabel('User name').fill('Zofia');
  await page.getByLabel('Password').fill('a quiet evening');
  await page.locator('form button[type=submit]').click();
  await page.getByRole('button', { name: 'Zofia' }).waitFor();
  await playEasy(page, 'white');
  const address = new URL(page.url()).pathname;

  // What the page's list of moves says, the game here follows.
  const follow = async (count) => {
    await board.waitForMoves(count);
    for (const move of (await board.moves()).slice(game.san.length, count)) assert.ok(game.play(move).ok, `${move} after ${game.san.join(' ')}`);
  };
  while (!game.outcome) {
    const played = game.san.length;
    assert.ok(played < 300, `no end after ${game.san.join(' ')}`);
    const best = advice();
    // Both ways to move a piece with a mouse, in turns.
    await (played % 4 ? board.drag(best.slice(0, 2), best.slice(2, 4)) : board.move(best.slice(0, 2), best.slice(2, 4)));
    if (best[4]) await page.locator('.promotion').getByRole('button', { name: names[best[4]] }).click();
    await follow(played + 1);
    if (!game.outcome) await follow(played + 2);
  }

  const { winner, reason } = game.outcome;
  const moves = game.san;
  const result = `${{ white: 'You won', black: 'You lost' }[winner] ?? 'Draw'}: ${ends[reason]}`;
  await board.notice().filter({ hasText: result }).waitFor();

  assert.deepEqual(await violations(page), []);
  await page.reload();
  await board.ready();
  assert.deepEqual(await board.moves(), moves);
  await board.notice().filter({ hasText: result }).waitFor();

  // On paper: both diagrams when an earlier position is shown, and one page.
  await page.getByRole('button', { name: 'First position' }).click();
  assert.equal(await page.locator('.paper__diagram').count(), 2);
  const paper = await page.pdf({ format: 'A4' });
  assert.equal(paper.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length, 1, 'the score sheet needs more than one page');

  await page.goto('/games?mine');
  const row = page.locator('.games tbody tr', { has: page.locator(`a[href="${address}"]`) });
  await row.waitFor();
  assert.match(await row.innerText(), { white: /Won/, black: /Lost/ }[winner] ?? /Draw/);
  assert.match(await row.innerText(), /Easy/);
  await page.goto('/user/Zofia');
  await page.waitForSelector('.scores');
  const scores = Object.fromEntries(await Promise.all(['won', 'drawn', 'lost'].map(async (name) => [name, await page.locator(`.scores__one--${name} dd`).innerText()])));
  assert.deepEqual(scores, { won: '0', drawn: '0', lost: '0', [{ white: 'won', black: 'lost' }[winner] ?? 'drawn']: '1' });
  await row.waitFor();
  await row.getByRole('link').click();
  await board.ready();
  assert.deepEqual(await board.moves(), moves);

  await page.locator('.actions').getByRole('link', { name: 'Review' }).click();
  await page.waitForURL('**/review/*');
  await page.locator('.review__card, .review__progress, .review__summary').first().waitFor();
  assert.deepEqual(await board.moves(), moves);
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});
