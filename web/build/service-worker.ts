// SPDX-License-Identifier: GPL-3.0-or-later
// Writes /sw.js: the service worker with the list of everything this build consists of, so that the
// site works without a network after the first visit.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const fixed = ['/', '/boot.js', '/favicon.svg', '/manifest.webmanifest', '/icon-192.png'];

export function serviceWorker(source: string): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = Object.keys(bundle)
        // The engine with threads is large and not needed: it is kept once it has been used.
        .filter((name) => name.startsWith('assets/') && !name.includes('engine-threads'))
        .map((name) => `/${name}`)
        .sort();
      const version = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
      const text = readFileSync(source, 'utf8')
        .replace("'%VERSION%'", JSON.stringify(version))
        .replace("['%FILES%']", JSON.stringify([...fixed, ...files]));
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: text });
    },
  };
}
