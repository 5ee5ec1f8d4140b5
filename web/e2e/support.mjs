// SPDX-License-Identifier: GPL-3.0-or-later
// What every end-to-end test needs: the real server on a free port with an empty data folder, Debian's Chromium,
// and a page that counts as broken when it logs an error or asks another host for anything.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
export const program = process.env.ROKADA_BINARY ?? join(here, '../../build/rokada');
const client = process.env.ROKADA_CLIENT ?? join(here, '../dist');

export const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, 'localhost', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

// The client comes from web/dist as it is now, or from the folder `web`; `embedded` takes the compressed one inside the program. With
// `port` and `data` of its own it can be started again as the same server.
export async function startServer(options = [], { embedded = false, web = client, port = Number(process.env.ROKADA_E2E_PORT ?? 0), data: kept = '' } = {}) {
  // A server that runs already, while working on the client.
  if (process.env.ROKADA_URL) return { address: process.env.ROKADA_URL, log: () => '', stop: async () => {} };
  const data = kept || mkdtempSync(join(tmpdir(), 'rokada-e2e-'));
  const server = spawn(program, ['serve', '--port', String(port), '--data', data, ...(embedded ? [] : ['--web', web]), ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  let setup = '';
  let network = '';
  server.stderr.on('data', (text) => (log += text));
  const address = await new Promise((resolve, reject) => {
    let out = '';
    server.stdout.on('data', (text) => {
      out += text;
      setup ||= /\(good once\): (\S+)\n/.exec(out)?.[1] ?? '';
      const found = /http:\/\/localhost:(\d+)/.exec(out);
      const lan = /On your network: +(http:\S+)/.exec(out)?.[1];
      // The last line comes a moment after the first one.
      if (found) setTimeout(() => resolve(`http://localhost:${found[1]}`), 30);
      if (lan) network = lan;
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${log}`)));
    server.on('error', reject);
  });
  return {
    address,
    log: () => log,
    setup: () => setup, // the link for the first administrator
    network: () => network, // the address on the local network, with --lan
    async stop() {
      server.removeAllListeners('exit');
      const ended = new Promise((resolve) => server.on('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      if (!kept) rmSync(data, { recursive: true, force: true });
    },
  };
}

export const startBrowser = (args = []) =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', ...args] });

// The server and the browser of one file of tests. `visit` opens a new person's page; `prepare` runs before the first test.
export function stage({ options = [], flags = [], address = (server) => server.address, prepare = async () => {} } = {}) {
  const world = { visit: (more) => visitor(world.browser, world.address, more) };
  before(async () => {
    world.server = await startServer(options);
    world.browser = await startBrowser(flags);
    world.address = address(world.server);
    await prepare(world);
  });
  after(async () => {
    await world.browser?.close();
    await world.server?.stop();
  });
  return world;
}

// A person with an own browser profile. `trouble` collects what must not happen.
export async function visitor(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', baseURL: address, ...options });
  const page = await context.newPage();
  const trouble = [];
  const expected = options.expectedErrors ?? [];
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // A refused form or an aborted connection is logged by the browser itself.
    if (/status of (401|404|409|422|429)|net::ERR_|WebSocket connection/.test(message.text())) return;
    if (expected.some((pattern) => pattern.test(message.text()))) return;
    trouble.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url())) trouble.push(`left the origin: ${request.url()}`);
  });
  return { context, page, trouble, board: new BoardHands(page) };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// What axe finds wrong with a page for people who do not see or point.
export async function violations(page) {
  // Debugging evaluation is not bound by the page's policy.
  await page.evaluate(axe);
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

// What a person would call cramped: a page that scrolls sideways, words that are cut off, and on a narrow screen
// controls that a finger misses (links within a text may be as small as their words).
export const cramped = (page) =>
  page.evaluate(() => {
    const found = [];
    const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (over > 0) found.push(`${over} px too wide`);
    const name = (element) => `${element.localName}.${[...element.classList].join('.')} "${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}"`;
    for (const element of document.querySelectorAll('body *')) {
      const style = getComputedStyle(element);
      if (style.overflowX !== 'hidden' && style.overflowX !== 'clip') continue;
      if (!element.checkVisibility() || element.closest('.visually-hidden, .cg-wrap, svg, input, .engine__line, .eval-bar')) continue;
      if (element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1) found.push(`cut: ${name(element)}, ${element.scrollWidth - element.clientWidth} px`);
    }
    if (innerWidth > 1000) return found;
    for (const element of document.querySelectorAll('a[href], button, select, summary, label:has(input), input:not([type=checkbox], [type=radio])')) {
      if (!element.checkVisibility() || element.closest('.visually-hidden, .cg-wrap, .moves, .tree, p, li, dd, td')) continue;
      const box = element.getBoundingClientRect();
      if (box.width < 4 || element.disabled) continue;
      if (box.width < 43.5 || box.height < 43.5) found.push(`small: ${name(element)}, ${Math.round(box.width)} x ${Math.round(box.height)}`);
    }
    return found;
  });

// Hands on the board: squares by name, whatever way it is turned.
export class BoardHands {
  constructor(page) {
    this.page = page;
  }

  async ready() {
    await this.page.waitForSelector('cg-board piece');
    await this.page.waitForTimeout(250);
  }

  async point(square) {
    const box = await this.page.locator('cg-board').boundingBox();
    const flipped = (await this.page.locator('.cg-wrap.orientation-black').count()) > 0;
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    const size = box.width / 8;
    return [box.x + (flipped ? 7.5 - file : file + 0.5) * size, box.y + (flipped ? rank + 0.5 : 7.5 - rank) * size];
  }

  async click(square) {
    await this.page.mouse.click(...(await this.point(square)));
    await this.settled();
  }

  async move(from, to) {
    await this.click(from);
    await this.click(to);
  }

  // The board tells of a move in a task of its own; timers run in their order, so this one comes after it.
  async settled() {
    await this.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 10)));
  }

  async drag(from, to) {
    await this.page.mouse.move(...(await this.point(from)));
    await this.page.mouse.down();
    await this.page.mouse.move(...(await this.point(to)), { steps: 6 });
    await this.page.mouse.up();
    await this.settled();
  }

  async tap(square) {
    await this.page.touchscreen.tap(...(await this.point(square)));
    await this.settled();
  }

  notice() {
    return this.page.locator('.game-notice');
  }

  async moves() {
    return (await this.page.locator('.moves__move').allInnerTexts()).map((text) => text.trim());
  }

  async waitForMoves(count, timeout = 20_000) {
    await this.page.waitForFunction((wanted) => document.querySelectorAll('.moves__move').length >= wanted, count, { timeout });
  }
}

// From the home page; the seat is the one of this colour.
export async function playEasy(page, color) {
  await page.getByRole('button', { name: 'Easy' }).click();
  await page.locator(`label:has(input[value=${color}])`).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await new BoardHands(page).ready();
}

export async function openEditorGame(page, fen, opponent = 'device', color = '') {
  await page.goto(`/?fen=${encodeURIComponent(fen)}`);
  await page.locator(`label:has(input[value=${opponent}])`).click();
  if (color) await page.locator(`label:has(input[value=${color}])`).click();
  await page.locator('.play button[type=submit]').click();
  await new BoardHands(page).ready();
}
