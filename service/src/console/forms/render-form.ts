import { html } from 'ghtml';
import type { PageHead } from '#console/shell/page-head.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { type Faults, type FormItem, fieldsIn } from './form-field.ts';
import { renderField, type ShownForm } from './render-field.ts';

const FORM_TEXTS = pageTexts('console.forms');

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
  const fields = fieldsIn(items);
  const hasFile = fields.some(({ kind }) => kind === 'file');
  // A form that needs nothing, or all, has no marks.
  const optional = fields.some(({ isRequired }) => isRequired)
    ? FORM_TEXTS[visit.language].text('optional')
    : undefined;
  const actions = buttons ? html`<p class="actions">!${buttons}</p>` : '';
  return html`<form method="post" action="/console${action}"!${id ? ` id="${id}"` : ''}!${
    hasFile ? ' enctype="multipart/form-data"' : ''
  }><input type="hidden" name="csrf" value="${visit.csrf}">!${renderItems(items, {
    ...shown,
    optional,
  })}!${actions}</form>`;
}

/** The fields of a form alone, such as a part of it. */
export function renderItems(items: readonly FormItem[], shown: ShownForm = {}): string {
  return items
    .map((item) => {
      if (typeof item === 'string') return item;
      if (!('fields' in item)) return renderField(item, shown);
      const { className, legend, hint } = item;
      const fields = html`<div class="fields">!${renderItems(item.fields, shown)}</div>`;
      if (!legend) return html`<div class="${className}">!${fields}</div>`;
      return html`<fieldset class="${className}"><legend>${legend}</legend>
!${hint ? html`<p class="hint">${hint}</p>` : ''}!${fields}</fieldset>`;
    })
    .join('\n');
}

interface Pressed {
  readonly kind?: 'quiet' | 'quiet slim' | 'danger' | 'link' | undefined;
  readonly name?: string;
  readonly value?: string;
  /** Names the button for screen readers, where its words do not. */
  readonly label?: string | undefined;
}

export function button(words: string, { kind, name, value, label }: Pressed = {}): string {
  const look = kind === 'link' ? kind : ['button', kind].filter(Boolean).join(' ');
  const sent = name ? html` name="${name}" value="${value}"` : '';
  const named = label ? html` aria-label="${label}"` : '';
  return html`<button class="${look}"!${sent}!${named}>${words}</button>`;
}

/** A form without fields: one button that acts. */
export function actForm(visit: Visit, action: string, label: string, pressed?: Pressed): string {
  return renderForm(visit, { action, items: [button(label, pressed)] });
}

/** Why a form was refused, in a sentence. */
export interface Refusal {
  readonly fault: string;
  /** null: the sentence concerns no field alone. */
  readonly field: string | null;
}

type Back = NonNullable<PageHead['back']>;

/** A page without items has no form. */
export interface FormPage extends Omit<ConsolePage, 'body' | 'head' | 'status'>, Partial<Form> {
  readonly back: Back;
  /** The link beside the buttons, for people who do not want to send; left out: it leads back. */
  readonly cancel?: Back;
  /** The line under the title, as plain text. */
  readonly under?: string;
  readonly refusal?: Refusal | string | null | undefined;
  /** HTML between the title and the form, beside it where the page is wide, and after the form. */
  readonly lead?: string;
  readonly aside?: string;
  readonly after?: string;
}

/** A form with a fault shows itself again. */
const FAULTY_FORM = 422;

/** A page about one form, as cards, that is sent to its own path; 422: the form was refused. */
export function formPage(visit: Visit, page: FormPage): ConsolePage {
  const { back, cancel, under, refusal, lead = '', aside, after = '', ...asked } = page;
  const { items, buttons, sent, faults, action = visit.path, id, scripts = [], ...rest } = asked;
  const { text } = FORM_TEXTS[visit.language];
  const fields = fieldsIn(items ?? []);
  const { fault = '', field = null } =
    typeof refusal === 'string' ? { fault: refusal } : (refusal ?? {});
  const isAtField = fields.some(({ name }) => name === field);
  const { href, name } = cancel ?? { ...back, name: text('cancel') };
  const all: Faults = isAtField ? { ...faults, [`${field}`]: fault } : { ...faults };
  const form = items && {
    ...{ action, items, sent, faults: all, ...(id && { id }) },
    ...(buttons && {
      buttons: html`!${buttons}
<a class="button quiet" href="${href}">${name}</a>`,
    }),
  };
  const isFaulty = fault !== '' || Object.keys(all).length > 0;
  const marked = fields.filter(({ name }) => all[name]);
  const isScripted = fields.some(({ kind }) => kind === 'file' || kind === 'colour');
  const places = marked.map(({ name, label }) => html`<a href="#${name}">${label ?? name}</a>`);
  const banner = [
    isAtField ? '' : html`${fault}`,
    marked.length > 0 ? `${text('faulty', { count: marked.length })} ${places.join(', ')}` : '',
  ].filter(Boolean);
  const alert =
    banner.length > 0 ? html`<p class="notice bad" role="alert">!${banner.join('<br>')}</p>` : '';
  const main = cardsOf(visit, lead, form) + after;
  return {
    ...rest,
    scripts: isScripted ? [...scripts, 'console-forms'] : scripts,
    ...(isFaulty && { status: FAULTY_FORM }),
    head: { back, ...(under && { under: html`${under}` }) },
    body: html`!${alert}!${
      aside ? html`<div class="with-aside"><aside>!${aside}</aside><div>!${main}</div></div>` : main
    }`,
  };
}

/** A form with groups has a card a group; any other one is a card, with the text of a question. */
function cardsOf(visit: Visit, lead: string, form: Form | undefined): string {
  if (!form) return lead;
  const made = renderForm(visit, form);
  if (form.items.some((item) => typeof item !== 'string' && 'fields' in item)) return lead + made;
  const asks = fieldsIn(form.items).every(({ kind }) => kind === 'hidden');
  const card = html`<div class="card form">!${asks ? lead : ''}!${made}</div>`;
  return asks ? card : lead + card;
}
