// SPDX-License-Identifier: GPL-3.0-or-later
// Whether pieces may glide: the person's system may ask for less motion.
export const glideTime = 180; // milliseconds

export const wantsMotion = (): boolean => !matchMedia('(prefers-reduced-motion: reduce)').matches;
