// SPDX-License-Identifier: GPL-3.0-or-later
// How the page stops its engine: a word in memory of both where that exists, else the worker ends and the next one is made ready.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BrowserEngine, Stopped } from '../src/wasm/engine';
import type { FromEngine, ToEngine } from '../src/wasm/engine-protocol';

let shared: Int32Array<SharedArrayBuffer> | undefined;
let workers: FakeWorker[] = [];

class FakeWorker {
  onmessage: ((event: { data: FromEngine }) => void) | null = null;
  onerror: (() => void) | null = null;
  ended = false;
  readonly heard: ToEngine[] = [];
  constructor() {
    workers.push(this);
  }
  postMessage(message: ToEngine): void {
    this.heard.push(message);
    if (message.kind === 'load') queueMicrotask(() => this.say({ kind: 'ready', stopper: shared }));
  }
  say(data: FromEngine): void {
    this.onmessage?.({ data });
  }
  terminate(): void {
    this.ended = true;
  }
}
// Made when it is asked for: the module is replaced before the class above exists.
vi.mock('../src/wasm/engine-worker?worker', () => ({ default: function (): FakeWorker { return new FakeWorker(); } }));

const emptyModule = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const search = { fen: 'x', moves: [], options: {}, limits: { infinite: true } };
const asked = (worker: FakeWorker | undefined): string[] => worker?.heard.map(({ kind }) => kind) ?? [];

describe('stopping the engine of the page', () => {
  beforeEach(() => {
    workers = [];
    vi.stubGlobal('fetch', async () => new Response(emptyModule, { headers: { 'content-type': 'application/wasm' } }));
  });
  afterEach(() => vi.unstubAllGlobals());

  const running = async (begin: (engine: BrowserEngine) => Promise<unknown>) => {
    const engine = new BrowserEngine();
    const answer = begin(engine).catch((error: unknown) => error);
    await vi.waitFor(() => expect(asked(workers[0])).toHaveLength(2));
    return { engine, answer };
  };
  const review = (engine: BrowserEngine): Promise<unknown> => engine.review({ fen: 'x', moves: [], nodes: 1 }, () => {});

  for (const [name, begin] of [['search', (engine: BrowserEngine) => engine.search(search)], ['review', review]] as const) {
    it(`ends a ${name} through shared memory and keeps the worker`, async () => {
      shared = new Int32Array(new SharedArrayBuffer(4));
      const { engine, answer } = await running(begin);
      engine.stop();
      expect(await answer).toBeInstanceOf(Stopped);
      expect(shared[0]).toBe(1);
      const next = engine.search(search);
      await vi.waitFor(() => expect(asked(workers[0])).toHaveLength(3));
      workers[0]!.say({ kind: 'done', id: 1, best: 'a2a3', pace: 0 }); // of the one that was stopped
      workers[0]!.say({ kind: 'done', id: 2, best: 'e2e4', pace: 0 });
      expect(await next).toBe('e2e4');
      expect(workers).toHaveLength(1);
      expect(workers[0]!.ended).toBe(false);
    });

    it(`without shared memory ends the worker of a ${name}, and a spare one stands ready`, async () => {
      shared = undefined;
      const { engine, answer } = await running(begin);
      engine.stop();
      expect(await answer).toBeInstanceOf(Stopped);
      expect(workers[0]!.ended).toBe(true);
      await vi.waitFor(() => expect(asked(workers[1])).toEqual(['load']));
      engine.close();
      expect(workers[1]!.ended).toBe(true);
      expect(workers).toHaveLength(2);
    });
  }

  it('makes no spare worker when it is closed', async () => {
    shared = undefined;
    const { engine, answer } = await running((one) => one.search(search));
    engine.close();
    expect(await answer).toBeInstanceOf(Stopped);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(workers).toHaveLength(1);
  });
});
