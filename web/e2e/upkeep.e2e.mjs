// SPDX-License-Identifier: GPL-3.0-or-later
// The server ends and comes back, with the same program or a newer one: games go on, and a new version never disturbs one.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort, playEasy, startBrowser, startServer, visitor } from './support.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rokada-upkeep-'));
const web = join(folder, 'web');
const data = join(folder, 'data');
let server, browser, port;
const start = async () => (server = await startServer([], { web, data, port }));

before(async () => {
  cpSync(process.env.ROKADA_CLIENT ?? fileURLToPath(new URL('../dist', import.meta.url)), web, { recursive: true });
  port = await freePort();
  browser = await startBrowser();
  await start();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('while the server restarts the page says so, and the game goes on', async () => {
  const person = await visitor(browser, server.address);
  const { page, board } = person;
  await page.goto('/');
  await playEasy(page, 'white');
  await board.move('e2', 'e4');
  await board.waitForMoves(2);
  await server.stop();
  await board.notice().filter({ hasText: 'The server is restarting. Your game is safe.' }).waitFor();
  await start();
  await board.notice().filter({ hasText: 'Your move' }).waitFor({ timeout: 30_000 });
  await board.move('d2', 'd4');
  await board.waitForMoves(4);
  assert.deepEqual((await board.moves()).filter((_, i) => i % 2 === 0), ['e4', 'd4']);
  // Elsewhere a strip at the top tells it, and goes by itself or when asked.
  await page.goto('/about');
  await server.stop();
  await page.getByRole('link', { name: 'Games' }).first().click();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.getByText('The server does not answer. Games on this device go on.').waitFor();
  await start();
  await page.locator('.away').getByRole('button', { name: 'Try again' }).click();
  await page.locator('.away').waitFor({ state: 'detached' });
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});

test('a new version is offered, but not during a game', async () => {
  const person = await visitor(browser, server.address);
  const { page, board } = person;
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.locator('label:has(input[value=device])').click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  await board.move('e2', 'e4');
  await server.stop();
  const worker = join(web, 'sw.js');
  const text = readFileSync(worker, 'utf8');
  writeFileSync(worker, text.replace(/const version = "(\w+)"/, 'const version = "newer$1"'));
  assert.notEqual(readFileSync(worker, 'utf8'), text);
  await start();
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
  });
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()).waiting !== null);
  await page.waitForTimeout(500);
  assert.equal(await page.locator('.toast').count(), 0, 'offered during a game');
  await board.move('e7', 'e5');
  await board.waitForMoves(2);
  await page.getByRole('link', { name: 'Rokada, home page' }).click();
  await page.locator('.toast').filter({ hasText: 'A new version is ready.' }).waitFor();
  const [loaded] = await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload' }).click()]);
  assert.ok(loaded);
  await page.waitForFunction(async () => (await caches.keys()).every((name) => name.startsWith('rokada-newer')));
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});
