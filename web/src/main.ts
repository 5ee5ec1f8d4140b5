// SPDX-License-Identifier: GPL-3.0-or-later
import './styles';
import './app/shell';
import { startRouter } from './app/router';
import { startServiceWorker } from './app/service-worker';
import { applyLanguage, applyLook } from './state/settings';
import { loadSession } from './state/session';

applyLook();
void applyLanguage();
startRouter();
void loadSession();
startServiceWorker();
