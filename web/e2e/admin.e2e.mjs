// SPDX-License-Identifier: GPL-3.0-or-later
// The first administrator and what administrators do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stage, violations } from './support.mjs';

let boss;
const world = stage({
  // On a local network administrators need no second factor.
  options: ['--lan'],
  prepare: async ({ visit }) => {
    boss = await visit();
  },
});

test('the printed link makes the first administrator', async () => {
  const { page } = boss;
  await page.goto('/setup');
  await page.getByText('Open the link that the server printed').waitFor();
  await page.goto('about:blank');
  await page.goto(world.server.setup());
  await page.getByLabel('User name').fill('Boss');
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: 'Make the administrator' }).click();
  await page.getByText('too short').waitFor();
  await page.getByLabel('Password').fill('a quiet evening');
  await page.getByRole('button', { name: 'Make the administrator' }).click();
  await page.waitForURL('**/admin');
  await page.getByRole('heading', { name: '1 person' }).waitFor();
  assert.deepEqual(await violations(page), []);
});

test('many people are added at once and their slips let them in', async () => {
  const { page } = boss;
  await page.getByLabel('User names').fill('Maja\nTomek\nBoss');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Boss: This name is taken.').waitFor();
  assert.deepEqual(await page.locator('.slips strong').allInnerTexts(), ['Maja', 'Tomek']);
  assert.deepEqual(await violations(page), []);
  const [password] = await page.locator('.slips code').allInnerTexts();
  const maja = await world.visit();
  await maja.page.goto('/login');
  await maja.page.getByLabel('User name').fill('Maja');
  await maja.page.getByLabel('Password').fill(password);
  await maja.page.locator('form button[type=submit]').click();
  await maja.page.getByRole('button', { name: 'Maja' }).waitFor();
  await maja.page.goto('/admin');
  await maja.page.getByText('You may not do this.').waitFor();
  await maja.context.close();
});

test('a new password, and disabling, need a second press', async () => {
  const { page } = boss;
  const row = page.locator('.rows li', { hasText: 'Tomek' });
  for (const name of ['New password', 'Disable']) {
    await row.getByRole('button', { name }).click();
    await page.waitForTimeout(400);
    await row.getByRole('button', { name: 'Sure?' }).click();
    if (name === 'Disable') await row.getByText('disabled').waitFor();
    else await page.waitForFunction(() => [...document.querySelectorAll('.slips strong')].map((one) => one.textContent).join() === 'Tomek');
  }
});

test('closing registration is seen by visitors', async () => {
  const { page } = boss;
  await page.getByRole('link', { name: 'Switches' }).click();
  await page.locator('label:has(input[value=closed])').click();
  await page.getByText('Saved').waitFor();
  assert.deepEqual(await violations(page), []);
  const guest = await world.visit();
  await guest.page.goto('/register');
  await guest.page.getByText('This server makes no new accounts.').waitFor();
  await guest.context.close();
});

test('running games, backup and the log are there', async () => {
  const { page } = boss;
  await page.getByRole('link', { name: 'Running games' }).click();
  await page.getByText('Nobody is playing right now.').waitFor();
  await page.getByRole('link', { name: 'Upkeep' }).click();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByText('The copy is made:').waitFor();
  await page.locator('.rows li', { hasText: 'backup' }).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(boss.trouble, []);
});
