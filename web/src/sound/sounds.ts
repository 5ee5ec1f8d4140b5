// SPDX-License-Identifier: GPL-3.0-or-later
// Quiet sounds made in the page: short wooden knocks and soft tones, no files.
import { settings } from '../state/settings';

export type Sound = 'move' | 'capture' | 'check' | 'end' | 'low' | 'start' | 'refused';

let context: AudioContext | undefined;

function audio(): AudioContext | undefined {
  if (settings.state.volume === 0) return undefined;
  try {
    context ??= new AudioContext();
    // Browsers keep it asleep until the person has touched the page.
    if (context.state === 'suspended') void context.resume();
    return context.state === 'closed' ? undefined : context;
  } catch {
    return undefined;
  }
}

function knock(at: AudioContext, start: number, frequency: number, loudness: number, length: number): void {
  const frames = Math.ceil(at.sampleRate * length);
  const buffer = at.createBuffer(1, frames, at.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < frames; ++i) samples[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / frames);
  const source = at.createBufferSource();
  source.buffer = buffer;
  const filter = at.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = frequency;
  filter.Q.value = 1.6;
  const gain = at.createGain();
  gain.gain.value = loudness;
  source.connect(filter).connect(gain).connect(at.destination);
  source.start(start);
}

function tone(at: AudioContext, start: number, frequency: number, loudness: number, length: number): void {
  const oscillator = at.createOscillator();
  oscillator.type = 'sine';
  oscillator.frequency.value = frequency;
  const gain = at.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loudness, start + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  oscillator.connect(gain).connect(at.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

export function playSound(sound: Sound): void {
  const at = audio();
  if (!at) return;
  const volume = settings.state.volume / 100;
  const now = at.currentTime + 0.005;
  switch (sound) {
    case 'move':
      knock(at, now, 620, 0.9 * volume, 0.07);
      break;
    case 'capture':
      knock(at, now, 900, volume, 0.06);
      knock(at, now + 0.045, 480, volume, 0.09);
      break;
    case 'check':
      knock(at, now, 700, 0.8 * volume, 0.06);
      tone(at, now + 0.03, 740, 0.12 * volume, 0.25);
      break;
    case 'start':
      tone(at, now, 392, 0.1 * volume, 0.22);
      tone(at, now + 0.12, 523, 0.1 * volume, 0.3);
      break;
    case 'end':
      tone(at, now, 523, 0.11 * volume, 0.3);
      tone(at, now + 0.15, 392, 0.11 * volume, 0.3);
      tone(at, now + 0.3, 330, 0.11 * volume, 0.5);
      break;
    case 'low':
      tone(at, now, 880, 0.1 * volume, 0.12);
      tone(at, now + 0.16, 880, 0.1 * volume, 0.12);
      break;
    case 'refused':
      tone(at, now, 196, 0.12 * volume, 0.16);
      break;
  }
}
