// SPDX-License-Identifier: GPL-3.0-or-later
// The main flow on a plain-http address of the local network, where browsers give no clipboard, no service worker and no
// isolation: everything else must work.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playEasy, stage, visitor } from './support.mjs';

const world = stage({
  options: ['--lan', '--host-name', 'board.lan'],
  flags: ['--host-resolver-rules=MAP board.lan 127.0.0.1'],
  // Machines without a private address are reached by a name, which browsers trust as little.
  address: (server) => server.network() || server.address.replace('localhost', 'board.lan'),
});

test('a guest plays the server, and the page knows that it is not a secure context', async () => {
  const person = await world.visit();
  const { page, board } = person;
  await page.goto('/');
  assert.deepEqual(
    await page.evaluate(() => [isSecureContext, 'serviceWorker' in navigator, !!navigator.clipboard, !!crypto.subtle, crossOriginIsolated]),
    [false, false, false, false, false],
  );
  await playEasy(page, 'white');
  await board.move('e2', 'e4');
  await board.waitForMoves(2);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Copy PGN' }).click();
  await page.locator('.toast').filter({ hasText: /Copied|select the text/ }).waitFor();
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});

test('the engine of the page plays too, and a game survives a reload', async () => {
  const person = await world.visit();
  const { page, board } = person;
  await page.goto('/');
  await page.locator('.play__more summary').click();
  await page.locator('label:has(input[value=browser])').click();
  await page.locator('label:has(input[value=white])').click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  await board.move('d2', 'd4');
  await board.waitForMoves(2, 30_000);
  await page.reload();
  await board.ready();
  assert.equal((await board.moves())[0], 'd4');
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});

test('an invitation made on the machine itself carries the address of the network, if there is one', async () => {
  const { page, context } = await visitor(world.browser, world.server.address);
  await page.goto('/');
  await page.locator('label:has(input[value=friend])').click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const link = await page.getByLabel('Link to this game').inputValue();
  const network = world.server.network();
  assert.ok(link.startsWith(network || world.server.address), link);
  await page.getByText(network ? 'The game starts as soon as it is opened.' : 'This address works on this machine only.').waitFor();
  await context.close();
});

test('an invitation carries the address of the network, and two play', async () => {
  const white = await world.visit();
  const black = await world.visit();
  await white.page.goto('/');
  await white.page.locator('label:has(input[value=friend])').click();
  await white.page.locator('label:has(input[value=white])').click();
  await white.page.getByRole('button', { name: 'Start', exact: true }).click();
  const link = await white.page.getByLabel('Link to this game').inputValue();
  assert.ok(link.startsWith(world.address), link);
  await black.page.goto(link);
  await black.page.getByRole('button', { name: 'Sit down and play' }).click();
  await white.board.notice().filter({ hasText: 'Your move' }).waitFor();
  await white.board.move('e2', 'e4');
  await black.board.waitForMoves(1);
  await black.board.move('c7', 'c5');
  await white.board.waitForMoves(2);
  for (const person of [white, black]) {
    assert.deepEqual(person.trouble, []);
    await person.context.close();
  }
});
