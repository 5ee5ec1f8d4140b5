// SPDX-License-Identifier: GPL-3.0-or-later
// Short messages at the lower edge: plain ones go by themselves, those with a button stay.
import { Store } from './store';

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; act: () => void };
}

export const toasts = new Store<{ list: Toast[] }>({ list: [] });
let next = 1;

export function remove(id: number): void {
  toasts.set({ list: toasts.state.list.filter((item) => item.id !== id) });
}

export function toast(text: string, milliseconds = 3500): void {
  const id = next++;
  toasts.set({ list: [...toasts.state.list, { id, text }] });
  setTimeout(() => remove(id), milliseconds);
}

export function toastAction(text: string, label: string, act: () => void): void {
  const id = next++;
  const once = (): void => {
    remove(id);
    act();
  };
  toasts.set({ list: [...toasts.state.list, { id, text, action: { label, act: once } }] });
}
