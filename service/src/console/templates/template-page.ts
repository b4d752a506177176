import { html } from 'ghtml';
import { tabs } from '#console/components/parts.ts';
import type { Faults, FieldGroup, FormItem } from '#console/forms/form-field.ts';
import { button, formPage, renderForm } from '#console/forms/render-form.ts';
import { kindWord } from '#console/messages/message-parts.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { merchantHref, merchantPath } from '#console/webhooks/paths.ts';
import { LANGUAGES, type Language } from '#http/negotiation/choose-language.ts';
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

const LANGUAGE_NAMES = pageTexts('payer.message');
const SCHEMES = ['light', 'dark'] as const;

export interface TemplatePage extends EditedTemplate {
  /** Whether a change waits for an operator. */
  readonly isProposed: boolean;
  /** Whether the person has an address for a test. */
  readonly canTest: boolean;
  readonly sent?: URLSearchParams;
  readonly faults?: Faults;
  /** A fault that is at no field. */
  readonly refusal?: string | null;
  readonly notice?: string;
}

/** A template in one language, beside a preview that follows what a person types. */
export function templatePage(visit: Visit, page: TemplatePage): ConsolePage {
  const { before, isProposed, sent, faults, refusal, notice } = page;
  const { text } = TEMPLATE_TEXTS[visit.language];
  const mayChange = visit.can('templates.change');
  const names = PLACEHOLDERS.map((name) => `{${name}}`).join(' ');
  const waits = isProposed ? html`<p class="notice info">${text('waits')}</p>` : '';
  const archived = before?.archivedAt ? html`<p class="notice">${text('archivedNow')}</p>` : '';
  return formPage(visit, {
    title: before ? before.id : text('new'),
    back: { href: merchantHref(visit, 'templates'), name: text('list') },
    under: text('placeholders', { names }),
    refusal,
    ...(notice && { notice }),
    scripts: ['console-templates'],
    hasFrame: true,
    lead: waits + archived + languageTabs(visit, page),
    aside: preview(visit, page),
    id: 'template',
    action: merchantPath(visit, 'templates', 'save'),
    items: templateFields(visit, page),
    ...{ sent, faults },
    ...(mayChange && { buttons: button(text('save')) }),
    after: mayChange && before && !before.archivedAt ? archiveForm(visit, before.id) : '',
  });
}

/** The mail in a frame that runs and loads nothing, beside what it is about. */
function preview(visit: Visit, { before, language, canTest, sent }: TemplatePage): string {
  const { text } = TEMPLATE_TEXTS[visit.language];
  const href = merchantHref(visit, 'templates', 'preview');
  const query = new URLSearchParams({ ...(before && { id: before.id }), language });
  const test = html`<button class="button quiet" form="template"
 formaction="${merchantHref(visit, 'templates', 'test')}">${text('test')}</button>`;
  const word = (kind: string) => kindWord(visit.language, kind);
  const kinds = select('kind', KINDS, word, sent?.get('kind'));
  const schemeWord = (scheme: (typeof SCHEMES)[number]) => text(`scheme.${scheme}`);
  const schemes = select('scheme', SCHEMES, schemeWord, sent?.get('scheme'));
  return html`<section class="card mail-preview"><h2>${text('preview')}</h2>
<p class="choices"><label>${text('previewKind')} !${kinds}</label>
<label>${text('scheme')} !${schemes}</label></p>
<iframe class="mail" name="preview" sandbox title="${text('preview')}"
 src="${href}?${query}"></iframe><p class="actions"><button class="button quiet" form="template"
 formaction="${href}" formtarget="preview" formnovalidate data-preview-mail>${text('showPreview')}
</button>!${canTest ? test : ''}</p>!${canTest ? '' : html`<p class="small">${text('noTest')}</p>`}
</section>`;
}

function select<Value extends string>(
  name: string,
  values: readonly Value[],
  wordOf: (value: Value) => string,
  chosen: string | null | undefined,
): string {
  const options = values.map((value) => {
    const mark = value === chosen ? ' selected' : '';
    return html`<option value="${value}"!${mark}>${wordOf(value)}</option>`;
  });
  return html`<select form="template" name="${name}">!${options.join('')}</select>`;
}

function languageTabs(visit: Visit, { before, language }: EditedTemplate): string {
  const path = before
    ? merchantHref(visit, 'template', before.id)
    : merchantHref(visit, 'templates', 'new');
  const links = LANGUAGES.map((each) => ({
    href: `${path}?language=${each}`,
    name: `${LANGUAGE_NAMES[each].text('language')}${before?.texts[each] ? ' •' : ''}`,
    isCurrent: each === language,
  }));
  return tabs(TEMPLATE_TEXTS[visit.language].text('languages'), links);
}

function archiveForm(visit: Visit, id: string): string {
  const { text } = TEMPLATE_TEXTS[visit.language];
  return renderForm(visit, {
    action: merchantPath(visit, 'templates', 'archive'),
    items: [
      { name: 'id', kind: 'hidden', value: id },
      html`<p class="hint">${text('archiveHint')}</p>`,
    ],
    buttons: button(text('archive'), { kind: 'danger' }),
  });
}

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

export const TEMPLATE_TEXTS = pageTexts('console.templates');
