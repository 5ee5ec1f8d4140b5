// SPDX-License-Identifier: GPL-3.0-or-later
// The worker in which the engine thinks. One search or review at a time; the page ends it through memory of both, where there can be
// none by ending the worker.
import { loadEngine, type Engine } from '@rokada/wasm';
import type { EngineLine, FromEngine, ToEngine } from './engine-protocol';
import EngineThread from './engine-thread?worker';

const send = (message: FromEngine): void => postMessage(message);
let engine: Engine | undefined;

async function handle(message: ToEngine): Promise<void> {
  if (message.kind === 'load') {
    engine = await loadEngine(message.module);
    // The first call makes the engine, network and tables; the first search must not wait for that.
    engine.setOption('Threads', '1');
    // They end with this worker.
    if (message.threads > 1) await engine.useThreads(message.threads, (seat) => new EngineThread().postMessage(seat));
    send({ kind: 'ready', stopper: engine.stopper });
    return;
  }
  if (!engine) throw new Error('the engine is not loaded');
  if (message.kind === 'review') {
    const { id, request } = message;
    const answer = engine.review(request.fen, request.moves, { nodes: request.nodes }, (progress) => send({ kind: 'progress', id, progress }), id);
    if (answer.ok) send({ kind: 'reviewed', id, review: answer.review });
    else send({ kind: 'failed', id, error: answer.error });
    return;
  }
  const { id, search } = message;
  for (const [name, value] of Object.entries(search.options)) engine.setOption(name, String(value));
  const answer = engine.think(search.fen, search.moves, search.limits, (line: EngineLine) => send({ kind: 'line', id, line }), id);
  if (answer.ok) send({ kind: 'done', id, best: answer.best, pace: answer.pace ?? 0 });
  else send({ kind: 'failed', id, error: answer.error });
}

addEventListener('message', (event: MessageEvent<ToEngine>) => {
  handle(event.data).catch((error: unknown) => {
    send({ kind: 'failed', id: event.data.kind === 'load' ? 0 : event.data.id, error: String(error) });
  });
});
