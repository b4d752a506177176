import { ApprovalRefusal } from '#approvals/approval-refusal.ts';
import { readOpenProposal } from '#approvals/read-open-proposal.ts';
import { actForViewer } from '#console/approvals/act-for-viewer.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { kindIn, languageIn, previewFile } from '#console/messages/preview-file.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { known } from '#console/shell/known.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { merchantHref } from '#console/webhooks/paths.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { previewTemplate } from '#messages/templates/preview-template.ts';
import { checkTemplate, readStoredTemplate } from '#messages/templates/read-templates.ts';
import { sendTest } from '#messages/templates/send-test.ts';
import { faultSentence, TemplateFault } from '#messages/templates/template-fault.ts';
import {
  type EditedTemplate,
  fieldOf,
  TEMPLATE_TEXTS,
  type TemplatePage,
  templateIn,
  templatePage,
} from './template-page.ts';

const LIST = '/m/:merchant/templates';

/** The texts of a merchant for its e-mails to payers: form, preview, test. */
export function registerTemplatePages(routes: ConsoleRoutes): void {
  routes.page(`${LIST}/new`, 'templates.change', (deps, visit) =>
    show(deps, visit, { before: null, language: languageIn(visit.query) }),
  );
  routes.page('/m/:merchant/template/:template', 'templates.read', async (deps, visit) => {
    const found = await readStoredTemplate(deps.db, visit.merchantId, visit.params.template ?? '');
    return show(deps, visit, { before: known(found), language: languageIn(visit.query) });
  });
  routes.page(`${LIST}/preview`, 'templates.read', async (deps, visit) => {
    const { before: template, language } = await edited(deps, visit, visit.query);
    return preview(deps, visit, visit.query, { template, language });
  });
  routes.form(`${LIST}/preview`, 'templates.read', 'texts', async (deps, visit, sent) => {
    const of = await edited(deps, visit, sent);
    const template = templateIn(sent, of);
    return preview(deps, visit, sent, { template, language: of.language });
  });
  routes.form(`${LIST}/save`, 'templates.change', 'texts', save);
  routes.form(`${LIST}/test`, 'templates.change', 'texts', async (deps, visit, sent) => {
    const of = await edited(deps, visit, sent);
    return orFormAgain(deps, visit, sent, of, async () => {
      const { merchantId } = visit;
      const template = await checkTemplate(deps.db, merchantId, templateIn(sent, of));
      const message = { merchantId, template, kind: kindIn(sent), language: of.language };
      const { email } = visit.viewer;
      const isSent = await sendTest({ ...deps, ...deps.templates }, message, email);
      const { text } = TEMPLATE_TEXTS[visit.language];
      const notice = isSent ? text('tested', { email: `${email}` }) : text('notTested');
      return show(deps, visit, { ...of, sent, notice });
    });
  });
  routes.act(`${LIST}/archive`, 'templates.change', async (deps, visit, sent) => {
    const of = await edited(deps, visit, sent);
    return orFormAgain(deps, visit, null, of, async () => {
      const { merchantId } = visit;
      const params = { merchantId, id: sent.get('id') ?? '', isByMerchant: isByMerchant(visit) };
      const acted = await actForViewer(deps, visit, { kind: 'TEMPLATE_ARCHIVE', params });
      const done = acted.status === 'DONE' ? 'templateArchived' : 'templateProposed';
      return { to: merchantHref(visit, 'templates'), done };
    });
  });
}

async function save(deps: ConsoleDeps, visit: Visit, sent: URLSearchParams) {
  const of = await edited(deps, visit, sent);
  return orFormAgain(deps, visit, sent, of, async () => {
    const template = templateIn(sent, of);
    const acted = await actForViewer(deps, visit, {
      kind: 'TEMPLATE_SET',
      params: {
        merchantId: visit.merchantId,
        template,
        version: Number(sent.get('version')),
        isByMerchant: isByMerchant(visit),
      },
    });
    if (acted.status === 'PROPOSED') {
      return { to: merchantHref(visit, 'templates'), done: 'templateProposed' };
    }
    const to = merchantHref(visit, 'template', template.id);
    return { to: `${to}?language=${of.language}`, done: 'templateSaved' };
  });
}

/** Operators answer for every merchant's texts; a merchant's own people may need one. */
const isByMerchant = ({ can }: Visit) => !can('operator.merchants.change');

/** The template that a form or an address names, in its language. */
async function edited(
  { db }: ConsoleDeps,
  { merchantId }: Visit,
  sent: URLSearchParams,
): Promise<EditedTemplate> {
  const before = await readStoredTemplate(db, merchantId, sent.get('id') ?? '');
  // The form of a new template may have the id of one that exists: saving it is then refused.
  const isNew = sent.get('version') === '0';
  return { before: isNew ? null : before, language: languageIn(sent) };
}

async function show(
  deps: ConsoleDeps,
  visit: Visit,
  page: EditedTemplate & Partial<TemplatePage>,
): Promise<ConsolePage> {
  const { merchantId, viewer } = visit;
  const params = { merchantId, template: page.before, version: null, isByMerchant: true };
  const open =
    page.before && (await readOpenProposal(deps, { kind: 'TEMPLATE_SET', params } as const));
  const canTest = deps.templates.mailer !== null && viewer.email !== null;
  return templatePage(visit, { isProposed: open !== null, canTest, ...page });
}

/** Does what a form asks for; a refusal shows the form again. */
async function orFormAgain(
  deps: ConsoleDeps,
  visit: Visit,
  sent: URLSearchParams | null,
  of: EditedTemplate,
  act: () => Promise<ConsoleAnswer>,
): Promise<ConsoleAnswer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    const refused = { ...of, ...(sent && { sent }) };
    if (error instanceof TemplateFault) {
      return show(deps, visit, { ...refused, ...placeFaults(visit, error, sent && of) });
    }
    const isWaiting = error instanceof ApprovalRefusal;
    const { text } = TEMPLATE_TEXTS[visit.language];
    const refusal = isWaiting ? text('waits') : error.sentence(visit.language);
    return show(deps, visit, { ...refused, refusal });
  }
}

/** Each fault beside its field, or above the form with its place if the form lacks the field. */
function placeFaults(
  { language }: Visit,
  { faults: found }: TemplateFault,
  form: EditedTemplate | null,
): Pick<TemplatePage, 'faults' | 'refusal'> {
  const faults: Record<string, string> = {};
  const others: string[] = [];
  for (const fault of found) {
    const sentence = faultSentence(language, fault);
    const name = form && fieldOf(fault, form);
    if (name) faults[name] = sentence;
    else others.push(fault.field.includes('.') ? `${fault.field}: ${sentence}` : sentence);
  }
  return { faults, refusal: others.join(' ') };
}

async function preview(
  { db, clock, templates }: ConsoleDeps,
  { merchantId }: Visit,
  sent: URLSearchParams,
  of: Pick<Parameters<typeof previewTemplate>[1], 'template' | 'language'>,
): Promise<ConsoleAnswer> {
  const message = { merchantId, kind: kindIn(sent), ...of };
  const shown = await previewTemplate({ db, clock, ...templates }, message);
  return previewFile(shown, sent.get('scheme') === 'dark');
}
