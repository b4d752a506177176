import { html } from 'ghtml';
import type { Proposal } from '#approvals/model/proposal.ts';
import { type Fact, facts } from '#console/components/parts.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { kindWord } from '#console/messages/message-parts.ts';
import { kindIn, languageIn, previewFile } from '#console/messages/preview-file.ts';
import type { ConsoleFile, Visit } from '#console/shell/visit.ts';
import { LANGUAGES, type Language } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { upperFirst } from '#lib/words/upper-first.ts';
import { KINDS, type MessageKind } from '#messages/model/kinds.ts';
import { type NewTemplate, TEMPLATE_PARTS } from '#messages/model/template.ts';
import { previewTemplate } from '#messages/templates/preview-template.ts';
import { checkTemplate } from '#messages/templates/read-templates.ts';

const TEMPLATE_TEXTS = pageTexts('console.templates');
const LANGUAGE_NAMES = pageTexts('payer.message');

/** The rehearsal of the act has checked the template; its members may be left out. */
function proposedIn({ params }: Proposal): Partial<NewTemplate> | null {
  return 'template' in params ? (params.template as Partial<NewTemplate>) : null;
}

/** The texts of a proposed template, beside the mails with them; empty: the act is another one. */
export function proposedTemplate(visit: Visit, proposal: Proposal): string {
  const template = proposedIn(proposal);
  if (!template) return '';
  const { text } = TEMPLATE_TEXTS[visit.language];
  const { replyTo, footer = {}, texts = {} } = template;
  const previewOf = (language: Language, kind: MessageKind) =>
    `/console/approvals/${proposal.id}/preview?${new URLSearchParams({ language, kind })}`;
  const written = LANGUAGES.flatMap((language) =>
    KINDS.flatMap((kind) => {
      const of = texts[language]?.[kind] ?? {};
      return Object.keys(of).length > 0 ? [{ language, kind, of }] : [];
    }),
  );
  const nameOf = (language: Language) => upperFirst(LANGUAGE_NAMES[language].text('language'));
  const shown = (language: Language, line: string | undefined) =>
    line && html`<span lang="${language}">${line}</span>`;
  const messages = written.map(
    ({ language, kind, of }) => html`<h3><a target="preview" href="${previewOf(language, kind)}"
>${kindWord(visit.language, kind)} (${nameOf(language)})</a></h3>
!${facts(TEMPLATE_PARTS.map((part): Fact => [text(part), shown(language, of[part])]))}`,
  );
  const footers = LANGUAGES.map(
    (each): Fact => [`${text('footer')} (${nameOf(each)})`, shown(each, footer[each])],
  );
  const { language, kind } = written[0] ?? {
    language: LANGUAGES.find((each) => footer[each]) ?? 'en',
    kind: 'REQUEST',
  };
  return html`<section class="card"><h2>${text('proposed')}</h2>
!${facts([[text('replyTo'), replyTo && html`${replyTo}`], ...footers])}!${messages.join('')}
<h3>${text('preview')}</h3><iframe class="mail" name="preview" sandbox title="${text('preview')}"
 src="${previewOf(language, kind)}"></iframe></section>`;
}

/** The HTML of a mail with a proposed template; null: the act is another one. */
export async function proposedPreview(
  { db, clock, templates }: ConsoleDeps,
  { query }: Visit,
  proposal: Proposal,
): Promise<ConsoleFile | null> {
  const { merchantId } = proposal;
  const proposed = proposedIn(proposal);
  if (!proposed || merchantId === null) return null;
  const template = await checkTemplate(db, merchantId, proposed);
  const message = { merchantId, template, kind: kindIn(query), language: languageIn(query) };
  return previewFile(await previewTemplate({ db, clock, ...templates }, message), false);
}
