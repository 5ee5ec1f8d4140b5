// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of the administration pages.
import { call, type GameList, type Me } from './client';
import type { components } from './schema';

type Schemas = components['schemas'];
export type ServerSettings = Schemas['Settings'];
export type UserList = Schemas['UserList'];
export type Person = UserList['users'][number];
export type LoginSlip = Schemas['LoginSlip'];
export type AddedUsers = Schemas['AddedUsers'];
export type Action = Schemas['ActionLog']['actions'][number];

const person = (name: string): string => `/api/v1/admin/users/${encodeURIComponent(name)}`;

export const admin = {
  setUp: (code: string, username: string, password: string) => call<Me>('POST', '/api/v1/setup', { code, username, password }),
  settings: () => call<ServerSettings>('GET', '/api/v1/admin/settings'),
  change: (patch: Partial<ServerSettings>) => call<ServerSettings>('PUT', '/api/v1/admin/settings', patch),
  people: (after = '') => call<UserList>('GET', `/api/v1/admin/users${after ? `?after=${encodeURIComponent(after)}` : ''}`),
  add: (usernames: string[]) => call<AddedUsers>('POST', '/api/v1/admin/users', { usernames }),
  changePerson: (name: string, patch: Partial<Pick<Person, 'disabled' | 'admin' | 'bot'>>) => call<void>('PATCH', person(name), patch),
  resetPassword: (name: string) => call<LoginSlip>('POST', `${person(name)}/password`),
  games: async () => (await call<GameList>('GET', '/api/v1/admin/games')).games,
  backup: async () => (await call<{ file: string }>('POST', '/api/v1/admin/backup')).file,
  log: async () => (await call<Schemas['ActionLog']>('GET', '/api/v1/admin/log')).actions,
};
