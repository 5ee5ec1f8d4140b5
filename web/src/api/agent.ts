// SPDX-License-Identifier: GPL-3.0-or-later
// "Firefox, Linux" instead of the long text browsers send about themselves.

const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'], [/OPR\//, 'Opera'], [/Firefox\//, 'Firefox'], [/(Chrome|Chromium|CriOS)\//, 'Chrome'], [/Safari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/Android/, 'Android'], [/iPhone|iPad/, 'iOS'], [/Windows/, 'Windows'], [/Mac OS X/, 'macOS'], [/CrOS/, 'ChromeOS'], [/Linux/, 'Linux'],
];

export function agentName(agent: string): string {
  const find = (list: [RegExp, string][]): string | undefined => list.find(([pattern]) => pattern.test(agent))?.[1];
  return [find(browsers), find(systems)].filter(Boolean).join(', ') || agent.slice(0, 40);
}
