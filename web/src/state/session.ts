// SPDX-License-Identifier: GPL-3.0-or-later
// Who is using this page, as the server knows it. Asked once, and again after login or logout.
import { api, type Me } from '../api/client';
import { Store } from './store';

export interface Session {
  me: Me | null; // null until the server has answered
  reachable: boolean;
}

export const session = new Store<Session>({ me: null, reachable: true });

let again: ReturnType<typeof setTimeout> | undefined;

export async function loadSession(): Promise<void> {
  clearTimeout(again);
  try {
    session.set({ me: await api.me(), reachable: true });
  } catch {
    session.set({ reachable: false });
    // The server may be restarting; a look now and then finds it again.
    again = setTimeout(() => void loadSession(), 10_000);
  }
}

// Nobody will answer any more.
export function stopLooking(): void {
  clearTimeout(again);
}

export function isUser(): boolean {
  return session.state.me?.kind === 'user';
}

export async function logOut(): Promise<void> {
  await api.logout();
  await loadSession();
}
