import type { FieldGroup, FormItem } from '#console/forms/form-field.ts';
import { kindWord } from '#console/messages/message-parts.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { Language } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { LONGEST_EMAIL } from '#lib/text-forms.ts';
import { KINDS } from '#messages/model/kinds.ts';
import {
  LONGEST_TEMPLATE_TEXT,
  type NewTemplate,
  PLACEHOLDERS,
  TEMPLATE_PARTS,
  type Template,
} from '#messages/model/template.ts';
import type { TemplateFieldFault } from '#messages/templates/template-fault.ts';
import { TEMPLATE_TEXTS } from './texts.ts';

const OWN_TEXTS = pageTexts('payer.message');
const LONGEST_ID = 64;
/** A language's texts, as they stand in the deployment's own ones. */
const NAMES = Object.fromEntries(PLACEHOLDERS.map((name) => [name, `{${name}}`]));

/** The texts of a template in one language, on their form. */
export interface EditedTemplate {
  /** null: it is new. */
  readonly before: Template | null;
  readonly language: Language;
}

/** The fields of a template in a language; each shows the text that stands there without it. */
export function templateFields(visit: Visit, { before, language }: EditedTemplate): FormItem[] {
  const { text } = TEMPLATE_TEXTS[visit.language];
  const { text: ownText } = OWN_TEXTS[language];
  const kinds = KINDS.map(
    (kind): FieldGroup => ({
      legend: kindWord(visit.language, kind),
      className: 'card',
      fields: TEMPLATE_PARTS.map((part) => ({
        name: `${kind}.${part}`,
        kind: part === 'introduction' ? 'textarea' : 'text',
        label: text(part),
        hint: text('without', { text: ownText(`${kind}.${part}`, NAMES) }),
        maxLength: LONGEST_TEMPLATE_TEXT,
        value: before?.texts[language]?.[kind]?.[part],
      })),
    }),
  );
  const hidden = { version: `${before?.version ?? 0}`, language };
  const id = { name: 'id', label: text('id'), hint: text('idHint'), maxLength: LONGEST_ID };
  return [
    ...Object.entries(hidden).map(([name, value]) => ({ name, value, kind: 'hidden' }) as const),
    {
      className: 'card',
      fields: [
        before ? { name: 'id', value: before.id, kind: 'hidden' } : { ...id, isRequired: true },
        {
          name: 'replyTo',
          label: text('replyTo'),
          hint: text(visit.can('operator.merchants.change') ? 'replyToConfirm' : 'replyToHint'),
          maxLength: LONGEST_EMAIL,
          value: before?.replyTo,
        },
        {
          name: 'footer',
          kind: 'textarea',
          label: text('footer'),
          hint: text('footerHint'),
          maxLength: LONGEST_TEMPLATE_TEXT,
          value: before?.footer[language],
        },
      ],
    },
    ...kinds,
  ];
}

/** The whole template with the texts that a form has for its language. */
export function templateIn(
  sent: URLSearchParams,
  { before, language }: EditedTemplate,
): NewTemplate {
  // Lines of a text field are one text.
  const typed = (name: string) => (sent.get(name) ?? '').trim().replace(/\s*\r?\n\s*/g, ' ');
  const given = (names: readonly string[], place = '') =>
    Object.fromEntries(
      names.map((name) => [name, typed(place + name)]).filter(([, text]) => text !== ''),
    );
  const texts = KINDS.map((kind) => [kind, given(TEMPLATE_PARTS, `${kind}.`)]);
  const { [language]: _, ...footers } = before?.footer ?? {};
  const { footer } = given(['footer']);
  return {
    id: typed('id'),
    replyTo: typed('replyTo') || null,
    footer: { ...footers, ...(footer && { [language]: footer }) },
    texts: { ...before?.texts, [language]: Object.fromEntries(texts) },
  };
}

/** The name of the form's field that a fault is about; null: nobody can type it there. */
export function fieldOf(
  { field }: TemplateFieldFault,
  { before, language }: EditedTemplate,
): string | null {
  const [first = '', spoken, ...rest] = field.split('.');
  if (spoken === undefined) return first === 'id' && before ? null : first;
  if (spoken !== language) return null;
  return first === 'texts' ? rest.join('.') : first;
}
