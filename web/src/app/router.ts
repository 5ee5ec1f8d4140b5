// SPDX-License-Identifier: GPL-3.0-or-later
// The address bar as state: which page, with which parameters. Links inside the site are followed
// without loading; the back button always works because every page is an address.
import { Store } from '../state/store';

export interface Place {
  path: string;
  query: URLSearchParams;
}

function read(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

export const place = new Store<Place>(read());

export function go(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  place.set(read());
  if (!replace) scrollTo(0, 0);
}

export function startRouter(): void {
  addEventListener('popstate', () => place.set(read()));
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement);
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    if (link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}

// '/game/:id' against '/game/abc' gives {id: 'abc'}; null when it does not fit.
export function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/').filter(Boolean);
  const given = path.split('/').filter(Boolean);
  if (wanted.length !== given.length) return null;
  const found: Record<string, string> = {};
  for (let i = 0; i < wanted.length; ++i) {
    const part = wanted[i]!;
    if (part.startsWith(':')) {
      try {
        found[part.slice(1)] = decodeURIComponent(given[i]!);
      } catch {
        return null;
      }
    } else if (part !== given[i]) return null;
  }
  return found;
}
