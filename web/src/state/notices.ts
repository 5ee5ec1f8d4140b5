// SPDX-License-Identifier: GPL-3.0-or-later
// A notice of the system for a person who looks elsewhere when it is their move. Off until asked for; browsers give it to secure pages
// only, so not on a plain-http address of a local network.
import { t } from '../i18n';
import { settings } from './settings';

export const noticesSupported = (): boolean => typeof Notification !== 'undefined' && isSecureContext;

// Asks the person through the browser.
export async function mayNotice(): Promise<boolean> {
  return noticesSupported() && (await Notification.requestPermission()) === 'granted';
}

export function noticeMove(game: string, move: string): void {
  if (!settings.state.notices || !document.hidden || !noticesSupported() || Notification.permission !== 'granted') return;
  const title = t('game.yourMove');
  // One per game: a new one takes the place of the old.
  const options = { body: move, tag: `rokada-${game}`, icon: '/icon-192.png', data: `/game/${game}` };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      focus();
      shown.close();
    };
  } catch {
    // Phones show them through the service worker only.
    void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(title, options)).catch(() => undefined);
  }
}
