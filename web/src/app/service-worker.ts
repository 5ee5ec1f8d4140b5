// SPDX-License-Identifier: GPL-3.0-or-later
// Registers the copy of the site for times without a network, and offers a new version, never during a game.
import { t } from '../i18n';
import { toastAction } from '../state/toasts';
import { place } from './router';

export function startServiceWorker(): void {
  // Plain-http addresses of a local network have no service workers; everything else works there.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !isSecureContext) return;
  const workers = navigator.serviceWorker;
  let reloading = false;
  let controlled = workers.controller !== null;
  workers.addEventListener('controllerchange', () => {
    // The first one of a first visit takes over a page that is as new as itself.
    const first = !controlled;
    controlled = true;
    if (first || reloading) return;
    reloading = true;
    // Another tab may have asked for it; a game in this one goes on undisturbed.
    whenNotPlaying(() => location.reload());
  });
  void workers.register('/sw.js').then((registration) => {
    const watch = (worker: ServiceWorker | null): void => {
      worker?.addEventListener('statechange', () => {
        if (worker.state === 'installed' && workers.controller) offer(worker);
      });
    };
    if (registration.waiting && workers.controller) offer(registration.waiting);
    registration.addEventListener('updatefound', () => watch(registration.installing));
  }).catch(() => undefined);
}

function offer(worker: ServiceWorker): void {
  whenNotPlaying(() => toastAction(t('app.update'), t('app.reload'), () => worker.postMessage('update')));
}

function whenNotPlaying(act: () => void): void {
  if (!place.state.path.startsWith('/game/')) {
    act();
    return;
  }
  const stop = place.subscribe(({ path }) => {
    if (path.startsWith('/game/')) return;
    stop();
    act();
  });
}
