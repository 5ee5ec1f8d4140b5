// SPDX-License-Identifier: GPL-3.0-or-later
// Line icons from lucide; only those named here reach the bundle.
import {
  Activity, ArrowLeftRight, ArrowUpDown, Check, ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, CircleAlert, Clock, Copy, Cpu, Download,
  Eraser, Flag, FolderOpen, Globe, Handshake, House, Image, Info, Lightbulb, Link, LogIn, LogOut, Menu, Moon,
  Pause, Play, Plus, Power, Printer, RefreshCw, RotateCcw, Search, Settings, Share2, Shield, Smartphone, Sun, Trash2, Undo2,
  User, UserPlus, Users, Volume2, VolumeX, WifiOff, X, type IconNode,
} from 'lucide';
import { noChange } from 'lit';
import { directive, Directive } from 'lit/directive.js';

const icons = {
  engine: Activity, swap: ArrowLeftRight, check: Check, first: ChevronFirst, last: ChevronLast, previous: ChevronLeft, next: ChevronRight,
  alert: CircleAlert, clock: Clock, copy: Copy, computer: Cpu, download: Download, eraser: Eraser, resign: Flag, folder: FolderOpen,
  power: Power, flip: ArrowUpDown, picture: Image, language: Globe, draw: Handshake, home: House, info: Info, hint: Lightbulb, link: Link,
  login: LogIn, logout: LogOut, menu: Menu, moon: Moon, pause: Pause, play: Play, plus: Plus, print: Printer,
  refresh: RefreshCw, rematch: RotateCcw, search: Search, settings: Settings, share: Share2, shield: Shield,
  device: Smartphone, sun: Sun, trash: Trash2, undo: Undo2, user: User, register: UserPlus, people: Users,
  sound: Volume2, silent: VolumeX, offline: WifiOff, close: X,
} satisfies Record<string, IconNode>;

export type IconName = keyof typeof icons;

const svgNamespace = 'http://www.w3.org/2000/svg';

function draw(name: IconName, extra: string): SVGSVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg');
  const attributes: Record<string, string> = {
    viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', 'stroke-width': '2', 'stroke-linecap': 'round',
    'stroke-linejoin': 'round', 'aria-hidden': 'true', class: `icon ${extra}`.trim(),
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  for (const [tag, shape] of icons[name]) {
    const part = document.createElementNS(svgNamespace, tag);
    for (const [key, value] of Object.entries(shape)) if (value !== undefined) part.setAttribute(key, String(value));
    svg.append(part);
  }
  return svg;
}

class IconDirective extends Directive {
  private shown = '';

  render(name: IconName, extra = ''): unknown {
    const wanted = `${name} ${extra}`;
    if (wanted === this.shown) return noChange;
    this.shown = wanted;
    return draw(name, extra);
  }
}

// An icon beside or instead of words; the words (or an aria-label) carry the meaning.
export const icon = directive(IconDirective);
