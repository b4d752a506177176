import { html } from 'ghtml';
import { choiceField } from '#console/components/choice-field.ts';
import { postForm, textField } from '#console/components/form.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { Texts } from '#http/pages/texts.ts';
import { FIELDS, PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import { FORM_FIELDS, type FormField, type TypedValues } from './read-form.ts';
import { CREATE_TEXTS, type CreateTextKey } from './texts.ts';

/** The most characters of each line of text, as the calls have them. */
export const LONGEST: Readonly<Partial<Record<FormField, number>>> = {
  // The amount's text: 10^9 with cents and spaces between thousands.
  amount: 20,
  'payer.name': 100,
  'payer.email': lengthOf(PAYER_FIELDS.email.rule),
  'payer.mobileNumber': lengthOf(PAYER_FIELDS.mobileNumber.rule),
  displayMessage: lengthOf(FIELDS.displayMessage.rule),
  invoiceNumber: lengthOf(FIELDS.invoiceNumber.rule),
  businessUnit: lengthOf(FIELDS.businessUnit.rule),
  merchantTransactionId: lengthOf(FIELDS.merchantTransactionId.rule),
};

/** The sentence at each field that has a fault. */
export type FieldFaults = ReadonlyMap<string, string>;

export interface ShownForm {
  /** Drawn for this form, which counts once. */
  readonly formKey: string;
  readonly typed: TypedValues;
  readonly faults: FieldFaults;
}

/** The form of a new payment request. */
export function createForm(visit: Visit, { formKey, typed, faults }: ShownForm): string {
  const { text } = CREATE_TEXTS[visit.language];
  const line = (name: FormField, more: Partial<Parameters<typeof textField>[0]> = {}) =>
    textField({
      name,
      label: labelOf(visit, name),
      value: typed[name] ?? '',
      fault: faults.get(name),
      ...(LONGEST[name] !== undefined && { maxLength: LONGEST[name] }),
      ...more,
    });
  const amount = line('amount', {
    hint: text('amountHint'),
    isRequired: true,
  });
  const expiry = { type: 'date', hint: text('expiryDayHint', { zone: visit.timeZone }) };
  const body = html`<input type="hidden" name="form-key" value="${formKey}">!${amount}
<fieldset class="card"><legend>${text('payer')}</legend>
!${line('payer.name', { isRequired: true })}<p class="hint">${text('contactHint')}</p>
!${line('payer.email', { type: 'email' })}!${line('payer.mobileNumber', { type: 'tel' })}
!${languageField(CREATE_TEXTS[visit.language], typed)}</fieldset>
<fieldset class="card"><legend>${text('shown')}</legend>
!${line('displayMessage', { hint: text('displayMessageHint') })}!${line('invoiceNumber')}
!${line('expiryDay', expiry)}</fieldset>
<fieldset class="card"><legend>${text('more')}</legend>
!${line('merchantTransactionId')}!${line('businessUnit')}!${line('dueDate', { type: 'date' })}
</fieldset>
<p class="actions"><button class="button">${text('create')}</button>
<a href="/console/m/${visit.merchantId}/payment-requests">${text('cancel')}</a></p>`;
  const action = `/m/${visit.merchantId}/payment-requests/new`;
  return faultSummary(visit, faults) + postForm(visit, { action, body, id: 'create' });
}

/** All faults above the form, each with a link to its field. */
function faultSummary(visit: Visit, faults: FieldFaults): string {
  if (faults.size === 0) return '';
  const { text } = CREATE_TEXTS[visit.language];
  const items = [...faults].map(([name, sentence]) => {
    const label = labelOf(visit, name);
    return html`<li><a href="#${name}">${label}</a>: ${sentence}</li>`;
  });
  return html`<div class="notice bad" role="alert"><h2>${text('summary')}</h2>
<ul>!${items.join('')}</ul></div>`;
}

function labelOf({ language, currency }: Visit, name: string): string {
  const { text } = CREATE_TEXTS[language];
  const known = FORM_FIELDS.find((each) => each === name);
  return known === undefined ? name : text(known, { currency });
}

function languageField({ text }: Texts<CreateTextKey>, typed: TypedValues): string {
  const name = 'payer.preferredLanguage';
  const choices = [
    ['', text('language.none')],
    ['en', text('language.en')],
    ['fr', text('language.fr')],
  ] as const;
  return choiceField({ name, label: text(name), value: typed[name] ?? '', choices });
}

function lengthOf(rule: object): number {
  return (rule as { readonly maxLength: number }).maxLength;
}
