// SPDX-License-Identifier: GPL-3.0-or-later
// Short messages at the lower edge that go by themselves.
import { Store } from './store';

interface Toast {
  id: number;
  text: string;
}

export const toasts = new Store<{ list: Toast[] }>({ list: [] });
let next = 1;

export function toast(text: string, milliseconds = 3500): void {
  const id = next++;
  toasts.set({ list: [...toasts.state.list, { id, text }] });
  setTimeout(() => toasts.set({ list: toasts.state.list.filter((item) => item.id !== id) }), milliseconds);
}
