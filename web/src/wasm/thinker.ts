// SPDX-License-Identifier: GPL-3.0-or-later
import type { Thinker } from '../state/local-game';

export function makeThinker(): Thinker {
  throw new Error('no engine in this build');
}
