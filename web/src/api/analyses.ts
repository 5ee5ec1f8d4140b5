// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of the server: an analysis or a review is started, its events are followed over a stream that is taken up again when it breaks.
import type { Review, ReviewScore } from '@rokada/wasm';
import { call, Problem } from './client';
import type { components } from './schema';

export type NewAnalysis = Partial<components['schemas']['NewAnalysis']>;
export type Analysis = components['schemas']['Analysis'];
export type AnalysisLine = components['schemas']['AnalysisLine'];

export type AnalysisEvent =
  | { id: number; type: 'info'; data: AnalysisLine }
  | { id: number; type: 'progress'; data: { done: number; all: number } }
  | { id: number; type: 'score'; data: { ply: number; score: ReviewScore } }
  | { id: number; type: 'done'; data: { state: Analysis['state']; bestmove?: string; review?: Review } };

const attempts = 5; // to find the stream again, with a growing pause
const path = (id: string): string => `/api/v1/analyses/${encodeURIComponent(id)}`;

// Resolves with the last event. An aborted signal only stops listening: a live analysis ends when nobody watches it, a review of a
// game goes on and is kept. The same key finds one that runs already.
export async function runAnalysis(wanted: NewAnalysis, hear: (event: AnalysisEvent) => void, signal: AbortSignal, key = ''): Promise<AnalysisEvent & { type: 'done' }> {
  const { id } = await call<Analysis>('POST', '/api/v1/analyses', wanted, key ? { 'idempotency-key': key } : {});
  let after = 0;
  for (let failed = 0; failed < attempts && !signal.aborted; ++failed) {
    if (failed) await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** failed));
    try {
      for await (const event of events(id, after, signal)) {
        after = event.id;
        failed = 0;
        if (event.type === 'done') return event;
        hear(event);
      }
    } catch (error) {
      // Gone with a restart of the server: there is nothing to wait for.
      if (error instanceof Problem && error.status === 404) throw error;
    }
  }
  throw new Problem('offline', 0);
}

async function* events(id: string, after: number, signal: AbortSignal): AsyncGenerator<AnalysisEvent> {
  const response = await fetch(`${path(id)}/events?after=${after}`, { headers: { accept: 'application/x-ndjson' }, credentials: 'same-origin', signal });
  if (!response.ok || !response.body) throw new Problem(response.status === 404 ? 'not_found' : 'server', response.status);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop()!;
    // Empty lines only keep the connection alive.
    for (const line of lines) if (line.trim()) yield JSON.parse(line) as AnalysisEvent;
  }
}

// A review that somebody has asked for before.
export async function storedReview(game: string): Promise<Review | null> {
  try {
    return await call<Review>('GET', `/api/v1/games/${encodeURIComponent(game)}/review`);
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}
