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
