// SPDX-License-Identifier: GPL-3.0-or-later
// People and bots who are here: challenge, decline, accept, chat.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stage, violations } from './support.mjs';

let boss, maja;
const world = stage({
  options: ['--lan'],
  prepare: async ({ visit, server }) => {
    boss = await visit();
    maja = await visit();
    await boss.page.goto(server.setup());
    await fill(boss.page, 'Boss');
    await boss.page.waitForURL('**/admin');
    await boss.page.goto('/admin/switches');
    await boss.page.getByLabel('Players may chat').click();
    await boss.page.getByText('Saved').waitFor();
    await maja.page.goto('/register');
    await fill(maja.page, 'Maja');
    await maja.page.getByRole('button', { name: 'Maja' }).waitFor();
  },
});

async function fill(page, name) {
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill('a quiet evening');
  await page.locator('form button[type=submit]').click();
}

async function challenge(page, name) {
  await page.goto('/');
  await page.locator('label:has(input[value=friend])').click();
  await page.locator('label:has(input[value=white])').click();
  await page.getByRole('group', { name: 'Here now:' }).getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('heading', { name: `Waiting for ${name}` }).waitFor();
}

test('an unknown name is refused at once', async () => {
  const { page } = boss;
  await page.goto('/');
  await page.locator('label:has(input[value=friend])').click();
  await page.getByLabel('Name of a user or bot').fill('Nobody');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('There is no user with this name.').waitFor();
});

test('who comes while the form is open appears in it', async () => {
  await maja.page.goto('about:blank');
  await boss.page.goto('/');
  await boss.page.locator('label:has(input[value=friend])').click();
  const here = boss.page.getByRole('group', { name: 'Here now:' }).getByRole('button', { name: 'Maja' });
  await boss.page.waitForLoadState('networkidle');
  await maja.page.goto('/about');
  await here.waitFor();
});

test('a challenge reaches the other on any page and can be declined', async () => {
  await challenge(boss.page, 'Maja');
  await maja.page.getByText('Boss wants to play.').waitFor();
  assert.deepEqual(await violations(maja.page), []);
  await maja.page.getByRole('button', { name: 'Decline' }).click();
  await boss.board.notice().filter({ hasText: 'Maja declined.' }).waitFor();
});

test('accepted, the game begins, and the two can talk', async () => {
  await challenge(boss.page, 'Maja');
  await maja.page.getByRole('button', { name: 'Accept' }).click();
  await maja.page.waitForSelector('.cg-wrap.orientation-black');
  await boss.board.notice().filter({ hasText: 'Your move' }).waitFor();
  await boss.board.move('e2', 'e4');
  await maja.board.waitForMoves(1);
  await boss.page.locator('.chat summary').click();
  await boss.page.getByLabel('Say something').fill('Good luck!');
  await boss.page.keyboard.press('Enter');
  await maja.page.locator('.chat__count').filter({ hasText: '1' }).waitFor();
  await maja.page.locator('.chat summary').click();
  assert.match(await maja.page.locator('.chat__lines').innerText(), /Boss Good luck!/);
  assert.deepEqual(await violations(maja.page), []);
});

test('what was said survives a reload, and who does not want to read it is left alone', async () => {
  await maja.page.reload();
  await maja.board.ready();
  await maja.page.locator('.chat summary').click();
  assert.match(await maja.page.locator('.chat__lines').innerText(), /Boss Good luck!/);
  await maja.page.getByLabel('Do not read the chat in this game').click();
  await boss.page.getByText('Your opponent does not read the chat in this game.').waitFor();
  assert.equal(await boss.page.getByLabel('Say something').count(), 0);
  await maja.page.getByLabel('Do not read the chat in this game').click();
  await boss.page.getByLabel('Say something').fill('Still there?');
  await boss.page.keyboard.press('Enter');
  await maja.page.locator('.chat__lines').getByText('Still there?').waitFor();
});

test('a takeback is asked for, refused, and granted', async () => {
  await boss.page.getByRole('button', { name: 'Take back' }).click();
  await maja.board.notice().filter({ hasText: 'asks to take the move back' }).waitFor();
  await maja.page.getByRole('button', { name: 'Decline' }).click();
  await boss.board.notice().filter({ hasText: 'Declined.' }).waitFor();
  await maja.board.move('e7', 'e5');
  await boss.board.waitForMoves(2);
  await maja.page.getByRole('button', { name: 'Take back' }).click();
  await boss.page.getByRole('button', { name: 'Accept' }).click();
  for (const { page } of [boss, maja]) await page.waitForFunction(() => document.querySelectorAll('.moves__move').length === 1);
  await maja.board.notice().filter({ hasText: 'Your move' }).waitFor();
  for (const { page } of [boss, maja]) await page.goto('/about');
});

test('a bot written for lichess is challenged from the page and plays', async () => {
  const robot = await world.visit();
  await robot.page.goto('/register');
  await fill(robot.page, 'Robo');
  await robot.page.getByRole('button', { name: 'Robo' }).waitFor();
  const token = await robot.page.evaluate(async () => {
    const answer = await fetch('/api/v1/me/tokens', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name: 'bot', scopes: ['bot:play'] }),
    });
    return (await answer.json()).token;
  });
  await robot.context.close();
  const ending = new AbortController();
  const call = (method, path) => fetch(world.server.address + path, { method, headers: { authorization: `Bearer ${token}` }, signal: ending.signal });
  async function* lines(path) {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const bytes of (await call('GET', path)).body) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = parts.pop();
      for (const part of parts) if (part) yield JSON.parse(part);
    }
  }
  const play = async (id) => {
    for await (const event of lines(`/api/bot/game/stream/${id}`)) {
      const state = event.state ?? event;
      if (state.moves === 'e2e4') await call('POST', `/api/bot/game/${id}/move/e7e5`);
    }
  };
  const listen = async () => {
    for await (const event of lines('/api/stream/event')) {
      if (event.type === 'challenge') await call('POST', `/api/challenge/${event.challenge.id}/accept`);
      if (event.type === 'gameStart') void play(event.game.gameId ?? event.game.id).catch(() => {});
    }
  };
  assert.equal((await call('POST', '/api/bot/account/upgrade')).status, 200);
  void listen().catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { page, board } = boss;
  await page.goto('/');
  await page.locator('label:has(input[value=friend])').click();
  await page.locator('label:has(input[value=white])').click();
  await page.getByRole('group', { name: 'Here now:' }).getByRole('button', { name: 'Robo' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.notice().filter({ hasText: 'Your move' }).waitFor();
  await board.move('e2', 'e4');
  await board.waitForMoves(2);
  assert.deepEqual(await board.moves(), ['e4', 'e5']);
  ending.abort();
});

test('nothing went wrong meanwhile', () => {
  assert.deepEqual(boss.trouble, []);
  assert.deepEqual(maja.trouble, []);
});
