import { html } from 'ghtml';
import { tabs } from '#console/components/parts.ts';
import type { Faults } from '#console/forms/form-field.ts';
import { button, formPage, renderForm } from '#console/forms/render-form.ts';
import { kindWord } from '#console/messages/message-parts.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { merchantHref, merchantPath } from '#console/webhooks/paths.ts';
import { LANGUAGES } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { KINDS } from '#messages/model/kinds.ts';
import { PLACEHOLDERS } from '#messages/model/template.ts';
import { type EditedTemplate, templateFields } from './template-form.ts';
import { TEMPLATE_TEXTS } from './texts.ts';

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
  const { text } = TEMPLATE_TEXTS[visit.language];
  const path = before
    ? merchantHref(visit, 'template', before.id)
    : merchantHref(visit, 'templates', 'new');
  const links = LANGUAGES.map((each) => ({
    href: `${path}?language=${each}`,
    name: `${LANGUAGE_NAMES[each].text('language')}${before?.texts[each] ? ' •' : ''}`,
    isCurrent: each === language,
  }));
  return tabs(text('languages'), links);
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
