// SPDX-License-Identifier: GPL-3.0-or-later
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { serviceWorker } from './build/service-worker.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// The server's policy allows no style attributes. Chessground writes exactly one; the same rule
// stands in board.css instead. A new version that changes this line must be looked at again.
function chessgroundWithoutStyleAttribute(): Plugin {
  const attribute = "style: 'color-scheme:light only',";
  return {
    name: 'chessground-without-style-attribute',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('@lichess-org/chessground/dist/wrap.js')) return undefined;
      if (!code.includes(attribute)) this.error('chessground/wrap.js changed: check its style attributes');
      return { code: code.replace(attribute, ''), map: null };
    },
  };
}

const server = process.env.ROKADA_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: here('.'),
  plugins: [chessgroundWithoutStyleAttribute(), serviceWorker(here('build/sw.js'))],
  resolve: { alias: { '@rokada/wasm': here('../src/bindings/wasm/rokada.ts') } },
  build: {
    target: ['chrome97', 'firefox102', 'safari16.4'],
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 300,
  },
  // Firefox before version 114 has no module workers.
  worker: { format: 'iife' },
  optimizeDeps: { exclude: ['@lichess-org/chessground'] },
  server: {
    fs: { allow: [here('..')] },
    proxy: { '/api': { target: server, ws: true } },
  },
  // The engine's tests think; on a busy machine that takes a while.
  test: { include: ['tests/**/*.test.ts'], environment: 'node', testTimeout: 30_000 },
} as Parameters<typeof defineConfig>[0]);
