// SPDX-License-Identifier: GPL-3.0-or-later
// `rokada open`: starts a server if none runs, finds one that does, and the menu's Exit stops the one it started.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { freePort, program, startBrowser, startServer, visitor } from './support.mjs';

const run = promisify(execFile);
const open = (port, data) => run(program, ['open', '--port', String(port), '--data', data, '--no-browser']);
const alive = (address) => fetch(`${address}/healthz`).then(({ ok }) => ok, () => false);

test('a server is started once, and Exit in the menu stops it', async () => {
  const data = mkdtempSync(join(tmpdir(), 'rokada-open-'));
  const port = await freePort();
  const address = `http://localhost:${port}`;
  assert.match((await open(port, data)).stdout, /Exit in the page's menu stops it/);
  const browser = await startBrowser();
  try {
    assert.match((await open(port, data)).stdout, /^Rokada runs at http:\/\/localhost:\d+\n$/);
    const { page, trouble } = await visitor(browser, address);
    await page.goto('/');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Exit' }).click();
    await page.getByText('Rokada has stopped').waitFor();
    for (let i = 0; i < 100 && (await alive(address)); ++i) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(await alive(address), false);
    assert.deepEqual(trouble, []);
  } finally {
    await browser.close();
    if (await alive(address)) await fetch(`${address}/api/v1/exit`, { method: 'POST' });
    rmSync(data, { recursive: true, force: true });
  }
});

test('a server started otherwise has no Exit, and a foreign program on the port is named', async () => {
  const server = await startServer();
  assert.equal((await fetch(`${server.address}/api/v1/exit`, { method: 'POST' })).status, 404);
  assert.equal((await (await fetch(`${server.address}/api/v1/me`)).json()).server.can_exit, undefined);
  await server.stop();
  const foreign = createServer((_request, response) => response.end('hello')).listen(0, 'localhost');
  await new Promise((resolve) => foreign.on('listening', resolve));
  const { port } = foreign.address();
  await assert.rejects(open(port, tmpdir()), /another program uses port/);
  await new Promise((resolve) => foreign.close(resolve));
});
