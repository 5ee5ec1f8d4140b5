// SPDX-License-Identifier: GPL-3.0-or-later
// The package @rokada/wasm.
export * from './game.js';
export * from './rokada.js';
