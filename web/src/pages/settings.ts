// SPDX-License-Identifier: GPL-3.0-or-later
// Settings: everything takes effect at once and is kept on this device.
import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { setTitle } from '../app/title';
import { miniBoard } from '../board/mini-board';
import { choice } from '../components/choice';
import { PageElement } from '../components/element';
import { languageNames, languages, t, type MessageKey } from '../i18n';
import { playSound } from '../sound/sounds';
import { mayNotice, noticesSupported } from '../state/notices';
import { changeSettings, pieceSets, settings, usualThreads, type Settings } from '../state/settings';
import { Watch } from '../state/store';
import { toast } from '../state/toasts';
import { threadsSupported } from '../wasm/engine';

const sample = 'r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2P2N2/PP1P1PPP/RNBQK2R w KQkq - 1 5';

type Switch = { [Name in keyof Settings]: Settings[Name] extends boolean ? Name : never }[keyof Settings];

@customElement('rk-settings')
export class SettingsPage extends PageElement {
  private readonly settings = new Watch(this, settings);

  protected override render(): TemplateResult {
    setTitle(t('nav.settings'));
    const now = this.settings.state;
    const words = <Name extends keyof Settings>(name: Name, values: readonly (Settings[Name] & string)[]): TemplateResult =>
      choice(
        name, t(`settings.${name}` as MessageKey),
        values.map((value) => ({ value, face: t(`settings.${name}.${value}` as MessageKey) })),
        now[name] as Settings[Name] & string,
        (value) => changeSettings({ [name]: value } as Partial<Settings>),
      );
    return html`<div class="page settings">
      <h1>${t('nav.settings')}</h1>
      <div class="settings__column">
      <section class="card settings__look">
        <h2>${t('settings.look')}</h2>
        <div class="settings__sample">${miniBoard(sample, 'white', 'c2c3')}</div>
        ${words('theme', ['system', 'dark', 'light'])}
        ${words('board', ['walnut', 'slate', 'forest', 'contrast'])}
        ${words('pieces', pieceSets)}
        ${this.toggle('coordinates')} ${this.toggle('animation')}
      </section>
      <section class="card">
        <h2>${t('settings.sound')}</h2>
        <div class="field">
          <label for="volume">${t('settings.volume')}</label>
          <input
            id="volume" type="range" min="0" max="100" step="10" .value=${String(now.volume)}
            @change=${(event: Event) => {
              changeSettings({ volume: Number((event.target as HTMLInputElement).value) });
              playSound('move');
            }}
          />
        </div>
        ${this.toggle('lowTimeSound')} ${noticesSupported() ? this.toggle('notices', (on) => void this.askForNotices(on)) : ''}
      </section>
      </div>
      <div class="settings__column">
      <section class="card">
        <h2>${t('settings.language')}</h2>
        ${choice<Settings['language']>(
          'language', t('settings.language'),
          [{ value: 'browser', face: t('settings.language.browser') }, ...languages.map((code) => ({ value: code, face: html`<span lang=${code}>${languageNames[code]}</span>` }))],
          now.language, (language) => changeSettings({ language }), { hideLegend: true },
        )}
        ${words('notation', ['san', 'figurine', 'long'])}
        ${words('letters', ['local', 'english'])}
      </section>
      <section class="card">
        <h2>${t('settings.play')}</h2>
        ${this.toggle('legalSquares')} ${this.toggle('premoves')} ${this.toggle('autoQueen')} ${this.toggle('confirmMoves')}
      </section>
      <section class="card">
        <h2>${t('settings.engine')}</h2>
        ${words('thinkOn', ['server', 'browser'])} ${words('reviewOn', ['server', 'browser'])}
        ${this.threads()}
      </section>
      </div>
    </div>`;
  }

  private threads(): TemplateResult {
    if (!threadsSupported()) return html`<p class="small muted">${t('settings.oneThread')}</p>`;
    const { threads } = this.settings.state;
    const most = Math.min(16, navigator.hardwareConcurrency || 1);
    const counts = [1, 2, 3, 4, 6, 8, 12, 16].filter((count) => count <= most || count === threads);
    return html`<div class="field">
      <label for="threads">${t('settings.threads')}</label>
      <select id="threads" class="input" @change=${(event: Event) => changeSettings({ threads: Number((event.target as HTMLSelectElement).value) })}>
        <option value="0" ?selected=${threads === 0}>${t('settings.threads.auto', { n: usualThreads() })}</option>
        ${counts.map((count) => html`<option value=${count} ?selected=${threads === count}>${count}</option>`)}
      </select>
    </div>`;
  }

  private toggle(name: Switch, change = (on: boolean): void => changeSettings({ [name]: on })): TemplateResult {
    return html`<label class="switch">
      <span>${t(`settings.${name}` as MessageKey)}</span>
      <input type="checkbox" .checked=${live(this.settings.state[name])} @change=${(event: Event) => change((event.target as HTMLInputElement).checked)} />
    </label>`;
  }

  // The browser asks the person, who may say no.
  private async askForNotices(on: boolean): Promise<void> {
    const allowed = on && (await mayNotice());
    changeSettings({ notices: allowed });
    if (on && !allowed) toast(t('settings.noticesRefused'));
  }
}
