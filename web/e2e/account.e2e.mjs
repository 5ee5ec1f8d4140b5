// SPDX-License-Identifier: GPL-3.0-or-later
// Accounts, guests and a game against the computer on the server, as far as the profile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playEasy, stage } from './support.mjs';

let person;
stage({
  prepare: async ({ visit }) => {
    person = await visit();
  },
});

const fieldError = async (name) => (await person.page.locator(`#${name}-note.field__error`).innerText()).trim();

async function fill(username, password) {
  await person.page.getByLabel('User name').fill(username);
  await person.page.getByLabel('Password').fill(password);
  await person.page.locator('form button[type=submit]').click();
}

test('a guest plays at once: two clicks to the board, and the computer answers', async () => {
  const { page, board } = person;
  await page.goto('/');
  const ways = page.locator('.home__ways');
  await ways.getByText('nothing to fill in.').waitFor();
  for (const [name, href] of [['Log in', '/login'], ['Sign up', '/register']]) assert.equal(await ways.getByRole('link', { name }).getAttribute('href'), href);
  await ways.getByRole('link', { name: 'Play now as a guest' }).click();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('type')), 'submit');
  await playEasy(page, 'white');
  await board.move('e2', 'e4');
  await board.waitForMoves(2);
  assert.equal((await board.moves())[0], 'e4');
});

test('registering tells what is wrong at the field and keeps the input', async () => {
  const { page } = person;
  await page.goto('/register');
  const good = 'a quiet evening';
  for (const [username, password, field, said] of [
    ['', good, 'username', /too short/],
    ['a', good, 'username', /too short/],
    ['a'.repeat(25), good, 'username', /too long/],
    ['Ana Maria', good, 'username', /Only letters/],
    ['admin', good, 'username', /cannot be used/],
    ['Ana', '', 'password', /too short/],
    ['Ana', 'short', 'password', /too short/],
    ['Ana', 'password1', 'password', /too easy to guess/],
    ['Ana', 'x'.repeat(1100), 'password', /too long/],
  ]) {
    await page.goto('/register');
    await fill(username, password);
    assert.match(await fieldError(field), said, `${username} / ${password.slice(0, 12)}`);
    assert.equal(await page.getByLabel('User name').inputValue(), username);
  }
});

test('registering logs in', async () => {
  const { page } = person;
  await fill('Ana', 'a quiet evening');
  await page.waitForURL('**/');
  await page.getByRole('button', { name: 'Ana' }).waitFor();
});

test('logging in names the unknown user and the wrong password', async () => {
  const { page } = person;
  await page.getByRole('button', { name: 'Ana' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Log in' }).first().waitFor();
  await page.goto('/register');
  await fill('ana', 'another password');
  assert.match(await fieldError('username'), /taken/);
  await page.goto('/login');
  await fill('nobody-here', 'whatever it is');
  assert.match(await fieldError('username'), /no user/);
  await fill('Ana', 'not the password');
  assert.match(await fieldError('password'), /wrong/);
  await fill('Ana', 'a quiet evening');
  await page.getByRole('button', { name: 'Ana' }).waitFor();
});

test('a game against Easy, resigned, is on the profile', async () => {
  const { page, board } = person;
  await page.goto('/');
  await playEasy(page, 'black');
  await board.waitForMoves(1);
  // Answers anything legal a few times, then gives up: the end is what matters here.
  for (const [from, to] of [['a7', 'a6'], ['h7', 'h6']]) {
    const before = (await board.moves()).length;
    await board.move(from, to);
    await board.waitForMoves(before + 2);
  }
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.waitForTimeout(500);
  await page.getByRole('button', { name: 'Sure?' }).click();
  await page.waitForFunction(() => /You lost: resignation/.test(document.querySelector('.game-notice')?.textContent ?? ''));
  await page.goto('/user/Ana');
  await page.waitForSelector('.scores');
  assert.equal(await page.locator('.scores__one--lost dd').innerText(), '1');
  await page.goto('/games?mine');
  await page.waitForSelector('.games');
  assert.match(await page.locator('.games').innerText(), /Lost/);
});

test('a game won by mate against Easy is on the profile', async () => {
  const { page, board } = person;
  await page.goto(`/?fen=${encodeURIComponent('6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1')}`);
  await playEasy(page, 'white');
  await board.move('a1', 'a8');
  await page.waitForFunction(() => /You won: checkmate/.test(document.querySelector('.game-notice')?.textContent ?? ''));
  await page.goto('/user/Ana');
  await page.waitForSelector('.scores');
  assert.equal(await page.locator('.scores__one--won dd').innerText(), '1');
});

test('a game from a position of one’s own is marked, a draw that was claimed and a flag that fell against a bare king are understood', async () => {
  const { page } = person;
  const shuffle = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
  const put = (name, body) =>
    page.evaluate(async ([id, game]) => {
      const answer = await fetch(`/api/v1/uploads/${id}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ opponent: 'page', color: 'white', level: 'Easy', ...game }) });
      return answer.json();
    }, [name, body]);
  assert.equal((await put('claimed-draw', { auto_draw: false, moves: [...shuffle, ...shuffle], result: '1/2-1/2', reason: 'threefold-repetition' })).reason, 'threefold-repetition');
  const fallen = await put('fallen-flag', { fen: '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', moves: ['e2e3', 'e8d8'], result: '0-1', reason: 'time' });
  assert.deepEqual([fallen.result, fallen.reason], ['1/2-1/2', 'time-against-bare-king']);
  const { games } = await page.evaluate(async () => (await fetch('/api/v1/games?scope=mine')).json());
  assert.deepEqual(games.filter(({ reason }) => /threefold|bare/.test(reason)).map(({ from_position }) => from_position ?? false).sort(), [false, true]);
});

test('takeback gives the move back', async () => {
  const { page, board } = person;
  await page.goto('/');
  await page.locator('label:has(input[value=white])').click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  await board.move('e2', 'e4');
  await board.waitForMoves(2);
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.moves__move').length === 0);
  await board.move('d2', 'd4');
  await board.waitForMoves(2);
  // The server remembers that there was help, for every browser of this person.
  const { assisted } = await page.evaluate(async () => (await fetch(`/api/v1/games/${location.pathname.split('/').pop()}`)).json());
  assert.equal(assisted, true);
});

test('a hint marks the game as played with help', async () => {
  const { page, board } = person;
  await page.goto('/');
  await page.locator('label:has(input[value=white])').click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  const [told] = await Promise.all([page.waitForResponse((answer) => answer.url().endsWith('/assisted')), page.getByRole('button', { name: 'Hint' }).click()]);
  assert.equal((await told.json()).assisted, true);
  await board.move('d2', 'd4');
  await board.waitForMoves(2);
  await page.goto('/games?mine');
  await page.locator('.games__helped').first().waitFor();
  await page.goBack();
});

test('a move survives the reload of the page', async () => {
  const { page, board } = person;
  await page.reload();
  await board.ready();
  assert.equal((await board.moves())[0], 'd4');
});

test('nothing went wrong meanwhile', () => assert.deepEqual(person.trouble, []));
