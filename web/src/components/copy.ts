// SPDX-License-Identifier: GPL-3.0-or-later
// Copying works on plain http too: a hidden selection where the clipboard interface is missing.
import { t } from '../i18n';
import { toast } from '../state/toasts';

export async function copyText(text: string): Promise<void> {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    done = copyBySelection(text);
  }
  toast(t(done ? 'share.copied' : 'share.copyFailed'));
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
  }
}
