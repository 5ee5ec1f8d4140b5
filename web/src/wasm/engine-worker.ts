// SPDX-License-Identifier: GPL-3.0-or-later
// The worker in which the engine thinks. One search at a time; the page ends it by ending the worker.
import { loadEngine, type Engine } from '@rokada/wasm';
import type { EngineLine, FromEngine, ToEngine } from './engine-protocol';

const send = (message: FromEngine): void => postMessage(message);
let engine: Engine | undefined;

async function handle(message: ToEngine): Promise<void> {
  if (message.kind === 'load') {
    engine = await loadEngine(message.module);
    send({ kind: 'ready' });
    return;
  }
  const { id, search } = message;
  if (!engine) throw new Error('the engine is not loaded');
  for (const [name, value] of Object.entries(search.options)) engine.setOption(name, String(value));
  const answer = engine.think(search.fen, search.moves, search.limits, (line: EngineLine) => send({ kind: 'line', id, line }));
  if (answer.ok) send({ kind: 'done', id, best: answer.best });
  else send({ kind: 'failed', id, error: answer.error });
}

addEventListener('message', (event: MessageEvent<ToEngine>) => {
  handle(event.data).catch((error: unknown) => {
    send({ kind: 'failed', id: event.data.kind === 'search' ? event.data.id : 0, error: String(error) });
  });
});
