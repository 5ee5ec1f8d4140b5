// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of every page at three sizes, dark and light, and of home and game once in each language.
//   node e2e/screenshots.mjs FOLDER
//   node e2e/screenshots.mjs --readme FOLDER    the few that stand in the README, as JPEG
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser, startServer, visitor } from './support.mjs';

const readme = process.argv[2] === '--readme';
const folder = process.argv[readme ? 3 : 2] ?? 'screenshots';
mkdirSync(folder, { recursive: true });
const sizes = { phone: [390, 844], tablet: [820, 1180], desktop: [1440, 900] };
const pages = {
  home: '/', games: '/games', analysis: '/analysis', review: '/review', editor: '/editor', settings: '/settings', login: '/login',
  register: '/register', recover: '/recover', account: '/account', profile: '/user/Ana', about: '/about', privacy: '/privacy',
  developers: '/developers', 'not-found': '/nowhere', setup: '/setup', admin: '/admin', 'admin-switches': '/admin/switches', 'admin-upkeep': '/admin/upkeep',
};

const server = await startServer(['--lan']);
const browser = await startBrowser();

async function register(page) {
  await page.goto(server.setup());
  await page.fill('#username', 'Ana');
  await page.fill('#password', 'a quiet evening');
  await page.click('form button[type=submit]');
  await page.waitForURL('**/admin');
  await fillProfile(page);
}

// Enough games for the chart of strength.
async function fillProfile(page) {
  await page.evaluate(async () => {
    const moves = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];
    for (let i = 0; i < 14; ++i) {
      const body = JSON.stringify({ opponent: 'page', color: i % 3 ? 'black' : 'white', elo: 800 + i * 50, moves, clock: null });
      await fetch(`/api/v1/uploads/screenshot-${i}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
    }
  });
}

// An opening on one board, with the engine's lines beside it, then the end of it judged.
async function readmePictures() {
  const viewport = { width: 1280, height: 800 };
  const shoot = (page, name) => page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 82 });
  const person = await visitor(browser, server.address, { viewport, colorScheme: 'dark' });
  const { page, board } = person;
  await register(page);
  const state = await person.context.storageState();
  await page.goto('/');
  await page.waitForTimeout(800);
  await shoot(page, 'home');
  await page.locator('label:has(input[value=device])').click();
  await page.locator('.play button[type=submit]').click();
  await board.ready();
  const moves = 'e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4+ Nc3 Nxe4 O-O Nxc3 bxc3 Bxc3 Qb3 Bxa1 Bxf7+ Kf8 Bg5 Ne7 Ne5'.split(' ');
  for (const move of moves) {
    await page.getByLabel('Type a move').fill(move);
    await page.keyboard.press('Enter');
  }
  await page.getByRole('button', { name: 'Engine: evaluation and lines' }).click();
  await page.waitForTimeout(7000);
  await shoot(page, 'game');
  await person.context.close();
  const light = await visitor(browser, server.address, { viewport, colorScheme: 'light', storageState: state });
  await light.page.goto('/user/Ana');
  await light.page.waitForTimeout(1000);
  await shoot(light.page, 'profile');
  await review(light.page);
  await shoot(light.page, 'review');
  await light.context.close();
}

// A short game with its blunder shown, judged by the engine of the page.
const judged = '[White "Ana"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0';

async function review(page) {
  await page.goto('/review');
  await page.locator('#review-pgn').fill(judged);
  await page.locator('main .button--main').click();
  await page.locator('.review__summary').waitFor({ timeout: 180_000 });
  // A mistake with its reason in words, if there is one.
  const mistakes = page.locator('.moves__move--blunder, .moves__move--mistake');
  for (let i = (await mistakes.count()) - 1; i >= 0; --i) {
    await mistakes.nth(i).click();
    if (await page.locator('.review__card > p:not(.review__verdict, .review__better)').count()) break;
  }
  await page.waitForTimeout(400);
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

async function allPages() {
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
    if (withPages.review) {
      await review(person.page);
      await shoot('review-game');
      await person.page.screenshot({ path: join(folder, `review-whole-${name}.png`), fullPage: true });
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
}

await (readme ? readmePictures() : allPages());
await browser.close();
await server.stop();
console.log(`pictures in ${folder}`);
