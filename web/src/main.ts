// SPDX-License-Identifier: GPL-3.0-or-later
import './styles';
import './app/shell';
import { startRouter } from './app/router';
import { startServiceWorker } from './app/service-worker';
import { followChallenges } from './state/challenges';
import { applyLanguage, applyLook } from './state/settings';
import { loadSession, session } from './state/session';

applyLook();
void applyLanguage();
startRouter();
void loadSession();
addEventListener('online', () => void loadSession());
session.subscribe(({ me, reachable }) => {
  followChallenges();
  if (me && reachable) void bringLocalGames();
});
startServiceWorker();

// Games played here while the server was away; the code for that is fetched after the page stands.
async function bringLocalGames(): Promise<void> {
  const { sendLocalGames } = await import('./state/uploads');
  await sendLocalGames();
}
