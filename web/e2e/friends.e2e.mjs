// SPDX-License-Identifier: GPL-3.0-or-later
// Two browsers play each other live; one reloads, one loses the network for some seconds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stage } from './support.mjs';

let white, black;
stage({
  prepare: async ({ visit }) => {
    white = await visit();
    black = await visit();
    await white.context.addInitScript(watchScreenAndSound);
  },
});

// Counts what the browser would do and a test cannot see: screens kept awake, sounds begun.
function watchScreenAndSound() {
  window.awake = 0;
  window.sounds = 0;
  const sentinel = () => ({ release: async () => void --window.awake });
  Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => (++window.awake, sentinel()) } });
  for (const kind of [AudioBufferSourceNode, OscillatorNode]) {
    const real = kind.prototype.start;
    kind.prototype.start = function (...given) {
      ++window.sounds;
      return real.apply(this, given);
    };
  }
}

test('a link brings two people to one board', async () => {
  await white.page.goto('/');
  await white.page.locator('label:has(input[value=friend])').click();
  await white.page.locator('label:has(input[value=white])').click();
  await white.page.getByRole('button', { name: 'Start', exact: true }).click();
  await white.page.getByLabel('Link to this game').waitFor();
  // On a phone all of the invitation is seen below the board.
  await white.page.setViewportSize({ width: 390, height: 844 });
  const card = await white.page.locator('.invitation').boundingBox();
  assert.ok(card.y + card.height <= 844, `the invitation ends at ${card.y + card.height}`);
  await white.page.setViewportSize({ width: 1280, height: 800 });
  const path = new URL(white.page.url()).pathname;
  await black.page.goto(path);
  await black.page.getByText(/^Guest.* is waiting for you at this board\.$/).waitFor();
  await black.page.getByText('You play Black · no clock').waitFor();
  await black.page.getByRole('button', { name: 'Sit down and play' }).click();
  await black.page.waitForSelector('.cg-wrap.orientation-black');
  await white.board.notice().filter({ hasText: 'Your move' }).waitFor();
});

test('moves arrive at the other side', async () => {
  await white.board.move('e2', 'e4');
  await black.board.waitForMoves(1);
  await black.board.move('e7', 'e5');
  await white.board.waitForMoves(2);
  assert.deepEqual(await white.board.moves(), ['e4', 'e5']);
});

test('the screen stays on, and whose move it is stands in the title and is heard', async () => {
  await white.page.waitForFunction(() => window.awake === 1);
  await white.page.waitForFunction(() => /Your move/.test(document.title));
  assert.doesNotMatch(await black.page.title(), /Your move/);
  assert.ok((await white.page.evaluate(() => window.sounds)) >= 2, 'two moves were made');
});

test('planned moves survive a reload and are played when their turn comes', async () => {
  await white.board.move('g1', 'f3');
  await white.board.waitForMoves(3);
  await white.board.move('f1', 'c4');
  await white.board.move('e1', 'g1');
  await white.board.notice().filter({ hasText: '2 moves planned' }).waitFor();
  await white.page.reload();
  await white.board.ready();
  await white.board.notice().filter({ hasText: '2 moves planned' }).waitFor();
  await black.board.waitForMoves(3);
  await black.board.move('b8', 'c6');
  await black.board.waitForMoves(5);
  await black.board.move('g8', 'f6');
  await white.board.waitForMoves(7);
  assert.deepEqual(await white.board.moves(), ['e4', 'e5', 'Nf3', 'Nc6', 'Bc4', 'Nf6', 'O-O']);
});

test('a move made without a network is sent when it is back', async () => {
  await black.context.setOffline(true);
  await black.board.move('f8', 'c5');
  await black.page.waitForSelector('.moves__move--pending');
  await black.page.waitForTimeout(2500);
  assert.equal((await white.board.moves()).length, 7);
  await black.context.setOffline(false);
  await white.board.waitForMoves(8, 30_000);
  await black.page.waitForSelector('.moves__move--pending', { state: 'detached' });
});

test('one reloads in the middle and sees everything', async () => {
  await white.page.reload();
  await white.board.ready();
  assert.equal((await white.board.moves()).length, 8);
  await white.board.move('d2', 'd3');
  await black.board.waitForMoves(9);
});

test('the first planned move that is impossible drops the rest', async () => {
  const before = (await white.board.moves()).length;
  await white.board.move('c4', 'f7');
  await white.board.move('f7', 'g8');
  await white.board.notice().filter({ hasText: '2 moves planned' }).waitFor();
  await black.board.move('d7', 'd5');
  await white.board.notice().filter({ hasText: 'Your move' }).waitFor();
  assert.equal((await white.board.moves()).length, before + 1);
  await white.board.move('c4', 'd5');
  await black.board.waitForMoves(before + 2);
});

test('five moves can be planned one on top of the other, survive a reload, and Esc, a right click or a button clears them', async () => {
  const moves = [['d1', 'e2'], ['e2', 'e3'], ['e3', 'd2'], ['d2', 'c3'], ['c3', 'b3']];
  for (const [from, to] of moves) await white.board.move(from, to);
  await white.board.notice().filter({ hasText: '5 moves planned' }).waitFor();
  await white.page.reload();
  await white.board.ready();
  await white.board.notice().filter({ hasText: '5 moves planned' }).waitFor();
  await white.page.waitForFunction(() => document.querySelectorAll('piece.white.queen:not(.ghost)').length === 1);
  await white.page.keyboard.press('Escape');
  await white.page.waitForFunction(() => !document.querySelector('.board--premoving'));
  await white.board.move('d1', 'e2');
  await white.board.notice().filter({ hasText: '1 move planned' }).waitFor();
  await white.page.mouse.click(...(await white.board.point('h5')), { button: 'right' });
  await white.page.waitForFunction(() => !document.querySelector('.board--premoving'));
  // A finger has neither Esc nor a right click.
  await white.board.move('d1', 'e2');
  await white.board.notice().filter({ hasText: '1 move planned' }).waitFor();
  await white.page.getByRole('button', { name: 'Clear' }).click();
  await white.page.waitForFunction(() => !document.querySelector('.board--premoving'));
});

test('players of a running game see no engine', async () => {
  for (const { page } of [white, black]) {
    assert.equal(await page.getByRole('button', { name: 'Engine: evaluation and lines' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Hint' }).count(), 0);
    await page.getByRole('button', { name: 'Share' }).click();
    assert.equal(await page.locator('.sheet').getByRole('link', { name: /Analyse|Editor/ }).count(), 0);
    await page.getByRole('button', { name: 'Close' }).click();
  }
  // The analysis board shows the game, but no opinion on it.
  const { page } = white;
  await page.goto(new URL(page.url()).pathname.replace('game', 'analysis'));
  await page.getByText('No engine while this game goes on.').waitFor();
  assert.equal(await page.getByLabel('Engine').isDisabled(), true);
  assert.equal(await page.getByText('Why this judgement?').count(), 0);
  await page.goBack();
  await white.board.ready();
});

test('a draw is offered and accepted', async () => {
  await black.page.getByRole('button', { name: 'Draw' }).click();
  await white.page.getByRole('button', { name: 'Accept' }).click();
  for (const { board } of [white, black]) await board.notice().filter({ hasText: 'Draw: agreement' }).waitFor();
  await white.page.waitForFunction(() => window.awake === 0);
  assert.match(await white.page.title(), /Draw: agreement/);
});

test('after the end the engine may be asked', async () => {
  await white.page.getByRole('button', { name: 'Engine: evaluation and lines' }).click();
  await white.page.waitForFunction(() => /\d/.test(document.querySelector('.game__engine .engine__score')?.textContent ?? ''), undefined, { timeout: 20_000 });
  assert.match(await white.page.locator('.game__opening').innerText(), /Italian Game/);
});

test('a rematch exchanges the colours', async () => {
  await white.page.getByRole('button', { name: 'Rematch' }).click();
  await black.page.getByRole('button', { name: 'Accept' }).click();
  await white.page.waitForSelector('.cg-wrap.orientation-black');
  await black.board.notice().filter({ hasText: 'Your move' }).waitFor();
});

test('the way back leads to the game before, and from there on again', async () => {
  const { page, board } = white;
  const now = page.url();
  await page.goBack();
  await board.notice().filter({ hasText: 'Draw: agreement' }).waitFor();
  await page.waitForTimeout(300);
  assert.notEqual(page.url(), now);
  await page.getByRole('link', { name: 'Next game' }).click();
  await page.waitForURL(now);
  await board.ready();
});

test('a game that has hardly begun can be aborted, with a second press', async () => {
  await black.page.getByRole('button', { name: 'Abort' }).click();
  await black.page.waitForTimeout(500);
  assert.match(await white.board.notice().innerText(), /Waiting/);
  await black.page.getByRole('button', { name: 'Sure?' }).click();
  for (const { board } of [white, black]) await board.notice().filter({ hasText: 'The game was aborted.' }).waitFor();
});

test('nothing went wrong meanwhile', () => {
  assert.deepEqual(white.trouble, []);
  assert.deepEqual(black.trouble, []);
});
