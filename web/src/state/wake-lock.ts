// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a phone's screen on during a game, where the browser can; taken again when the page is back in view.
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let released = false;
  const take = async (): Promise<void> => {
    if (released || document.hidden || !('wakeLock' in navigator)) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (released) await lock.release();
    } catch {
      // Low battery or no permission: the screen may sleep.
    }
  };
  const onVisible = (): void => void take();
  document.addEventListener('visibilitychange', onVisible);
  void take();
  return () => {
    released = true;
    document.removeEventListener('visibilitychange', onVisible);
    void lock?.release().catch(() => undefined);
  };
}
