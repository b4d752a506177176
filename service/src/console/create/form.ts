import { html } from 'ghtml';
import { fieldWord } from '#console/components/values.ts';
import { fieldsIn, formOf } from '#console/forms/form-field.ts';
import type { ShownForm } from '#console/forms/render-field.ts';
import { button, formPage } from '#console/forms/render-form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { LANGUAGES, LOCALES } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { newId } from '#lib/new-id.ts';
import { upperFirst } from '#lib/words/upper-first.ts';
import { CONSOLE_FIELDS } from '#payment-requests/model/field-lists.ts';
import type { Field } from '#payment-requests/model/field-types.ts';
import { FIELDS, PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import { LONGEST_PAYER_NAME } from '#payment-requests/model/messages/payer-rules.ts';

/** The fields, named by their members in a call; a day stands for its end. */
export function createFields(visit: Visit) {
  const { text } = CREATE_TEXTS[visit.language];
  const contact = <Name extends 'email' | 'mobileNumber'>(name: Name, kind: 'email' | 'tel') => {
    const [label, { rule }] = [text(`payer.${name}`), PAYER_FIELDS[name]];
    return { name: `payer.${name}`, kind, label, rule, isOptional: false, isHalf: true } as const;
  };
  return formOf(
    // Drawn for this form, which counts once.
    { name: 'form-key', kind: 'hidden', value: newId() },
    {
      legend: text('shown'),
      className: 'card',
      fields: [
        {
          name: 'amount',
          kind: 'amount',
          label: text('amount', { currency: visit.currency }),
          hint: text('amountHint'),
          isRequired: true,
          isHalf: true,
        },
        ...tableFields(visit, true),
        // People think of a last day, not of an instant.
        {
          name: 'expiryDay',
          kind: 'date',
          label: text('expiryDay'),
          hint: text('expiryDayHint', { zone: visit.timeZone }),
        },
      ],
    },
    {
      legend: text('payer'),
      className: 'card',
      fields: [
        {
          name: 'payer.name',
          label: text('payer.name'),
          rule: PAYER_FIELDS.name.rule,
          maxLength: LONGEST_PAYER_NAME,
          isRequired: true,
        },
        html`<p class="hint">${text('contactHint')}</p>`,
        contact('email', 'email'),
        contact('mobileNumber', 'tel'),
        {
          name: 'payer.preferredLanguage',
          kind: 'choice',
          label: text('payer.preferredLanguage'),
          options: [['', html`${text('language.none')}`], ...languageOptions(visit)],
        },
      ],
    },
    { legend: text('more'), className: 'card', fields: tableFields(visit, false) },
  );
}

/** The fields of the table that the console knows: those that payers see, or the others. */
function tableFields({ language }: Visit, areShown: boolean) {
  const { text } = CREATE_TEXTS[language];
  const names = CONSOLE_FIELDS.filter((name) => {
    const { knownTo }: Field = FIELDS[name];
    return knownTo.includes('PAGES') === areShown;
  });
  return names.map((name) => {
    const { rule } = FIELDS[name];
    return {
      name,
      kind: 'format' in rule ? ('date' as const) : ('text' as const),
      label: fieldWord(language, name),
      hint: name === 'displayMessage' ? text('displayMessageHint') : undefined,
      rule,
      ...(!areShown && { isHalf: true as const }),
    };
  });
}

function languageOptions({ language }: Visit) {
  const names = new Intl.DisplayNames(LOCALES[language], { type: 'language' });
  return LANGUAGES.map((each) => {
    const name = names.of(each) ?? each;
    return [each, html`${upperFirst(name)}`] as const;
  });
}

/** The page of a new payment request. */
export function createPage(visit: Visit, shown: ShownForm = {}): ConsolePage {
  const { text } = CREATE_TEXTS[visit.language];
  const path = `/m/${visit.merchantId}/payment-requests`;
  const items = createFields(visit);
  return formPage(visit, {
    title: text('title'),
    back: { href: `/console${path}`, name: text('list') },
    under: text('lead'),
    lead: faultSummary(visit, items, shown),
    ...shown,
    id: 'create',
    items,
    buttons: button(text('create')),
  });
}

/** All faults above the form, each with a link to its field. */
function faultSummary(
  { language }: Visit,
  items: ReturnType<typeof createFields>,
  { faults = {} }: ShownForm,
): string {
  const { text } = CREATE_TEXTS[language];
  if (Object.keys(faults).length === 0) return '';
  const fields = fieldsIn(items);
  const lines = Object.entries(faults).map(([name, sentence]) => {
    const label = fields.find((field) => field.name === name)?.label ?? name;
    return html`<li><a href="#${name}">${label}</a>: ${sentence}</li>`;
  });
  return html`<div class="notice bad" role="alert"><h2>${text('summary')}</h2>
<ul>!${lines.join('')}</ul></div>`;
}

export const CREATE_TEXTS = pageTexts('console.create');
