// SPDX-License-Identifier: GPL-3.0-or-later
// Review of a known game, in the page and on the server: the blunder named with its reason, the better line, another try; on one device and imported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEditorGame, stage, violations } from './support.mjs';

const legal = '[White "Ana"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0';

const world = stage();

async function importGame(page, place = 'browser') {
  await page.goto('/review');
  await page.locator(`label:has(input[name=review-place][value=${place}])`).click();
  await page.getByLabel('PGN').fill(legal);
  await page.getByRole('button', { name: /Review this game|Evaluează|Oceń|Ocijeni/ }).click();
  await page.locator('.review__summary').waitFor({ timeout: 240_000 });
}

for (const place of ['browser', 'server']) {
  test(`the blunder of an imported game is named with the reason, and can be tried again (${place})`, async () => {
    const { page, board, trouble, context } = await world.visit();
    await importGame(page, place);
    assert.match(await page.locator('.review__opening').innerText(), /Philidor/);
    assert.equal(await page.locator('.moves__result').innerText(), '1–0');
    await page.locator('.moves__move', { hasText: 'Bxd1' }).click();
    const card = page.locator('.review__card');
    await card.getByText('Blunder').waitFor();
    assert.match(await card.innerText(), /After Bxd1:\s+Bxf7\+ forces mate in 2 moves\./);
    assert.ok((await page.locator('.graph__dot--blunder').count()) >= 1);
    // The better line can be followed.
    await card.locator('.engine__move').first().click();
    assert.equal(await card.locator('.engine__move').first().getAttribute('aria-pressed'), 'true');
    assert.deepEqual(await violations(page), []);
    // On an upright tablet board and moves are seen together.
    await page.setViewportSize({ width: 820, height: 1180 });
    await page.evaluate(() => scrollTo(0, 0));
    for (const part of ['.analysis__board', '.review__moves']) {
      const box = await page.locator(part).boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= 1180, `${part} ${JSON.stringify(box)}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.locator('.moment', { hasText: 'Bxd1' }).getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Bxd1 was played here. Find a better move for Black.').waitFor();
    await board.ready();
    await board.move('g4', 'd1');
    await page.getByText('This loses too much as well.').waitFor();
    await card.getByRole('button', { name: 'Try again' }).click();
    // A move that is neither the played nor the best one has to be judged by the engine.
    await board.move('a7', 'a6');
    await page.locator('.review__said--failed, .review__said--close, .review__said--solved').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: /Show the best move|Next mistake|Back to the game/ }).first().click();
    assert.deepEqual(trouble, []);
    await context.close();
  });
}

test('a game of the server is reviewed there once and found again', async () => {
  const { page, board, trouble, context } = await world.visit();
  await openEditorGame(page, '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1', 'computer', 'white');
  await board.move('a1', 'a8');
  await board.notice().filter({ hasText: 'You won: checkmate' }).waitFor();
  await page.locator('.actions').getByRole('link', { name: 'Review' }).click();
  await page.locator('label:has(input[name=review-place][value=server])').first().click();
  await page.locator('.review__summary').waitFor({ timeout: 240_000 });
  const [stored] = await Promise.all([page.waitForResponse((answer) => answer.url().endsWith('/review') && answer.url().includes('/api/')), page.reload()]);
  assert.equal(stored.status(), 200);
  await page.locator('.review__summary').waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
});

for (const [locale, sentence] of [['ro-RO', /Nxf7\+ forțează mat în 2 mutări\./], ['pl-PL', /Gxf7\+ wymusza mata w 2 ruchach\./], ['hr-HR', /Lxf7\+ iznuđuje mat u 2 poteza\./]])
  test(`the reason is worded in the reader's language (${locale})`, async () => {
    const { page, trouble, context } = await world.visit({ locale, viewport: { width: 390, height: 844 } });
    await importGame(page);
    await page.locator('.moves__move', { hasText: 'xd1' }).click();
    await page.getByText(sentence).first().waitFor();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${over} px too wide`);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(trouble, []);
    await context.close();
  });

test('a game on this device is reviewed after its end, a running one is not', async () => {
  const { page, board, trouble, context } = await world.visit();
  await page.goto('/');
  await page.locator('label:has(input[value=device])').click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  const id = new URL(page.url()).pathname.split('/').pop();
  for (const [from, to] of [['f2', 'f3'], ['e7', 'e5'], ['g2', 'g4']]) await board.move(from, to);
  await board.waitForMoves(3);
  await page.goto(`/review/${id}`);
  await page.getByText('Only a finished game can be reviewed.').waitFor();
  await page.goto(`/game/${id}`);
  await board.ready();
  await board.move('d8', 'h4');
  await page.locator('.actions').getByRole('link', { name: 'Review' }).click();
  await page.locator('.review__summary').waitFor({ timeout: 240_000 });
  await page.locator('.moves__move', { hasText: 'g4' }).click();
  await page.locator('.review__card').getByText('Qh4# is mate.').waitFor();
  assert.deepEqual(trouble, []);
  await context.close();
});
