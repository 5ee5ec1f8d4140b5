// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of the account page.
import { call } from './client';
import type { components } from './schema';

type Schemas = components['schemas'];
export type SessionInfo = Schemas['SessionList']['sessions'][number];
export type ApiToken = Schemas['ApiToken'];
export const tokenScopes = ['play', 'bot:play', 'engine', 'read'] as const;
export type TokenScope = (typeof tokenScopes)[number];

export const account = {
  changePassword: (current: string, password: string) => call<void>('POST', '/api/v1/me/password', { current, password }),
  sessions: async () => (await call<Schemas['SessionList']>('GET', '/api/v1/me/sessions')).sessions,
  endSession: (id: string) => call<void>('DELETE', `/api/v1/me/sessions/${encodeURIComponent(id)}`),
  recoveryCodes: async (password: string) => (await call<{ codes: string[] }>('POST', '/api/v1/me/recovery-codes', { password })).codes,
  recover: (username: string, code: string, password: string) => call<void>('POST', '/api/v1/recover', { username, code, password }),
  hasTotp: async () => (await call<{ on: boolean }>('GET', '/api/v1/me/totp')).on,
  beginTotp: (password: string) => call<{ secret: string; uri: string }>('POST', '/api/v1/me/totp', { password }),
  confirmTotp: (code: string) => call<void>('POST', '/api/v1/me/totp/confirm', { code }),
  removeTotp: (password: string, code: string) => call<void>('POST', '/api/v1/me/totp/remove', { password, code }),
  tokens: async () => (await call<{ tokens: ApiToken[] }>('GET', '/api/v1/me/tokens')).tokens,
  makeToken: (name: string, scopes: TokenScope[]) => call<ApiToken>('POST', '/api/v1/me/tokens', { name, scopes }),
  // Bots speak for themselves: the call carries the new token, not the cookie.
  becomeBot: async (token: string) => {
    const answer = await fetch('/api/bot/account/upgrade', { method: 'POST', credentials: 'omit', headers: { authorization: `Bearer ${token}` } });
    return answer.ok;
  },
  deleteToken: (id: string) => call<void>('DELETE', `/api/v1/me/tokens/${encodeURIComponent(id)}`),
  exportAddress: '/api/v1/me/export',
  remove: (password: string) => call<void>('POST', '/api/v1/me/delete', { password }),
};
