// SPDX-License-Identifier: GPL-3.0-or-later
export function setTitle(text: string): void {
  document.title = text ? `${text} · Rokada` : 'Rokada';
}
