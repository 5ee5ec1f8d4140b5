// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of every page at three sizes, dark and light, and of home and game once in each language.
//   node e2e/screenshots.mjs FOLDER
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser, startServer, visitor } from './support.mjs';

const folder = process.argv[2] ?? 'screenshots';
mkdirSync(folder, { recursive: true });
const sizes = { phone: [390, 844], tablet: [820, 1180], desktop: [1440, 900] };
const pages = {
  home: '/', games: '/games', analysis: '/analysis', review: '/review', editor: '/editor', settings: '/settings', login: '/login',
  register: '/register', recover: '/recover', account: '/account', profile: '/user/Ana', about: '/about', privacy: '/privacy',
  developers: '/developers', 'not-found': '/nowhere',
};

const server = await startServer();
const browser = await startBrowser();

async function register(page) {
  await page.goto('/register');
  await page.fill('#username', 'Ana');
  await page.fill('#password', 'a quiet evening');
  await page.click('form button[type=submit]');
  await page.waitForURL('**/');
}

async function playSome({ page, board }) {
  await page.goto('/');
  await page.locator('.level__mark').first().click();
  await page.locator('label:has(input[value=white])').click();
  await page.locator('.play button[type=submit]').click();
  await board.ready();
  for (const [from, to] of [['e2', 'e4'], ['g1', 'f3'], ['b1', 'c3']]) {
    const before = (await board.moves()).length;
    await board.move(from, to);
    await board.waitForMoves(before + 2).catch(() => {});
  }
  await board.click('d2');
  await page.waitForTimeout(300);
}

const first = await visitor(browser, server.address);
await register(first.page);
await playSome(first);
const state = await first.context.storageState();
await first.context.close();

async function tour(name, options, withPages) {
  const person = await visitor(browser, server.address, { storageState: state, ...options });
  const shoot = (label) => person.page.screenshot({ path: join(folder, `${label}-${name}.png`) });
  for (const [label, path] of Object.entries(withPages)) {
    await person.page.goto(path);
    await person.page.waitForTimeout(600);
    await shoot(label);
  }
  await playSome(person);
  await shoot('game');
  for (const text of person.trouble) console.log(`${name}: ${text}`);
  await person.context.close();
}

for (const [size, [width, height]] of Object.entries(sizes))
  for (const colorScheme of ['dark', 'light']) await tour(`${size}-${colorScheme}`, { viewport: { width, height }, colorScheme }, pages);
for (const locale of ['ro-RO', 'pl-PL', 'hr-HR'])
  for (const size of ['phone', 'desktop'])
    await tour(`${size}-${locale.slice(0, 2)}`, { viewport: { width: sizes[size][0], height: sizes[size][1] }, locale }, { home: '/', settings: '/settings', editor: '/editor' });

await browser.close();
await server.stop();
console.log(`pictures in ${folder}`);
