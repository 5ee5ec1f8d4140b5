// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as the page uses it: ask for a search, hear its lines, stop it at once. The module is compiled once. Where the page may
// share memory (TLS or this machine) a stopped search or review leaves the worker and its hash table alive; elsewhere it costs the
// worker, and the next one is made ready at once.
import { compileModule, stopSearches, type Review, type ReviewProgress, type Stopper } from '@rokada/wasm';
import type { EngineLine, FromEngine, ReviewRequest, Search, ToEngine } from './engine-protocol';
import EngineWorker from './engine-worker?worker';

// Found at build time; absent in a client built without the engine, where the server plays instead.
const found = import.meta.glob<string>('../../../src/bindings/wasm/dist/rokada-engine*.wasm', {
  query: '?url', import: 'default', eager: true,
});
const addressOf = (name: string): string | undefined => Object.entries(found).find(([path]) => path.endsWith(`/${name}.wasm`))?.[1];
const address = addressOf('rokada-engine');
const addressWithThreads = addressOf('rokada-engine-threads');

// Each module is fetched when it is first used, and compiled once.
const compiled = new Map<string, Promise<WebAssembly.Module>>();

function moduleAt(from: string | undefined): Promise<WebAssembly.Module> {
  if (!from) return Promise.reject(new Error('this client was built without the engine'));
  let module = compiled.get(from);
  if (!module) {
    module = compileModule(fetch(from));
    compiled.set(from, module);
    module.catch(() => compiled.delete(from));
  }
  return module;
}

// Memory can be shared between workers only on an isolated page (TLS or this machine).
export const threadsSupported = (): boolean => addressWithThreads !== undefined && globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer !== 'undefined';

export class Stopped extends Error {}

export class BrowserEngine {
  private worker: Worker | undefined;
  private ready: Promise<Worker> | undefined;
  private stopper: Stopper | undefined;
  private running: { id: number; reject: (reason: Error) => void; asked?: ToEngine } | undefined;
  private next = 1;
  private ended = 0; // how often; a worker asked for before must not come to life after

  // With more threads than one the larger module is used, where the page allows it.
  constructor(private readonly threads: () => number = () => 1) {}

  // How long a person would have taken for the last best move, in milliseconds.
  pace = 0;

  // Resolves with the best move; rejects with Stopped when another search or stop() came first.
  async search(search: Search, onLine: (line: EngineLine) => void = () => {}): Promise<string> {
    return this.ask<string>((id) => ({ kind: 'search', id, search }), (message, resolve) => {
      if (message.kind === 'line') onLine(message.line);
      else if (message.kind === 'done') {
        this.pace = message.pace;
        resolve(message.best);
      }
    });
  }

  // Judges a whole game; ends like a search.
  async review(request: ReviewRequest, onProgress: (progress: ReviewProgress) => void): Promise<Review> {
    return this.ask<Review>((id) => ({ kind: 'review', id, request }), (message, resolve) => {
      if (message.kind === 'progress') onProgress(message.progress);
      else if (message.kind === 'reviewed') resolve(message.review);
    });
  }

  // `hear` gets every message of this question and resolves it with the last one.
  private async ask<Answer>(question: (id: number) => ToEngine, hear: (message: FromEngine, resolve: (answer: Answer) => void) => void): Promise<Answer> {
    this.stop();
    const id = this.next++;
    return new Promise<Answer>((resolve, reject) => {
      this.running = { id, reject };
      this.start().then(
        (worker) => {
          if (this.running?.id !== id) return;
          worker.onmessage = (event: MessageEvent<FromEngine>) => {
            const message = event.data;
            if (!('id' in message) || message.id !== id) return;
            if (message.kind === 'failed') {
              this.running = undefined;
              reject(new Error(message.error));
            } else {
              hear(message, (answer) => {
                this.running = undefined;
                resolve(answer);
              });
            }
          };
          const asked = question(id);
          this.running.asked = asked;
          worker.postMessage(asked);
        },
        (error: unknown) => {
          if (this.running?.id === id) this.running = undefined;
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  stop(spare = true): void {
    if (!this.running) return;
    const { id, reject, asked } = this.running;
    this.running = undefined;
    // A worker that was not asked yet, or that listens through its memory, is ready for the next question.
    if (asked && this.stopper) stopSearches(this.stopper, id);
    else if (asked) {
      this.end();
      if (spare) this.start().catch(() => undefined);
    }
    reject(new Stopped('stopped'));
  }

  close(): void {
    this.stop(false);
    this.end();
  }

  private end(): void {
    ++this.ended;
    this.worker?.terminate();
    this.worker = undefined;
    this.stopper = undefined;
    this.ready = undefined;
  }

  private start(): Promise<Worker> {
    if (!this.ready) {
      const ready = this.spawn();
      this.ready = ready;
      // The next question tries again.
      ready.catch(() => {
        if (this.ready === ready) this.ready = undefined;
      });
    }
    return this.ready;
  }

  private async spawn(): Promise<Worker> {
    const threads = threadsSupported() ? this.threads() : 1;
    if (threads > 1) {
      try {
        return await this.spawnWith(addressWithThreads, threads);
      } catch (error) {
        // Too little memory to share, or the module is not at hand without a network.
        if (error instanceof Stopped) throw error;
      }
    }
    return this.spawnWith(address, 1);
  }

  private async spawnWith(from: string | undefined, threads: number): Promise<Worker> {
    const { ended } = this;
    const module = await moduleAt(from);
    if (ended !== this.ended) throw new Stopped('stopped');
    const worker = new EngineWorker();
    this.worker = worker;
    return new Promise((resolve, reject) => {
      const fail = (error: string): void => {
        worker.terminate();
        if (this.worker === worker) this.worker = undefined;
        reject(new Error(error));
      };
      worker.onerror = () => fail('the engine could not be started');
      worker.onmessage = (event: MessageEvent<FromEngine>) => {
        if (event.data.kind === 'ready') {
          this.stopper = event.data.stopper;
          resolve(worker);
        }
        else if (event.data.kind === 'failed') fail(event.data.error);
      };
      worker.postMessage({ kind: 'load', module, threads } satisfies ToEngine);
    });
  }
}

// Old browsers have no SIMD.
export function engineSupported(): boolean {
  const simdProbe = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
  ]);
  return address !== undefined && typeof Worker !== 'undefined' && WebAssembly.validate(simdProbe);
}
