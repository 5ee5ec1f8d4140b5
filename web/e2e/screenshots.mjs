// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of every page and of the states of a game at three sizes, dark, light and in each language; what is cut off or too small
// for a finger is told besides. ROKADA_TOURS picks some by a pattern, for example 'phone-(dark|hr)'.
//   node e2e/screenshots.mjs FOLDER
//   node e2e/screenshots.mjs --readme FOLDER    the few that stand in the README, as JPEG
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cramped, openEditorGame, startBrowser, startServer, visitor } from './support.mjs';

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
  await page.locator('label:has(input[value=computer])').click();
  await page.locator('label:has(input[value=none])').click();
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

// The states a game can be in, each in a game of its own.
const states = {
  async 'game-finished'({ page, board }) {
    await openEditorGame(page, 'r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4', 'computer', 'white');
    await board.move('h5', 'f7');
    await page.locator('.actions a[href^="/review"]').waitFor();
  },
  async 'game-promotion'({ page, board }) {
    await openEditorGame(page, '1n2k3/P6p/8/8/8/8/6PP/4K3 w - - 0 1');
    await board.move('a7', 'b8');
    await page.waitForSelector('.promotion');
  },
  async invitation({ page }) {
    await page.goto('/');
    await page.locator('label:has(input[value=friend])').click();
    await page.locator('label:has(input[value=white])').click();
    await page.locator('.play button[type=submit]').click();
    await page.waitForURL('**/game/*');
  },
  async 'game-premoves'({ page, board }) {
    const friend = await visitor(browser, server.address);
    await friend.page.goto(new URL(page.url()).pathname);
    await friend.page.locator('main .button--main').click();
    await friend.board.ready();
    await page.waitForTimeout(400);
    for (const [from, to] of [['e2', 'e4'], ['g1', 'f3'], ['f1', 'c4'], ['e1', 'g1']]) await board.move(from, to);
    await friend.context.close();
  },
  async 'game-device'({ page, board }) {
    await page.goto('/');
    for (const value of ['device', '3+2']) await page.locator(`label:has(input[value="${value}"])`).click();
    await page.locator('.play button[type=submit]').click();
    await board.ready();
    for (const [from, to] of [['e2', 'e4'], ['e7', 'e5'], ['g1', 'f3'], ['b8', 'c6'], ['f1', 'b5'], ['a7', 'a6'], ['b5', 'c6'], ['d7', 'c6']]) await board.move(from, to);
  },
  async 'analysis-engine'({ page, board }) {
    await page.goto('/analysis');
    await board.ready();
    for (const [from, to] of [['e2', 'e4'], ['e7', 'e5'], ['g1', 'f3']]) await board.move(from, to);
    await page.locator('main [role=switch], main .switch input').first().click({ force: true });
    await page.waitForFunction(() => document.querySelectorAll('.engine__move').length > 2).catch(() => {});
    await page.waitForTimeout(1000);
  },
};

async function allPages() {
  const first = await visitor(browser, server.address);
  await register(first.page);
  await playSome(first);
  const state = await first.context.storageState();
  await first.context.close();

  async function tour(name, options) {
    const person = await visitor(browser, server.address, { storageState: state, ...options });
    const shoot = async (label, fullPage = false) => {
      await person.page.screenshot({ path: join(folder, `${label}-${name}.png`), fullPage });
      for (const text of await cramped(person.page)) console.log(`${name} ${label}: ${text}`);
    };
    for (const [label, path] of Object.entries(pages)) {
      await person.page.goto(path);
      await person.page.waitForTimeout(600);
      await shoot(label, true);
    }
    for (const [label, prepare] of Object.entries(states)) {
      try {
        await prepare(person);
        await person.page.waitForTimeout(300);
        await shoot(label);
      } catch (error) {
        console.log(`${name} ${label}: ${error.message}`);
      }
    }
    await review(person.page);
    await shoot('review-game');
    await shoot('review-whole', true);
    await playSome(person);
    await shoot('game');
    for (const text of person.trouble) console.log(`${name}: ${text}`);
    await person.context.close();
    // Somebody without an account.
    const guest = await visitor(browser, server.address, options);
    for (const [label, path] of Object.entries({ home: '/', account: '/account', games: '/games?mine', login: '/login', register: '/register', admin: '/admin' })) {
      await guest.page.goto(path);
      await guest.page.waitForTimeout(500);
      await guest.page.screenshot({ path: join(folder, `guest-${label}-${name}.png`), fullPage: true });
    }
    await guest.context.close();
  }

  const wanted = process.env.ROKADA_TOURS ? new RegExp(process.env.ROKADA_TOURS) : /./;
  for (const [size, [width, height]] of Object.entries(sizes)) {
    const viewport = { width, height };
    for (const colorScheme of ['dark', 'light']) if (wanted.test(`${size}-${colorScheme}`)) await tour(`${size}-${colorScheme}`, { viewport, colorScheme });
    for (const locale of ['ro-RO', 'pl-PL', 'hr-HR']) if (wanted.test(`${size}-${locale.slice(0, 2)}`)) await tour(`${size}-${locale.slice(0, 2)}`, { viewport, locale });
  }
}

await (readme ? readmePictures() : allPages());
await browser.close();
await server.stop();
console.log(`pictures in ${folder}`);
