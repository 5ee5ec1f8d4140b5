// SPDX-License-Identifier: GPL-3.0-or-later
// The rules module, fetched once per visit.
import { loadRules, type Rules } from '@rokada/wasm';
import address from '../../../src/bindings/wasm/dist/rokada-rules.wasm?url';

let loading: Promise<Rules> | undefined;

export function rules(): Promise<Rules> {
  loading ??= loadRules(fetch(address)).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
