// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a copy of the site for times without a network. Pages and the interface are always asked from the
// server first; files with a hash in their name never change and come from the copy.
const version = '%VERSION%';
const files = ['%FILES%'];
const name = `rokada-${version}`;

addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(name).then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: 'no-cache' })))),
  );
});

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((keys) => Promise.all(keys.filter((key) => key.startsWith('rokada-') && key !== name).map((key) => caches.delete(key))))
      .then(() => clients.claim()),
  );
});

addEventListener('message', (event) => {
  if (event.data === 'update') skipWaiting();
});

// A notice that it is somebody's move leads to that game.
addEventListener('notificationclick', (event) => {
  event.notification.close();
  const path = event.notification.data ?? '/';
  event.waitUntil(
    clients.matchAll({ type: 'window' }).then((pages) => pages.find(({ url }) => new URL(url).pathname === path)?.focus() ?? clients.openWindow(path)),
  );
});

async function fetchAndKeep(event, path) {
  const response = await fetch(event.request);
  if (response.ok && path.startsWith('/assets/')) {
    const copy = response.clone();
    event.waitUntil(caches.open(name).then((cache) => cache.put(event.request, copy)));
  }
  return response;
}

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.startsWith('/api/') || url.pathname === '/healthz' || url.pathname === '/readyz') return;
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => caches.match('/')));
    return;
  }
  event.respondWith(caches.match(request).then((copy) => copy ?? fetchAndKeep(event, url.pathname)));
});
