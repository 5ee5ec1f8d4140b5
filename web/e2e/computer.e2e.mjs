// SPDX-License-Identifier: GPL-3.0-or-later
// Against the computer: the engine's opinion beside the board, Chess960, and a game played without the server that
// finds its way there later.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openEditorGame, stage } from './support.mjs';

const world = stage();

async function start({ page, board }, ...choices) {
  await page.goto('/');
  await page.locator('.play__more summary').click();
  for (const value of ['white', ...choices]) await page.locator(`label:has(input[value=${value}])`).click();
  await page.getByRole('button', { name: 'Easy' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
}

test('evaluation bar and lines can be shown against the computer, and the opening has its name', async () => {
  const person = await world.visit();
  const { page, board } = person;
  await start(person, 'server');
  assert.equal(await page.locator('.eval-bar').count(), 0);
  await board.move('e2', 'e4');
  await board.waitForMoves(2);
  assert.match(await page.locator('.game__opening').innerText(), /^[A-E]\d\d ./);
  const toggle = page.getByRole('button', { name: 'Engine: evaluation and lines' });
  await toggle.click();
  await page.waitForFunction(() => document.querySelectorAll('.game__engine .engine__move').length > 1, undefined, { timeout: 20_000 });
  await page.getByRole('img', { name: /^Evaluation [+−#\d]/ }).waitFor();
  await toggle.click();
  await page.waitForSelector('.eval-bar', { state: 'detached' });
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});

test('Chess960: the start is drawn, and castling works onto the rook and onto the king’s square', async () => {
  const person = await world.visit();
  const { page, board } = person;
  await start(person, 'server', 'chess960');
  await page.getByRole('button', { name: 'Share' }).click();
  assert.match(await page.getByLabel('FEN').inputValue(), /^[bknqr]{8}\/p{8}\//);
  const fen = 'rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HAha - 0 1';
  await openEditorGame(page, fen);
  await board.move('b1', 'h1');
  await board.waitForMoves(1);
  await board.move('b8', 'g8');
  await board.waitForMoves(2);
  assert.deepEqual(await board.moves(), ['O-O', 'O-O']);
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});

test('a position can be taken along as SVG and PNG, and the paper shows the score', async () => {
  const person = await world.visit();
  const { page, board } = person;
  await openEditorGame(page, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  await board.move('e2', 'e4');
  await board.waitForMoves(1);
  await page.getByRole('button', { name: 'Share' }).click();
  for (const [kind, start] of [['SVG', '<svg '], ['PNG', '\x89PNG']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: kind }).click()]);
    const content = readFileSync(await download.path());
    assert.ok(content.toString('latin1').startsWith(start), kind);
    assert.ok(content.length > 3000, `${kind}: ${content.length} bytes`);
  }
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.game').isVisible(), false);
  assert.match(await page.locator('.paper').innerText(), /1\.\s*e4/);
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});

test('a game played without the server is sent when it is back', async () => {
  const person = await world.visit();
  const { page, board, context } = person;
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => {
    const [name] = await caches.keys();
    return name && (await (await caches.open(name)).keys()).length > 40;
  });
  await context.setOffline(true);
  // The server is chosen, but away: the computer thinks here.
  await page.locator('label:has(input[value=white])').click();
  await page.getByRole('button', { name: 'Easy' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  await board.move('e2', 'e4');
  await board.waitForMoves(2, 30_000);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.waitForTimeout(500);
  await page.getByRole('button', { name: 'Sure?' }).click();
  await board.notice().filter({ hasText: 'You lost: resignation' }).waitFor();
  const sent = page.waitForResponse((answer) => answer.url().includes('/api/v1/uploads/') && answer.status() === 201);
  await context.setOffline(false);
  await sent;
  await page.goto('/games?mine');
  await page.locator('.games__link').first().click();
  await board.ready();
  assert.equal((await board.moves())[0], 'e4');
  await board.notice().filter({ hasText: 'You lost: resignation' }).waitFor();
  assert.deepEqual(person.trouble, []);
  await context.close();
});

test('an engine of one thread keeps its worker when a search or a review is stopped', async () => {
  const person = await world.visit();
  const { page } = person;
  const workers = [];
  page.on('worker', (worker) => workers.push(worker.url()));
  const engines = () => workers.filter((url) => /engine-worker/.test(url)).length;
  await page.goto('/settings');
  await page.getByLabel('Threads of the engine in this browser').selectOption('1');
  await page.goto('/analysis');
  await page.waitForSelector('cg-board piece');
  await page.getByLabel('Engine').click();
  for (const number of [1, 2, 3]) {
    await page.waitForFunction(() => /depth [5-9]|depth \d\d/.test(document.querySelector('.engine')?.textContent ?? ''), undefined, { timeout: 40_000 });
    await page.locator('.engine__move').first().click();
    await page.waitForFunction((count) => document.querySelectorAll('.tree .moves__move').length === count, number);
  }
  await page.waitForFunction(() => /depth [5-9]|depth \d\d/.test(document.querySelector('.engine')?.textContent ?? ''), undefined, { timeout: 40_000 });
  assert.equal(engines(), 1, 'a stopped search ended its worker');
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});

test('a browser without SIMD plays against the server, whatever was chosen', async () => {
  const person = await world.visit();
  const { page, board } = person;
  await page.addInitScript(() => (WebAssembly.validate = () => false));
  await start(person, 'browser');
  assert.doesNotMatch(page.url(), /local-/);
  await board.move('e2', 'e4');
  await board.waitForMoves(2);
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});

test('with threads the larger engine is fetched, searches with them, and keeps them when a search is stopped', async () => {
  const person = await world.visit();
  const { page } = person;
  const fetched = [];
  const workers = [];
  page.on('worker', (worker) => workers.push(worker.url()));
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.goto('/settings');
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  await page.getByLabel('Threads of the engine in this browser').selectOption('2');
  assert.equal(fetched.some((path) => path.includes('engine-threads')), false);
  await page.goto('/analysis');
  await page.waitForSelector('cg-board piece');
  await page.getByLabel('Engine').click();
  await page.waitForFunction(() => /depth (9|\d\d)/.test(document.querySelector('.engine')?.textContent ?? ''), undefined, { timeout: 40_000 });
  assert.ok(fetched.some((path) => path.endsWith('.wasm') && path.includes('engine-threads')), 'the module with threads was not fetched');
  // The thinking worker, and one more for the second thread.
  assert.ok(fetched.some((path) => /engine-thread-.*\.js$/.test(path)), 'no thread was started');
  // Another position ends the search and begins the next, in the same workers.
  const before = workers.filter((url) => /engine-/.test(url)).length;
  assert.ok(before >= 1);
  for (const number of [1, 2, 3]) {
    await page.locator('.engine__move').first().click();
    await page.waitForFunction((count) => document.querySelectorAll('.tree .moves__move').length === count, number);
    await page.waitForFunction(() => /depth [5-9]|depth \d\d/.test(document.querySelector('.engine')?.textContent ?? ''), undefined, { timeout: 40_000 });
  }
  assert.equal(workers.filter((url) => /engine-/.test(url)).length, before, 'a stopped search ended its workers');
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});

test('a level takes its time on the clock like a person, and never loses by it', async () => {
  const person = await world.visit();
  const { page, board } = person;
  await page.goto('/');
  await page.locator('.play__more summary').click();
  for (const value of ['white', 'browser', '3+2']) await page.locator(`label:has(input[value="${value}"])`).click();
  await page.getByRole('button', { name: 'Easy' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  for (const [from, to] of [['a2', 'a3'], ['h2', 'h3'], ['b2', 'b3']]) {
    const before = (await board.moves()).length;
    await board.move(from, to);
    await board.waitForMoves(before + 2, 40_000);
  }
  assert.deepEqual(person.trouble, []);
  await person.context.close();
});
