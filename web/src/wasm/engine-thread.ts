// SPDX-License-Identifier: GPL-3.0-or-later
// One more thread of the engine, in a worker of its own: sits down once and searches from then on.
import { takeSeat, type Seat } from '@rokada/wasm';

addEventListener('message', (event: MessageEvent<Seat>) => void takeSeat(event.data), { once: true });
