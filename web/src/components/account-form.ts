// SPDX-License-Identifier: GPL-3.0-or-later
// A small form that asks the server for one thing and shows at the field what it did not like.
import { html, type TemplateResult } from 'lit';
import { Problem } from '../api/client';
import { fieldText, problemText } from '../api/words';
import { t } from '../i18n';
import { field, type FieldOptions } from './field';
import { PageElement } from './element';
import { customElement, property, state } from 'lit/decorators.js';

export type FormField = Pick<FieldOptions, 'id' | 'label' | 'type' | 'autocomplete' | 'hint'> & { name: string };

@customElement('rk-account-form')
export class AccountForm extends PageElement {
  @property({ attribute: false }) fields: readonly FormField[] = [];
  @property() button = '';
  @property({ type: Boolean }) danger = false;
  @property({ type: Boolean }) main = false; // what the page is about
  @property({ attribute: false }) act: (values: Record<string, string>) => Promise<void> = async () => {};
  @state() private errors: Record<string, string> = {};
  @state() private error = '';
  @state() private busy = false;

  protected override render(): TemplateResult {
    return html`<form class="stack" novalidate @submit=${this.submit}>
      ${this.fields.map((one) => field({ ...one, error: this.errors[one.name] }))}
      ${this.error ? html`<p class="notice notice--bad" role="alert">${this.error}</p>` : ''}
      <div><button class="button ${this.danger ? 'button--danger' : this.main ? 'button--main' : ''}" type="submit" ?disabled=${this.busy}>${this.button}</button></div>
    </form>`;
  }

  private readonly submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const values: Record<string, string> = {};
    for (const { id, name } of this.fields) values[name] = (form.elements.namedItem(id) as HTMLInputElement).value;
    this.busy = true;
    this.error = '';
    this.errors = {};
    try {
      await this.act(values);
      form.reset();
    } catch (problem) {
      if (!(problem instanceof Problem)) this.error = t('problem.unknown');
      else if (problem.errors.length) this.errors = Object.fromEntries(problem.errors.map((one) => [one.field, fieldText(one)]));
      else this.error = problemText(problem);
    } finally {
      this.busy = false;
    }
  };
}
