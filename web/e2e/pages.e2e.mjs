// SPDX-License-Identifier: GPL-3.0-or-later
// Every page: no accessibility violations, no console errors, in each language, on a phone too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cramped, stage, violations } from './support.mjs';

const pages = ['/', '/games', '/games?device', '/analysis', '/review', '/editor', '/settings', '/login', '/register', '/recover', '/setup', '/admin', '/account', '/about', '/privacy', '/developers', '/nowhere'];

const world = stage();

for (const colorScheme of ['dark', 'light'])
  test(`axe finds nothing on any page (${colorScheme})`, async () => {
    const { page, trouble, context, board } = await world.visit({ colorScheme });
    for (const path of pages) {
      await page.goto(path);
      await page.waitForTimeout(400);
      assert.deepEqual(await violations(page), [], path);
    }
    await page.goto('/');
    await page.locator('label:has(input[value=white])').click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await board.ready();
    assert.deepEqual(await violations(page), [], 'game');
    assert.deepEqual(trouble, []);
    await context.close();
  });

for (const [locale, word] of [['ro-RO', 'Începe'], ['pl-PL', 'Start'], ['hr-HR', 'Počni'], ['en-GB', 'Start']])
  test(`the browser's language is spoken (${locale})`, async () => {
    const { page, trouble, context } = await world.visit({ locale });
    await page.goto('/');
    await page.getByRole('button', { name: word, exact: true }).waitFor();
    assert.equal(await page.getAttribute('html', 'lang'), locale.slice(0, 2));
    assert.deepEqual(trouble, []);
    await context.close();
  });

test('the language can be changed and stays', async () => {
  const { page, context } = await world.visit();
  await page.goto('/');
  await page.getByLabel('Language').selectOption('ro');
  await page.getByRole('button', { name: 'Începe', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Începe', exact: true }).waitFor();
  await context.close();
});

test('nothing is cut off, scrolls sideways or is too small for a finger at three sizes', async () => {
  for (const viewport of [{ width: 390, height: 844 }, { width: 820, height: 1180 }, { width: 1440, height: 900 }])
    for (const locale of ['en-GB', 'ro-RO', 'pl-PL', 'hr-HR']) {
      const { page, context } = await world.visit({ viewport, locale });
      for (const path of pages) {
        await page.goto(path);
        await page.waitForTimeout(150);
        assert.deepEqual(await cramped(page), [], `${path} at ${viewport.width} (${locale})`);
      }
      await context.close();
    }
});

test('every page has a title of its own', async () => {
  const { page, context } = await world.visit();
  const titles = new Map();
  for (const path of pages.filter((one) => one !== '/games?device')) {
    await page.goto(path);
    if (path !== '/') await page.waitForFunction(() => / · Rokada$/.test(document.title));
    const title = await page.title();
    assert.equal(titles.get(title), undefined, `${path} is called like ${titles.get(title)}`);
    titles.set(title, path);
  }
  assert.equal(titles.get('Rokada'), '/');
  await context.close();
});

test('the manifest and its icons are there, one of them made to be cut to any shape', async () => {
  const read = async (path) => Buffer.from(await (await fetch(world.address + path)).arrayBuffer());
  const manifest = JSON.parse(await read('/manifest.webmanifest'));
  assert.ok(manifest.icons.some(({ purpose }) => purpose === 'maskable'));
  for (const { src, sizes, type } of manifest.icons.filter((icon) => icon.type === 'image/png')) {
    const bytes = await read(src);
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, `${src} ${type}`);
  }
  assert.match((await read('/favicon.svg')).toString(), /<svg/);
});

// Zooming to 200 % halves the room a page has: a laptop's 1280 x 800 become 640 x 400. A phone on its side has about as much.
for (const viewport of [{ width: 640, height: 400 }, { width: 844, height: 390 }])
  test(`in a low window of ${viewport.width} x ${viewport.height} everything can be reached, and the board is not cut`, async () => {
    const { page, board, context } = await world.visit({ viewport, deviceScaleFactor: 2 });
    for (const path of pages) {
      await page.goto(path);
      await page.waitForTimeout(150);
      assert.deepEqual(await cramped(page), [], path);
    }
    const whole = async () => {
      await page.waitForFunction(() => document.querySelector('cg-board')?.clientWidth > 200);
      const { x, y, width, height } = await page.locator('cg-board').boundingBox();
      assert.ok(x >= 0 && y >= 0 && x + width <= viewport.width && y + height <= viewport.height, JSON.stringify([x, y, width, height]));
    };
    await page.goto('/analysis');
    await whole();
    await page.goto('/');
    await page.locator('label:has(input[value=device])').click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await board.ready();
    await whole();
    await board.move('e2', 'e4');
    await board.waitForMoves(1);
    // Scrolling to the actions leaves the board where it is seen.
    await page.getByRole('button', { name: 'Resign' }).scrollIntoViewIfNeeded();
    await whole();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Save PGN' }).scrollIntoViewIfNeeded();
    assert.deepEqual(await violations(page), []);
    await context.close();
  });

test('a page that cannot be fetched says so and can be tried again', async () => {
  const { page, context } = await world.visit({ serviceWorkers: 'block' });
  await page.goto('/about');
  await page.route('**/assets/settings-*.js', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('This page could not be loaded.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await context.close();
});

test('a browser that is too old is told so', async () => {
  const { page, context } = await world.visit();
  await page.addInitScript(() => delete Document.prototype.adoptedStyleSheets);
  await page.goto('/');
  await page.getByText('This browser is too old for Rokada.').waitFor();
  await context.close();
});

test('lists come in pages and can be filtered, and the profile estimates a strength from the fifth game on', async () => {
  const { page, context, trouble } = await world.visit();
  await page.goto('/register');
  await page.getByLabel('User name').fill('Vesna');
  await page.getByLabel('Password').fill('a quiet evening');
  await page.locator('form button[type=submit]').click();
  await page.getByRole('button', { name: 'Vesna' }).waitFor();
  const upload = (from, to) =>
    page.evaluate(async ([first, last]) => {
      const moves = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];
      for (let i = first; i < last; ++i) {
        const body = JSON.stringify({ opponent: 'page', color: i % 3 ? 'black' : 'white', elo: 900, moves, clock: null, assisted: i === 0 });
        const answer = await fetch(`/api/v1/uploads/vesna-game-${i}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
        if (!answer.ok) throw new Error(`upload: ${answer.status}`);
      }
    }, [from, to]);
  // One with help does not count.
  await upload(0, 5);
  await page.goto('/user/Vesna');
  await page.getByText('After 1 more finished game against the computer').waitFor();
  assert.equal(await page.locator('.games__helped').count(), 1);
  await upload(5, 35);
  await page.reload();
  await page.locator('.profile__elo').waitFor();
  const text = await page.locator('section', { has: page.locator('#strength') }).innerText();
  assert.match(text, /\d{3,4}\s+± \d+/);
  assert.deepEqual(await violations(page), [], 'profile');
  assert.equal(await page.getByRole('link', { name: 'How is this estimated?' }).getAttribute('href'), '/about#strength');
  assert.match(await page.locator('section', { has: page.locator('#by-level') }).innerText(), /White[^]*Black[^]*\d+ \/ \d+ \/ \d+/);

  const rows = page.locator('.games tbody tr');
  await page.goto('/games?mine');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 30);
  assert.deepEqual(await violations(page), [], 'games');
  // Those of one user, found by name; the profile leads there too.
  await page.goto('/user/Vesna');
  await page.getByRole('link', { name: 'All games' }).click();
  await page.waitForURL('**/games?player=Vesna');
  await page.waitForFunction(() => document.querySelectorAll('.games tbody tr').length === 30);
  await page.getByLabel('Games of a user').fill('Nobody');
  await page.keyboard.press('Enter');
  await page.getByText('There are no games of Nobody to see here.').waitFor();
  await page.getByLabel('Games of a user').fill('vesna');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.games tbody tr').length === 30);
  await page.goto('/games?mine');
  await rows.first().waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.games tbody tr').length === 35);
  await page.locator('label:has(input[name=state][value=playing])').click();
  await page.getByText('There are no games here yet.').waitFor();
  await page.getByRole('link', { name: 'Play one' }).click();
  await page.waitForURL('**/');
  assert.deepEqual(trouble, []);
  await context.close();
});

test('a phone plays by touch, the board fills the width and nothing scrolls', async () => {
  const { page, board, context, trouble } = await world.visit({
    viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3,
  });
  await page.goto('/');
  await page.locator('label:has(input[value=white])').tap();
  await page.getByRole('button', { name: 'Start', exact: true }).tap();
  await board.ready();
  const box = await page.locator('cg-board').boundingBox();
  assert.ok(box.width > 385, `the board is ${box.width} px wide`);
  await board.tap('e2');
  await board.tap('e4');
  await board.waitForMoves(2);
  const scroll = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  assert.ok(scroll <= 0, `the page is ${scroll} px too high`);
  assert.deepEqual(trouble, []);
  await context.close();
});

test('editor to game: a position that was set up is played', async () => {
  const { page, board, context, trouble } = await world.visit();
  await page.goto('/editor');
  await page.getByRole('button', { name: 'Kings only' }).click();
  await page.getByRole('button', { name: 'white queen' }).click();
  await page.waitForSelector('.board--tool');
  await board.click('d4');
  await page.getByRole('status').filter({ hasText: 'A legal position' }).waitFor();
  await page.getByRole('link', { name: 'Play from here' }).click();
  await page.locator('label:has(input[value=device])').click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  await board.move('d4', 'd8');
  await board.waitForMoves(1);
  assert.deepEqual(await board.moves(), ['Qd8+']);
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the editor says what is wrong', async () => {
  const { page, context } = await world.visit();
  await page.goto(`/editor?fen=${encodeURIComponent('P3k3/8/8/8/8/8/8/8 w - - 0 1')}`);
  await page.getByText('Each side needs exactly one king.').waitFor();
  await page.getByText('Pawns cannot stand on the first or last rank.').waitFor();
  await context.close();
});

test('the engine thinks in the page and its line can be played', async () => {
  const { page, context, trouble } = await world.visit();
  await page.goto('/analysis');
  await page.waitForSelector('cg-board piece');
  await page.getByLabel('Engine').click();
  await page.waitForFunction(() => document.querySelectorAll('.engine__move').length > 2, undefined, { timeout: 20_000 });
  await page.locator('.engine__move').first().click();
  await page.waitForSelector('.tree .moves__move');
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the analysis board reads a file with variations, changes their order, and gives it all back', async () => {
  const { page, board, context, trouble } = await world.visit();
  await page.goto('/analysis');
  await board.ready();
  await page.getByText('Position and game as text').click();
  await page.locator('.open-file input').setInputFiles({ name: 'game.pgn', mimeType: 'application/x-chess-pgn', buffer: Buffer.from('[White "A"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *\n') });
  await page.locator('.tree .moves__move', { hasText: 'c5' }).click();
  const text = page.getByLabel('PGN');
  assert.equal(await text.inputValue(), '1. e4 e5 (1... c5 2. Nf3) 2. Nc3');
  await page.getByRole('button', { name: 'Make this the main line' }).click();
  await page.waitForFunction(() => document.querySelector('#analysis-pgn').value === '1. e4 c5 (1... e5 2. Nc3) 2. Nf3');
  await page.locator('.tree .moves__move', { hasText: 'e5' }).click();
  await page.getByRole('button', { name: 'Delete from here' }).click();
  await page.waitForFunction(() => document.querySelector('#analysis-pgn').value === '1. e4 c5 2. Nf3');
  // A position of its own goes along with the moves.
  await page.getByLabel('FEN').fill('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
  await page.getByLabel('FEN').press('Enter');
  await board.move('e2', 'e4');
  await page.waitForFunction(() => document.querySelector('#analysis-pgn').value.startsWith('[SetUp "1"]\n[FEN "4k3'));
  const saved = await text.inputValue();
  await page.reload();
  await board.ready();
  await page.getByText('Position and game as text').click();
  await text.fill(saved);
  await page.getByRole('button', { name: 'Read this game' }).click();
  await page.locator('.tree .moves__move', { hasText: 'e4' }).waitFor();
  await text.fill('this is no game');
  await page.getByRole('button', { name: 'Read this game' }).click();
  await page.getByText('This text could not be read.').waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
});

test('the judgement of a position is explained in the reader’s language', async () => {
  const { page, context, trouble } = await world.visit({ locale: 'hr-HR' });
  await page.goto(`/analysis?fen=${encodeURIComponent('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1')}`);
  await page.waitForSelector('cg-board piece');
  await page.getByText('Zašto ta ocjena?').click();
  const rows = page.locator('.terms').first().locator('tbody tr');
  await rows.filter({ hasText: 'materijal' }).waitFor();
  for (const name of (await rows.locator('th').allInnerTexts()).slice(0, -1)) assert.doesNotMatch(name, /^(term\.|material$|placement|king|pawns)/, name);
  await page.getByText('Sve sastavnice, kako ih zove program').click();
  await page.locator('.terms__all').getByText('material: material').waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
});

test('on the analysis board the explanation follows the moves, and castling works onto the rook', async () => {
  const { page, board, context, trouble } = await world.visit();
  await page.goto(`/analysis?fen=${encodeURIComponent('4k3/8/8/8/8/8/p7/4K2R b K - 0 1')}`);
  await board.ready();
  await page.getByText('Why this judgement?').click();
  const material = page.locator('.terms').first().locator('tbody tr', { hasText: 'material' }).locator('td').nth(1);
  await material.waitFor();
  const before = await material.innerText();
  await board.move('a2', 'a1');
  await page.getByRole('button', { name: 'black queen' }).click();
  await page.waitForFunction((old) => document.querySelector('.terms tbody')?.textContent.includes('material') && ![...document.querySelectorAll('.terms tbody tr')].some((row) => /^material/.test(row.textContent.trim()) && row.textContent.includes(old)), before);
  await page.goto(`/analysis?fen=${encodeURIComponent('4k3/8/8/8/8/8/8/4K2R w K - 0 1')}`);
  await board.ready();
  await board.move('e1', 'h1');
  await page.locator('.tree .moves__move', { hasText: 'O-O' }).waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
});

test('a new page is where the keyboard goes on, and the menu gives the focus back', async () => {
  const { page, context } = await world.visit();
  await page.goto('/');
  await page.getByRole('link', { name: 'Analysis' }).first().focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'main');
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Settings' }).focus();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Menu');
  assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
  await context.close();
});

test('the page on privacy names what is kept', async () => {
  const { page, context } = await world.visit();
  await page.goto('/privacy');
  for (const words of [/network address/, /kind of browser/, /one-way hash/, /second factor/, /chat/, /copy of this site/]) await page.getByText(words).first().waitFor();
  await context.close();
});

test('the computer plays in the browser, also without a network after the first visit', async () => {
  const { page, board, context, trouble } = await world.visit();
  await page.goto('/settings');
  await page.locator('label:has(input[name=thinkOn][value=browser])').click();
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length > 0);
  await page.waitForTimeout(1000);
  await context.setOffline(true);
  await page.reload();
  await page.locator('label:has(input[value=white])').click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  await board.move('e2', 'e4');
  await board.waitForMoves(2, 30_000);
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.waitForSelector('.cg-shapes g[cgHash]', { state: 'attached', timeout: 15_000 });
  assert.deepEqual(trouble, []);
  await context.close();
});
