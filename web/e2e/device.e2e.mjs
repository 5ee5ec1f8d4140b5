// SPDX-License-Identifier: GPL-3.0-or-later
// Two people on this device: all rules of the board, refusals with their reasons, clocks, replay.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEditorGame, stage } from './support.mjs';

let person;
const world = stage({
  prepare: async ({ visit }) => {
    person = await visit();
  },
});

async function play(fen, ...moves) {
  await openEditorGame(person.page, fen);
  for (const [from, to] of moves) {
    await person.board.move(from, to);
    await person.page.waitForTimeout(60);
  }
}
const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const noticeSays = (pattern) => person.page.waitForFunction((source) => new RegExp(source).test(document.querySelector('.game-notice')?.textContent ?? ''), pattern.source);

test('a mate is announced', async () => {
  await play(start, ['f2', 'f3'], ['e7', 'e5'], ['g2', 'g4'], ['d8', 'h4']);
  await noticeSays(/Black won: checkmate/);
  assert.deepEqual(await person.board.moves(), ['f3', 'e5', 'g4', 'Qh4#']);
});

test('a stalemate is a draw', async () => {
  await play('7k/5Q2/8/8/8/8/8/K7 w - - 0 1', ['f7', 'g6']);
  await noticeSays(/Draw: stalemate/);
});

test('a pawn becomes a knight', async () => {
  await play('4k3/P7/8/8/8/8/8/4K3 w - - 0 1', ['a7', 'a8']);
  await person.page.getByRole('button', { name: 'white knight' }).click();
  await person.board.waitForMoves(1);
  assert.deepEqual(await person.board.moves(), ['a8=N']);
});

test('a promotion can be taken back by clicking elsewhere', async () => {
  await play('4k3/P7/8/8/8/8/8/4K3 w - - 0 1', ['a7', 'a8']);
  await person.page.waitForSelector('.promotion');
  await person.board.click('h4');
  await person.page.waitForSelector('.promotion', { state: 'detached' });
  assert.deepEqual(await person.board.moves(), []);
  await person.board.move('e1', 'e2');
  await person.board.waitForMoves(1);
});

test('en passant', async () => {
  await play('4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1', ['d7', 'd5'], ['e5', 'd6']);
  assert.deepEqual(await person.board.moves(), ['d5', 'exd6']);
});

test('castling by the king’s step and by king onto rook', async () => {
  await play('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1', ['e1', 'g1'], ['e8', 'a8']);
  assert.deepEqual(await person.board.moves(), ['O-O', 'O-O-O']);
});

test('dragging works, and a drop on an impossible square says why', async () => {
  await openEditorGame(person.page, start);
  await person.board.drag('e2', 'e4');
  await person.board.waitForMoves(1);
  await person.board.drag('e7', 'e4');
  await noticeSays(/does not move like that/);
  assert.deepEqual(await person.board.moves(), ['e4']);
});

test('refusals name the reason and the piece to blame', async () => {
  await play('4k3/8/8/8/1b6/8/4P3/4K3 w - - 0 1', ['e2', 'e3']);
  await noticeSays(/in check from the bishop on b4/);
  assert.equal(await person.page.locator('square.culprit').count(), 1);
  await play('4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1', ['e2', 'd3']);
  await noticeSays(/pinned: the rook on e8/);
  await play('3r3k/8/8/8/8/8/8/R3K3 w Q - 0 1', ['e1', 'c1']);
  await noticeSays(/castling through d1: the rook on d8/);
});

test('a try out of turn is answered, by dragging, by two clicks and by key', async () => {
  const { page, board } = person;
  await openEditorGame(page, start);
  await board.drag('e7', 'e5');
  await noticeSays(/other side.s turn/);
  await openEditorGame(page, start);
  await board.click('d7');
  await board.click('d5');
  await noticeSays(/other side.s turn/);
  await openEditorGame(page, start);
  await page.locator('[data-square=g8]').focus();
  await page.keyboard.press('Enter');
  await noticeSays(/other side.s turn/);
  assert.deepEqual(await board.moves(), []);
});

const countGlides = (page) =>
  page.evaluate(() => {
    window.glides = 0;
    const real = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
      if (this.localName === 'piece') ++window.glides;
      return real.apply(this, given);
    };
  });

async function cancelDrag({ page, board }, from, to) {
  await page.mouse.move(...(await board.point(from)));
  await page.mouse.down();
  await page.mouse.move(...(await board.point(to)), { steps: 5 });
  await page.waitForFunction(() => document.querySelector('piece.dragging'));
  await page.mouse.down({ button: 'right' });
  await page.mouse.up({ button: 'right' });
  await page.mouse.up();
  await board.settled();
}

test('the right button cancels a drag: the piece glides back, nothing is played, nothing is refused', async () => {
  const { page, board } = person;
  await openEditorGame(page, start);
  await countGlides(page);
  for (const [to, count] of [['e4', 1], ['e6', 2]]) {
    await cancelDrag(person, 'e2', to);
    await page.waitForFunction((wanted) => window.glides === wanted, count);
  }
  assert.deepEqual(await board.moves(), []);
  assert.match(await board.notice().innerText(), /White to move/);
  // A drop where the piece cannot go glides back too.
  await board.drag('e2', 'e6');
  await page.waitForFunction(() => window.glides === 3);
  await board.drag('e2', 'e4');
  await board.waitForMoves(1);
});

test('who wants less motion gets none', async () => {
  const calm = await world.visit({ reducedMotion: 'reduce' });
  await openEditorGame(calm.page, start);
  await countGlides(calm.page);
  await cancelDrag(calm, 'e2', 'e6');
  await calm.page.evaluate(() => {
    window.animated = 0;
    new MutationObserver((changes) => (window.animated += changes.filter(({ target }) => target.classList?.contains('anim')).length)).observe(document.querySelector('cg-board'), { subtree: true, attributes: true });
  });
  await calm.board.move('e2', 'e4');
  await calm.board.waitForMoves(1);
  await calm.page.waitForTimeout(250);
  assert.deepEqual(await calm.page.evaluate(() => [window.glides, window.animated]), [0, 0]);
  await calm.context.close();
});

test('moves are announced, and the 64 squares have names', async () => {
  const { page } = person;
  await play(start, ['g1', 'f3']);
  await page.locator('[aria-live=assertive]').filter({ hasText: 'knight to f3' }).waitFor({ state: 'attached' });
  const names = await page.locator('.board-grid [role=gridcell]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
  assert.equal(new Set(names).size, 64);
  assert.ok(names.includes('f3, white knight') && names.includes('g1, empty'));
});

test('settings take effect: notation, coordinates, possible squares, pieces, board, automatic queen', async () => {
  const other = await world.visit();
  const { page, board } = other;
  await page.goto('/settings');
  for (const [name, value] of [['notation', 'long'], ['board', 'slate'], ['pieces', 'rokada'], ['theme', 'light']]) await page.locator(`label:has(input[name=${name}][value=${value}])`).click();
  for (const label of ['Coordinates on the board', 'Show possible squares', 'Always promote to a queen']) await page.getByLabel(label).click();
  await openEditorGame(page, '4k3/P7/8/8/8/8/8/4K1N1 w - - 0 1');
  assert.deepEqual(await page.evaluate(() => ({ ...document.documentElement.dataset })), { theme: 'light', board: 'slate', pieces: 'rokada' });
  assert.equal(await page.locator('coords').count(), 0);
  await board.click('g1');
  assert.equal(await page.locator('square.move-dest').count(), 0);
  await board.click('f3');
  await board.move('e8', 'e7');
  await board.move('a7', 'a8');
  await board.waitForMoves(3);
  assert.deepEqual(await board.moves(), ['Ng1–f3', 'Ke8–e7', 'a7–a8=Q']);
  await page.goto('/settings');
  await page.locator('label:has(input[name=notation][value=figurine])').click();
  await page.goBack();
  await board.ready();
  assert.deepEqual(await board.moves(), ['♘f3', '♔e7', 'a8=♕']);
  assert.deepEqual(other.trouble, []);
  await other.context.close();
});

test('arrows that were drawn are there after a reload, and the back button brings the game back', async () => {
  const { page, board } = person;
  await play(start, ['e2', 'e4']);
  await page.mouse.move(...(await board.point('g8')));
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(...(await board.point('f6')), { steps: 4 });
  await page.mouse.up({ button: 'right' });
  const arrows = () => page.locator('.cg-shapes g[cgHash]').count();
  await page.waitForFunction(() => document.querySelectorAll('.cg-shapes g[cgHash]').length === 1);
  await page.reload();
  await board.ready();
  await page.waitForFunction(() => document.querySelectorAll('.cg-shapes g[cgHash]').length === 1);
  assert.equal(await arrows(), 1);
  await page.getByRole('link', { name: 'Analysis' }).first().click();
  await page.waitForURL('**/analysis');
  await page.goBack();
  await board.ready();
  assert.deepEqual(await board.moves(), ['e4']);
  await board.move('e7', 'e5');
  await board.waitForMoves(2);
});

test('the move list and the arrow keys show earlier positions', async () => {
  await play(start, ['e2', 'e4'], ['e7', 'e5'], ['g1', 'f3']);
  const { page } = person;
  await page.getByRole('button', { name: 'e4', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('square.last-move').length === 2);
  assert.equal(await page.locator('.moves__move[aria-current]').innerText(), 'e4');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('.moves__move[aria-current]').innerText(), 'e5');
  await page.getByRole('button', { name: 'First position' }).click();
  assert.equal(await page.locator('.moves__move[aria-current]').count(), 0);
  await page.getByRole('button', { name: 'Last move' }).click();
  assert.equal(await page.locator('.moves__move[aria-current]').innerText(), 'Nf3');
});

test('takeback, and resigning needs a second press', async () => {
  await play(start, ['e2', 'e4'], ['e7', 'e5']);
  const { page, board } = person;
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.moves__move').length === 1);
  await page.getByRole('button', { name: 'Resign' }).click();
  assert.match(await board.notice().innerText(), /Black to move/);
  await page.waitForTimeout(500);
  await page.getByRole('button', { name: 'Sure?' }).click();
  await noticeSays(/White won: resignation/);
});

test('typed moves are played', async () => {
  await openEditorGame(person.page, start);
  for (const move of ['e4', 'e7e5', 'Nf3']) {
    await person.page.getByLabel('Type a move').fill(move);
    await person.page.keyboard.press('Enter');
  }
  await person.board.waitForMoves(3);
  assert.deepEqual(await person.board.moves(), ['e4', 'e5', 'Nf3']);
});

test('a typed move that is not possible is answered with the reason', async () => {
  await openEditorGame(person.page, '4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1');
  await person.page.getByLabel('Type a move').fill('Bd3');
  await person.page.keyboard.press('Enter');
  await noticeSays(/pinned: the rook on e8/);
  assert.equal(await person.page.locator('square.culprit').count(), 1);
  assert.deepEqual(await person.board.moves(), []);
});

test('a promotion by key gives the focus back to the board', async () => {
  await openEditorGame(person.page, '4k3/P7/8/8/8/8/8/4K3 w - - 0 1');
  const { page } = person;
  await page.locator('[data-square=a7]').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.promotion');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await person.board.waitForMoves(1);
  assert.deepEqual(await person.board.moves(), ['a8=N']);
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-square') === 'a8');
});

test('draws by repetition end the game at once, or wait for a claim that needs a second press', async () => {
  const { page, board } = person;
  const shuffle = async () => {
    for (let i = 0; i < 2; ++i) for (const move of ['Nf3', 'Nf6', 'Ng1', 'Ng8']) {
      await page.getByLabel('Type a move').fill(move);
      await page.keyboard.press('Enter');
    }
  };
  const begin = async (rule) => {
    await page.goto('/');
    await page.locator('label:has(input[value=device])').click();
    await page.locator('.play__more summary').click();
    await page.locator(`label:has(input[name=draws][value=${rule}])`).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await board.ready();
    await shuffle();
  };
  await begin('automatic');
  await noticeSays(/Draw: the position came three times/);
  await begin('claimed');
  await board.waitForMoves(8);
  await noticeSays(/White to move/);
  await page.getByRole('button', { name: 'Claim draw' }).click();
  await noticeSays(/White to move/);
  await page.waitForTimeout(500);
  await page.getByRole('button', { name: 'Sure?' }).click();
  await noticeSays(/Draw: the position came three times/);
});

test('a whole game by keyboard only', async () => {
  await openEditorGame(person.page, start);
  const { page } = person;
  await page.locator('.board-grid__cell[tabindex="0"]').focus();
  const go = async (square) => {
    for (let i = 0; i < 14; ++i) {
      const at = await page.evaluate(() => document.activeElement?.getAttribute('data-square'));
      if (at === square) break;
      const [df, dr] = [square.charCodeAt(0) - at.charCodeAt(0), Number(square[1]) - Number(at[1])];
      await page.keyboard.press(df > 0 ? 'ArrowRight' : df < 0 ? 'ArrowLeft' : dr > 0 ? 'ArrowUp' : 'ArrowDown');
    }
    await page.keyboard.press('Enter');
  };
  for (const [from, to] of [['f2', 'f3'], ['e7', 'e5'], ['g2', 'g4'], ['d8', 'h4']]) {
    await go(from);
    await go(to);
  }
  await noticeSays(/checkmate/);
});

test('each clock runs on its own turn', async () => {
  const { page, board } = person;
  await page.goto('/');
  await page.locator('label:has(input[value=device])').click();
  await page.locator('label:has(input[value=own])').click();
  await page.getByLabel('Minutes').fill('0.5');
  await page.getByLabel('Minutes').press('Tab');
  await page.getByLabel('Seconds', { exact: true }).fill('0');
  await page.getByLabel('Seconds', { exact: true }).press('Tab');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  assert.deepEqual(await page.locator('.clock').allInnerTexts(), ['0:30', '0:30']);
  await board.move('e2', 'e4');
  await page.waitForTimeout(1500);
  assert.notEqual(await page.locator('.game__top .clock').innerText(), '0:30');
  assert.equal(await page.locator('.game__bottom .clock').innerText(), '0:30');
  await board.move('e7', 'e5');
  await page.waitForTimeout(1200);
  assert.notEqual(await page.locator('.game__bottom .clock').innerText(), '0:30');
});

test('the two may have different time', async () => {
  const { page, board } = person;
  await page.goto('/');
  await page.locator('label:has(input[value=device])').click();
  await page.locator('label:has(input[value=own])').click();
  await page.getByLabel('Black has another time').click();
  for (const [label, value] of [['White: minutes', '5'], ['Black: minutes', '1'], ['Black: seconds', '0']]) {
    await page.getByLabel(label).fill(value);
    await page.getByLabel(label).press('Tab');
  }
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  assert.equal(await page.locator('.game__bottom .clock').innerText(), '5:00');
  assert.equal(await page.locator('.game__top .clock').innerText(), '1:00');
});

test('a game starts from a position that is pasted, and a wrong one is explained', async () => {
  const { page, board } = person;
  await page.goto('/');
  await page.locator('label:has(input[value=device])').click();
  await page.locator('.play__more summary').click();
  await page.locator('label:has(input[value=position])').click();
  await page.getByLabel('Position (FEN)').fill('4k3/8/8/8/8/8/8/8 w - - 0 1');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Each side needs exactly one king.').waitFor();
  await page.getByLabel('Position (FEN)').fill('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await board.ready();
  await board.move('e2', 'e4');
  await board.waitForMoves(1);
  await page.goto('/');
  await page.locator('.play__more summary').click();
  await page.locator('label:has(input[value=position])').click();
  assert.equal(await page.getByRole('link', { name: 'Set it up on a board' }).getAttribute('href'), '/editor');
  await page.locator('label:has(input[value=usual])').click();
});

test('a game on this device survives a reload', async () => {
  await play(start, ['d2', 'd4'], ['d7', 'd5']);
  await person.page.reload();
  await person.board.ready();
  assert.deepEqual(await person.board.moves(), ['d4', 'd5']);
});

test('nothing went wrong meanwhile', () => assert.deepEqual(person.trouble, []));
