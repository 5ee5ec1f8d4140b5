// SPDX-License-Identifier: GPL-3.0-or-later
// <rk-play-card>: everything needed to start a game, and one large button.
import { html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { go } from '../app/router';
import { api, Problem } from '../api/client';
import { fieldText, problemText } from '../api/words';
import { t } from '../i18n';
import { drawStart, startLocalGame } from '../state/local-games';
import { loadSession, session } from '../state/session';
import { changeSettings, settings } from '../state/settings';
import {
  clockChips, requestOf, savedForm, saveForm, type ColorChoice, type GameForm, type Opponent,
} from '../state/new-game';
import { toast } from '../state/toasts';
import { choice } from './choice';
import { PageElement } from './element';
import { field } from './field';
import { icon } from './icon';
import { levelSlider } from './level-slider';

@customElement('rk-play-card')
export class PlayCard extends PageElement {
  @property() fen = '';
  @state() private form: GameForm = savedForm();
  @state() private busy = false;
  @state() private error = '';
  @state() private friendError = '';
  @state() private fenError = '';
  @state() private here: { username: string; bot: boolean }[] = [];

  private watch: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watchWhoIsHere();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.watch);
  }

  // The address may bring a position, from the editor for example.
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('fen') && this.fen) this.form = { ...this.form, fen: this.fen, start: 'position' };
  }

  protected override render(): TemplateResult {
    const { form } = this;
    return html`<form class="card play" @submit=${this.submit} aria-labelledby="play-title">
      <h2 id="play-title">${t('home.play')}</h2>
      ${choice<Opponent>(
        'opponent',
        t('home.opponent'),
        [
          { value: 'computer', face: t('home.computer') },
          { value: 'friend', face: t('home.friend') },
          { value: 'device', face: t('home.device') },
        ],
        form.opponent,
        (opponent) => this.change({ opponent }),
        { bar: true, hideLegend: true },
      )}
      ${form.opponent === 'computer'
        ? levelSlider(form.elo, (elo) => this.change({ elo }))
        : form.opponent === 'friend'
          ? this.friend()
          : html`<p class="muted">${t('home.deviceHint')}</p>`}
      ${form.opponent === 'device' ? '' : this.colors()} ${this.clock()}
      ${this.more()}
      ${this.position()}
      ${this.error ? html`<p class="notice notice--bad" role="alert">${this.error}</p>` : ''}
      <button class="button button--main button--large" type="submit" ?disabled=${this.busy}>${icon('play')} ${t('home.start')}</button>
    </form>`;
  }

  // By link, or one of those who are here.
  private friend(): TemplateResult {
    const { friend } = this.form;
    return html`<div class="stack">
      ${field({
        id: 'friend', label: t('home.friendName'), hint: t(friend ? 'home.friendNamed' : 'home.friendHint'), value: friend,
        error: this.friendError, onInput: (name) => this.change({ friend: name.trim() }),
      })}
      ${this.here.length
        ? html`<div class="row" role="group" aria-label=${t('home.here')}>
            <span class="small muted">${t('home.here')}</span>
            ${this.here.map(({ username, bot }) => html`<button class="button play__person" type="button" aria-pressed=${username === friend} @click=${() => this.change({ friend: username === friend ? '' : username })}>
              ${icon(bot ? 'computer' : 'user', 'icon--small')} ${username}</button>`)}
          </div>`
        : ''}
    </div>`;
  }

  // People come and go while the form is open.
  private watchWhoIsHere(): void {
    clearInterval(this.watch);
    if (this.form.opponent !== 'friend') return;
    void this.lookAround();
    this.watch = setInterval(() => document.hidden || void this.lookAround(), 5000);
  }

  private async lookAround(): Promise<void> {
    if (session.state.me?.kind !== 'user') return;
    try {
      this.here = await api.here();
    } catch {
      this.here = [];
    }
  }

  private colors(): TemplateResult {
    return choice<ColorChoice>(
      'color',
      t('home.color'),
      [
        { value: 'white', title: t('color.white'), face: html`<span class="pc pc--wK play__king"></span>` },
        { value: 'random', title: t('color.random'), face: html`<span class="play__half"><span class="pc pc--wK play__king"></span><span class="pc pc--bK play__king"></span></span>` },
        { value: 'black', title: t('color.black'), face: html`<span class="pc pc--bK play__king"></span>` },
      ],
      this.form.color,
      (color) => this.change({ color }),
    );
  }

  private clock(): TemplateResult {
    const { form } = this;
    return html`<div class="stack">
      ${choice<string>(
        'clock',
        t('home.clock'),
        clockChips.map((value) => ({
          value,
          face: value === 'none' ? t('clock.none') : value === 'own' ? t('clock.own') : value,
        })),
        form.clock,
        (clock) => this.change({ clock }),
      )}
      ${form.clock === 'own'
        ? html`<div class="play__own">
            ${this.number('minutes', t(form.odds ? 'clock.whiteMinutes' : 'clock.minutes'), 0.5, 180, 0.5)} ${this.number('increment', t(form.odds ? 'clock.whiteSeconds' : 'clock.seconds'), 0, 180, 1)}
            <div class="field">
              <label for="mode">${t('clock.mode')}</label>
              <select id="mode" class="input" @change=${(event: Event) => this.change({ mode: (event.target as HTMLSelectElement).value as GameForm['mode'] })}>
                ${(['increment', 'delay', 'bronstein'] as const).map(
                  (mode) => html`<option value=${mode} ?selected=${mode === form.mode}>${t(`clock.${mode}`)}</option>`,
                )}
              </select>
            </div>
            <label class="check play__odds">
              <input type="checkbox" .checked=${form.odds} @change=${(event: Event) => this.change({ odds: (event.target as HTMLInputElement).checked })} />
              <span>${t('clock.blackDiffers')}</span>
            </label>
            ${form.odds ? html`${this.number('blackMinutes', t('clock.blackMinutes'), 0.5, 180, 0.5)} ${this.number('blackIncrement', t('clock.blackSeconds'), 0, 180, 1)}` : ''}
          </div>`
        : ''}
    </div>`;
  }

  private number(name: 'minutes' | 'increment' | 'blackMinutes' | 'blackIncrement', label: string, min: number, max: number, step: number): TemplateResult {
    return html`<div class="field">
      <label for=${name}>${label}</label>
      <input
        id=${name} class="input" type="number" inputmode="decimal" min=${min} max=${max} step=${step}
        .value=${String(this.form[name])}
        @change=${(event: Event) => this.change({ [name]: Math.min(max, Math.max(min, Number((event.target as HTMLInputElement).value) || min)) })}
      />
    </div>`;
  }

  private more(): TemplateResult {
    const { form } = this;
    return html`<details class="play__more">
      <summary>${t('home.more')}</summary>
      <div class="stack">
        ${form.opponent === 'computer' ? this.thinking() : ''}
        ${choice<GameForm['start']>(
          'start', t('home.startPosition'),
          [
            { value: 'usual', face: t('home.usual') },
            { value: 'chess960', face: 'Chess960' },
            { value: 'position', face: t('home.ownPosition') },
          ],
          form.start, (start) => this.chooseStart(start),
        )}
        ${choice<'automatic' | 'claimed'>(
          'draws', t('home.draws'),
          (['automatic', 'claimed'] as const).map((value) => ({ value, face: t(`home.draws.${value}`) })),
          form.draws === 'default' ? (form.opponent === 'friend' ? 'claimed' : 'automatic') : form.draws,
          (draws) => this.change({ draws }),
        )}
        ${form.opponent === 'device'
          ? ''
          : choice<GameForm['visibility']>(
              'visibility', t('home.visibility'),
              (['public', 'link', 'private'] as const).map((value) => ({ value, face: t(`home.visibility.${value}`) })),
              form.visibility === 'default' ? (form.opponent === 'friend' ? 'link' : 'public') : form.visibility,
              (visibility) => this.change({ visibility }),
            )}
      </div>
    </details>`;
  }

  // Where a game starts from a position of one's own: the text of it, and the way to the board on which to set one up.
  private position(): TemplateResult {
    const { start, fen } = this.form;
    if (start !== 'position') return html``;
    return html`<div class="stack">
      ${field({ id: 'position', label: t('home.positionFen'), hint: t('home.fromPosition'), value: fen, error: this.fenError, onInput: (text) => this.change({ fen: text.trim() }) })}
      <a href="/editor${fen ? `?fen=${encodeURIComponent(fen)}` : ''}">${t('home.setUp')}</a>
    </div>`;
  }

  private chooseStart(start: GameForm['start']): void {
    this.change({ start, fen: start === 'position' ? this.form.fen : '' });
    if (start !== 'position' && this.fen) go('/', { replace: true });
  }

  private thinking(): TemplateResult {
    return html`${choice<'server' | 'browser'>(
      'think', t('home.think'),
      [
        { value: 'server', face: t('home.thinkServer') },
        { value: 'browser', face: t('home.thinkBrowser') },
      ],
      settings.state.thinkOn,
      (thinkOn) => {
        changeSettings({ thinkOn });
        this.requestUpdate();
      },
    )}
    ${choice<'network' | 'classical'>(
      'evaluation', t('home.evaluation'),
      [
        { value: 'network', face: t('home.network') },
        { value: 'classical', face: t('home.classical') },
      ],
      this.form.evaluation, (evaluation) => this.change({ evaluation }),
    )}`;
  }

  private change(patch: Partial<GameForm>): void {
    this.form = { ...this.form, ...patch };
    this.error = '';
    this.friendError = '';
    this.fenError = '';
    if (patch.opponent) this.watchWhoIsHere();
    saveForm(this.form);
  }

  private readonly submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    try {
      this.fenError = await this.faultOfPosition();
      if (!this.fenError) go(`/game/${await this.begin()}`);
    } catch (problem) {
      const named = problem instanceof Problem ? problem.errors.find(({ field: name }) => name === 'username') : undefined;
      if (named) this.friendError = fieldText(named);
      else this.error = problemText(problem instanceof Problem ? problem : new Problem('unknown', 0));
    } finally {
      this.busy = false;
    }
  };

  // The first thing that is wrong with the position to start from, or ''.
  private async faultOfPosition(): Promise<string> {
    const { start, fen } = this.form;
    if (start !== 'position') return '';
    const { rules } = await import('../wasm/rules');
    const answer = (await rules()).checkSetup(fen);
    if (!answer.ok) return t('editor.unreadable');
    return answer.problems[0] ? t(`setup.${answer.problems[0]}`) : '';
  }

  private async begin(): Promise<string> {
    const { form } = this;
    const local = async (): Promise<string> => startLocalGame(await drawStart(form));
    const computer = form.opponent === 'computer';
    if (form.opponent === 'device') return local();
    const able = computer && (await import('../wasm/engine')).engineSupported();
    if (able && settings.state.thinkOn === 'browser') return local();
    try {
      const game = await api.createGame(requestOf(form));
      if (session.state.me?.kind === 'anonymous') void loadSession();
      return game.id;
    } catch (problem) {
      // Without the server the engine of this page plays.
      if (!able || !(problem instanceof Problem) || !problem.offline) throw problem;
      toast(t('home.thinksHere'));
      return local();
    }
  }
}
