// SPDX-License-Identifier: GPL-3.0-or-later
// People and bots who are here: challenge, decline, accept, chat.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBrowser, startServer, violations, visitor } from './support.mjs';

let server, browser, boss, maja;
before(async () => {
  server = await startServer(['--lan']);
  browser = await startBrowser();
  boss = await visitor(browser, server.address);
  maja = await visitor(browser, server.address);
  await boss.page.goto(server.setup());
  await fill(boss.page, 'Boss');
  await boss.page.waitForURL('**/admin');
  await boss.page.goto('/admin/switches');
  await boss.page.getByLabel('Players may chat').click();
  await boss.page.getByText('Saved').waitFor();
  await maja.page.goto('/register');
  await fill(maja.page, 'Maja');
  await maja.page.getByRole('button', { name: 'Maja' }).waitFor();
});
after(async () => {
  await browser?.close();
  await server?.stop();
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

test('a challenge reaches the other on any page and can be declined', async () => {
  await maja.page.goto('/about');
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
  for (const { page } of [boss, maja]) await page.goto('/about');
});

test('a bot written for lichess is challenged from the page and plays', async () => {
  const robot = await visitor(browser, server.address);
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
  const call = (method, path) => fetch(server.address + path, { method, headers: { authorization: `Bearer ${token}` }, signal: ending.signal });
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
