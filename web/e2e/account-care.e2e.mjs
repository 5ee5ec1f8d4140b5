// SPDX-License-Identifier: GPL-3.0-or-later
// The account page: password, recovery codes, second factor, sessions, tokens, a bot, the data, the end.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stage, violations } from './support.mjs';

let person;
const world = stage({
  prepare: async ({ visit }) => {
    person = await visit();
    await register(person.page, 'Ana');
  },
});

async function register(page, name) {
  await page.goto('/register');
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill('a quiet evening');
  await page.locator('form button[type=submit]').click();
  await page.getByRole('button', { name }).waitFor();
}

// What an authenticator app shows (RFC 6238).
function oneTimeCode(secret, steps = 0) {
  const bits = [...secret.replace(/[^A-Z2-7]/g, '')].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac('sha1', key).update(counter).digest();
  return String((digest.readUInt32BE(digest[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const card = (name) => person.page.locator('section.card', { has: person.page.getByRole('heading', { name, exact: true }) });

test('a recovery code sets a new password, once', async () => {
  const { page } = person;
  await page.goto('/account');
  await page.locator('#recovery-password').fill('a quiet evening');
  await page.getByRole('button', { name: 'Make ten codes' }).click();
  await page.locator('.codes code').first().waitFor();
  const codes = await page.locator('.codes code').allInnerTexts();
  assert.equal(new Set(codes).size, 10);
  const forgetful = await world.visit();
  const recover = async (code, password) => {
    await forgetful.page.goto('/recover');
    await forgetful.page.locator('#username').fill('Ana');
    await forgetful.page.locator('#code').fill(code);
    await forgetful.page.locator('#password').fill(password);
    await forgetful.page.locator('form button[type=submit]').click();
  };
  await recover(codes[0], 'another evening');
  await forgetful.page.waitForURL('**/login');
  await recover(codes[0], 'a third evening');
  await forgetful.page.locator('.field__error, .notice--bad').first().waitFor();
  await forgetful.page.goto('/login');
  await forgetful.page.getByLabel('User name').fill('Ana');
  await forgetful.page.getByLabel('Password').fill('another evening');
  await forgetful.page.locator('form button[type=submit]').click();
  await forgetful.page.getByRole('button', { name: 'Ana' }).waitFor();
  assert.deepEqual(forgetful.trouble, []);
  person = forgetful; // the old session ended with the old password
});

test('the password is changed with the old one only', async () => {
  const { page } = person;
  await page.goto('/account');
  await page.locator('#current').fill('wrong it is');
  await page.locator('#new-password').fill('a quiet evening');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.locator('#current-note.field__error').waitFor();
  await page.locator('#current').fill('another evening');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('The password is changed.').waitFor();
});

test('the second factor is switched on with a code, asked for at login, and switched off', async () => {
  const { page } = person;
  await page.locator('#totp-password').fill('a quiet evening');
  await page.getByRole('button', { name: 'Set it up' }).click();
  const secret = await card('Second factor').locator('code').innerText();
  assert.match(await page.getByRole('link', { name: 'Or open it in an app on this device' }).getAttribute('href'), new RegExp(`^otpauth://totp/.*${secret.replace(/ /g, '')}`));
  await page.locator('#totp-code').fill('000000');
  await page.getByRole('button', { name: 'Switch it on' }).click();
  await page.getByText('This code is wrong.').waitFor();
  await page.locator('#totp-code').fill(oneTimeCode(secret, -1));
  await page.getByRole('button', { name: 'Switch it on' }).click();
  await card('Second factor').getByText('The second factor is on.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Set it up' }).count(), 0);
  assert.deepEqual(await violations(page), []);

  const again = await world.visit();
  await again.page.goto('/login');
  await again.page.getByLabel('User name').fill('Ana');
  await again.page.getByLabel('Password').fill('a quiet evening');
  await again.page.locator('form button[type=submit]').click();
  await again.page.getByLabel('Code from your app').fill(oneTimeCode(secret));
  await again.page.locator('form button[type=submit]').click();
  await again.page.getByRole('button', { name: 'Ana' }).waitFor();

  // Both browsers stand in the list; the other one is logged out from here.
  await page.goto('/account');
  await page.waitForFunction(() => document.querySelectorAll('.account .rows')[0]?.querySelectorAll('li').length === 2);
  await page.getByRole('button', { name: 'Log out everywhere else' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.account .rows')[0]?.querySelectorAll('li').length === 1);
  await again.page.reload();
  await again.page.getByRole('link', { name: 'Log in' }).first().waitFor();
  await again.context.close();

  await card('Second factor').locator('summary').click();
  await page.locator('#off-password').fill('a quiet evening');
  await page.locator('#off-code').fill(oneTimeCode(secret, 1));
  await page.locator('#off-code').press('Enter');
  await page.getByText('The second factor is off.').waitFor();
  await page.getByRole('button', { name: 'Set it up' }).waitFor();
});

test('a token does what it may and no more, until it is deleted', async () => {
  const { page } = person;
  const tokens = card('Tokens for programs');
  await tokens.getByLabel('Name of the program').fill('my script');
  await tokens.getByLabel('play games').uncheck();
  await tokens.getByLabel('read games').check();
  await tokens.getByRole('button', { name: 'Make a token' }).click();
  const token = await tokens.locator('code').innerText();
  await tokens.locator('.rows li', { hasText: 'my script' }).getByText('read games').waitFor();
  const call = (method, path) => fetch(world.server.address + path, { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, ...(method === 'POST' ? { body: '{"opponent":"computer"}' } : {}) });
  assert.equal((await call('GET', '/api/v1/games?scope=mine')).status, 200);
  assert.equal((await call('POST', '/api/v1/games')).status, 403);
  await tokens.getByRole('button', { name: 'Delete' }).click();
  await page.waitForTimeout(400);
  await tokens.getByRole('button', { name: 'Sure?' }).click();
  await page.waitForFunction(() => ![...document.querySelectorAll('.rows li')].some((row) => row.textContent.includes('my script')));
  assert.equal((await call('GET', '/api/v1/games?scope=mine')).status, 401);
});

test('an account that has not played becomes a bot', async () => {
  const robot = await world.visit();
  const { page } = robot;
  await register(page, 'Robo');
  await page.goto('/account');
  await page.getByLabel('Name of the program').fill('engine');
  await page.getByLabel('play as a bot').check();
  await page.getByRole('button', { name: 'Make a token' }).click();
  await page.getByRole('button', { name: 'Make this a bot' }).click();
  await page.waitForTimeout(400);
  await page.locator('.account__bot').getByRole('button', { name: 'Sure?' }).click();
  await page.getByText('This is a bot account now.').waitFor();
  assert.deepEqual(robot.trouble, []);
  await robot.context.close();
});

test('the data can be taken along, and the account ends for ever', async () => {
  const { page } = person;
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save my data' }).click()]);
  const data = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.match(JSON.stringify(data), /"Ana"/);
  const ending = card('Your data');
  await ending.locator('summary').click();
  await ending.getByLabel('Password').fill('a quiet evening');
  await ending.getByRole('button', { name: 'Delete for ever' }).click();
  await page.waitForURL('**/');
  await page.getByRole('link', { name: 'Log in' }).first().waitFor();
  await page.goto('/user/Ana');
  await page.getByText('There is no user with this name.').waitFor();
  assert.deepEqual(person.trouble, []);
});
