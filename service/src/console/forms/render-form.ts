import { html } from 'ghtml';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { type Faults, type FormItem, fieldsIn } from './form-field.ts';
import { renderField, type ShownForm } from './render-field.ts';

export interface Form extends ShownForm {
  /** Below `/console`. */
  readonly action: string;
  readonly items: readonly FormItem[];
  /** HTML of the buttons; left out: the items have them. */
  readonly buttons?: string;
  readonly id?: string;
}

/** A form that changes something: it carries the session's token. */
export function renderForm(visit: Visit, { action, items, buttons, id, ...shown }: Form): string {
  const hasFile = fieldsIn(items).some(({ kind }) => kind === 'file');
  const actions = buttons ? html`<p class="actions">!${buttons}</p>` : '';
  return html`<form method="post" action="/console${action}"!${id ? ` id="${id}"` : ''}!${
    hasFile ? ' enctype="multipart/form-data"' : ''
  }><input type="hidden" name="csrf" value="${visit.csrf}">!${renderItems(items, shown)}!${
    actions
  }</form>`;
}

/** The fields of a form alone, such as a part of it. */
export function renderItems(items: readonly FormItem[], shown: ShownForm = {}): string {
  return items
    .map((item) => {
      if (typeof item === 'string') return item;
      if (!('fields' in item)) return renderField(item, shown);
      return html`<fieldset class="${item.className}"><legend>${item.legend}</legend>
!${renderItems(item.fields, shown)}</fieldset>`;
    })
    .join('\n');
}

interface Pressed {
  readonly kind?: 'quiet' | 'danger' | 'link';
  readonly name?: string;
  readonly value?: string;
  /** Names the button for screen readers, where its words do not. */
  readonly label?: string;
}

export function button(words: string, { kind, name, value, label }: Pressed = {}): string {
  const look = kind === 'link' ? kind : ['button', kind].filter(Boolean).join(' ');
  const sent = name ? html` name="${name}" value="${value}"` : '';
  const named = label ? html` aria-label="${label}"` : '';
  return html`<button class="${look}"!${sent}!${named}>${words}</button>`;
}

/** The button of a form, and the link for people who do not want to send it. */
export function buttons(
  label: string,
  cancel: readonly [href: string, label: string],
  kind?: 'danger',
) {
  const [href, words] = cancel;
  return html`!${button(label, kind ? { kind } : {})}
<a class="button quiet" href="${href}">${words}</a>`;
}

/** A form without fields: one button that acts. */
export function actForm(visit: Visit, action: string, label: string, pressed?: Pressed): string {
  return renderForm(visit, { action, items: [button(label, pressed)] });
}

export interface FormPage extends Omit<ConsolePage, 'body' | 'status'> {
  /** HTML above the title. */
  readonly back?: string;
  /** The sentence of a refusal that concerns no field alone. */
  readonly refusal?: string | null | undefined;
  /** HTML between the title and the form, and after the form. */
  readonly lead?: string;
  readonly form?: Form;
  /** Those of a form inside of the lead. */
  readonly faults?: Faults | undefined;
  readonly after?: string;
}

/** A form with a fault shows itself again. */
const FAULTY_FORM = 422;

/** A page about one form; 422 where the form was refused. */
export function formPage(visit: Visit, page: FormPage): ConsolePage {
  const { back = '', refusal, lead = '', form, faults, after = '', ...rest } = page;
  const isFaulty = Boolean(refusal) || Object.keys(form?.faults ?? faults ?? {}).length > 0;
  return {
    ...rest,
    ...(isFaulty && { status: FAULTY_FORM }),
    body: html`!${back}<h1>${page.title}</h1>!${
      refusal ? html`<p class="notice bad" role="alert">${refusal}</p>` : ''
    }!${lead}!${form ? renderForm(visit, form) : ''}!${after}`,
  };
}
