import { html } from 'ghtml';
import { isHexColour } from '#lib/text-forms.ts';
import { type Faults, type FieldKind, type FormField, lengthOf, patternOf } from './form-field.ts';

/** The state of a form: the body that was sent, and what is wrong with it. */
export interface ShownForm {
  /** Left out: the form is new. */
  readonly sent?: URLSearchParams | null | undefined;
  readonly faults?: Faults | undefined;
  /** The words behind the label of a typed value that may lack; left out: none. */
  readonly optional?: string | undefined;
}

/** A control with its label, hint and fault, and with the value that was sent. */
export function renderField(field: FormField, shown: ShownForm = {}): string {
  const { sent, faults = {} } = shown;
  const { name, kind = 'text' } = field;
  const fault = faults[name];
  const kept = keptOf(field, sent);
  const [value = ''] = kept;
  const said = { fault, optional: shown.optional };
  switch (kind) {
    case 'hidden':
      return html`<input type="hidden" name="${name}" value="${value}">`;
    case 'check':
      return html`<div class="field">!${tick(field, 'checkbox', 'yes', field.label ?? '', kept)}
</div>`;
    case 'radio':
    case 'boxes':
      return fieldset(field, kept, { sent, faults });
    case 'choice':
      return labelled(field, { fault }, select(field, value, attributesOf(field, fault)));
    case 'textarea':
    case 'lines':
      return labelled(field, said, textarea(field, value, attributesOf(field, fault)));
    case 'file':
      return labelled(field, said, fileInput(field, attributesOf(field, fault)));
    case 'colour':
      return labelled(field, said, colourInput(field, value, attributesOf(field, fault)));
    default:
      return labelled(field, said, input(field, value, attributesOf(field, fault)));
  }
}

/** A form that lacks what nobody can clear, such as a hidden value, gets it again. */
function keptOf(
  { name, kind, value }: FormField,
  sent: URLSearchParams | null | undefined,
): readonly string[] {
  const kept = sent?.getAll(name) ?? [];
  const isLacking = (kind === 'hidden' || kind === 'radio') && !kept.some(Boolean);
  return sent && !isLacking ? kept : [value ?? ''].flat();
}

function labelled(
  { name, id = name, label = '', hint, isRequired, isOptional, isTitle, isHalf }: FormField,
  { fault, optional }: { readonly fault?: string | undefined } & Pick<ShownForm, 'optional'>,
  control: string,
) {
  const mark =
    optional && !isRequired && isOptional !== false
      ? html` <span class="optional">${optional}</span>`
      : '';
  const look = ['field', fault && 'bad', isHalf && 'half'].filter(Boolean).join(' ');
  return html`<div class="${look}"><label for="${id}"!${
    isTitle ? ' class="unseen"' : ''
  }>${label}!${mark}</label>
!${hint ? html`<span class="hint" id="${name}-hint">!${withCode(hint)}</span>` : ''}
!${faultOf(name, fault)}!${control}</div>`;
}

/** Commands stand between backticks (x60) in a hint, and are code on the page. */
const withCode = (hint: string) => html`${hint}`.replace(/\x60([^\x60]+)\x60/g, '<code>$1</code>');

function faultOf(name: string, fault: string | undefined): string {
  return fault ? html`<span class="fault" id="${name}-fault">${fault}</span>` : '';
}

/** The attributes that say whether the value is needed, wrong, and described by other texts. */
function attributesOf({ name, hint, isRequired }: FormField, fault: string | undefined): string {
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  return html`!${isRequired ? ' required' : ''}!${fault ? ' aria-invalid="true"' : ''}!${
    described ? ` aria-describedby="${described}"` : ''
  }`;
}

/** Spaces between thousands count, too: 1 000 000 000.00 and more. */
const AMOUNT_LENGTH = 20;

const TYPES: Readonly<Partial<Record<FieldKind, string>>> = {
  amount: 'text',
  whole: 'text',
  colour: 'text',
  secret: 'password',
};

function input(field: FormField, value: string, attributes: string): string {
  const { name, kind = 'text' } = field;
  const isSecret = kind === 'password' || kind === 'secret';
  const type = TYPES[kind] ?? kind;
  const most = kind === 'amount' ? AMOUNT_LENGTH : lengthOf(field);
  const pattern = patternOf(field);
  return html`<input id="${name}" name="${name}" type="${type}" value="${isSecret ? '' : value}"
 autocomplete="${kind === 'password' ? 'new-password' : 'off'}"!${
   most ? ` maxlength="${most}"` : ''
 }!${kind === 'amount' ? ' inputmode="decimal"' : ''}!${
   pattern ? html` pattern="${pattern}"` : ''
 }!${kind === 'datetime-local' ? ' step="1"' : ''}!${attributes}>`;
}

/**
 * Browsers label their button in their own language: a script hides it behind the words of the
 * page, where those are given.
 */
function fileInput({ name, accept, words }: FormField, attributes: string): string {
  const own =
    words &&
    html`<label class="button quiet" for="${name}" hidden>${words.choose}</label>
<output for="${name}" hidden>${words.none}</output>`;
  return html`<span class="file"><input id="${name}" name="${name}" type="file"
 accept="${accept}"!${attributes}>!${own ?? ''}</span>`;
}

/** The colour beside its text; a script makes a palette of it. */
function colourInput(field: FormField, value: string, attributes: string): string {
  const shown = isHexColour(value) ? value : 'none';
  return html`<span class="colour"><svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"
 focusable="false"><path fill="${shown}" d="M0 0h1v1H0z"/></svg><input type="color" class="swatch"
 aria-label="${field.label ?? ''}" data-colour-of="${field.name}" hidden>
!${input(field, value, attributes)}</span>`;
}

function textarea(field: FormField, value: string, attributes: string): string {
  const most = lengthOf(field);
  return html`<textarea id="${field.name}" name="${field.name}" rows="3"!${
    most ? ` maxlength="${most}"` : ''
  }!${field.kind === 'lines' ? ' spellcheck="false"' : ''}!${attributes}>${value}</textarea>`;
}

function select(
  { name, id = name, options = [] }: FormField,
  chosen: string,
  attributes: string,
): string {
  const choices = options.map(
    ([value, words]) =>
      html`<option value="${value}"!${value === chosen ? ' selected' : ''}>!${words}</option>`,
  );
  return html`<select id="${id}" name="${name}"!${attributes}>!${choices.join('')}</select>`;
}

/** Options side by side below their own heading. */
function fieldset(field: FormField, kept: readonly string[], shown: ShownForm): string {
  const { name, kind, label, options = [], inner = [] } = field;
  const fault = shown.faults?.[name];
  const type = kind === 'radio' ? 'radio' : 'checkbox';
  const ticks = options.map(([value, words]) => tick(field, type, value, words, kept)).join('');
  if (!label) return ticks;
  return html`<fieldset id="${name}" class="field!${fault ? ' bad' : ''}"!${
    fault ? ` aria-describedby="${name}-fault"` : ''
  }><legend>${label}</legend>
!${faultOf(name, fault)}
!${ticks}!${
    inner.length > 0
      ? html`<div class="inner">!${inner.map((each) => renderField(each, shown)).join('')}</div>`
      : ''
  }</fieldset>`;
}

function tick(
  { name, kind, isRequired }: FormField,
  type: 'radio' | 'checkbox',
  value: string,
  words: string,
  kept: readonly string[],
): string {
  const needed = isRequired && kind !== 'boxes' ? ' required' : '';
  return html`<label class="choice"><input type="${type}" name="${name}" value="${value}"!${
    kept.includes(value) ? ' checked' : ''
  }!${needed}> !${words}</label>`;
}
