// SPDX-License-Identifier: GPL-3.0-or-later
import { en } from './en';
import type { Catalogue } from './types';

export const hr: Catalogue = en;
