import { Readable } from 'node:stream';
import { html } from 'ghtml';
import { exportAuditLog, exportMerchantAudit } from '#audit/export-audit-log.ts';
import type { StoredVerification } from '#audit/verification-store.ts';
import { readVerification, verifyNextStep } from '#audit/verify-step.ts';
import { actorName } from '#console/components/act-sentence.ts';
import { badge } from '#console/components/badges.ts';
import { emptyState, facts } from '#console/components/parts.ts';
import { instant } from '#console/components/values.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { NO_READ_AHEAD } from '#console/shell/file-streams.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';

const JSON_LINES = 'application/x-ndjson; charset=utf-8';

/** The audit log: of a merchant for its administrators, of all merchants for operators. */
export function registerAuditPages(routes: ConsoleRoutes): void {
  routes.page('/m/:merchant/audit/export', 'audit.read', ({ db }, { merchantId }) =>
    jsonLines(exportMerchantAudit(db, merchantId)),
  );
  routes.page('/operator/audit/export', 'operator.audit.read', ({ db }) =>
    jsonLines(exportAuditLog(db, '0')),
  );
  routes.page(VERIFY_PATH, 'operator.audit.read', async (deps, visit) =>
    renderVerification(visit, await readVerification(deps)),
  );
  routes.act(VERIFY_PATH, 'operator.audit.verify', async (deps, { actor }, form) => {
    const { db, clock, operators } = deps;
    const { secretsKey } = operators;
    const options = { actor, anew: form.get('go') !== 'on' };
    await verifyNextStep({ db, clock, secretsKey }, options);
    return { to: `/console${VERIFY_PATH}`, done: 'verified' };
  });
}

/** Read from the database a page at a time, as fast as the person takes the lines. */
function jsonLines(lines: AsyncGenerator<string>) {
  return {
    fileName: 'audit-log.jsonl',
    type: JSON_LINES,
    content: Readable.from(lines, NO_READ_AHEAD),
  };
}

const AUDIT_TEXTS = pageTexts('console.audit');

/** The path of the page, below `/console`. */
export const VERIFY_PATH = '/operator/audit/verify';

/** The last verification of the log, and the buttons for the next step. */
export function renderVerification(visit: Visit, run: StoredVerification | null): ConsolePage {
  const { text, rich } = AUDIT_TEXTS[visit.language];
  const buttons = visit.can('operator.audit.verify') ? stepButtons(visit, run) : '';
  const result = run === null ? emptyState(text('verifyNever')) : resultCard(visit, run);
  return {
    title: text('verifyTitle'),
    head: {
      under: html`${text('verifyLead')}`,
      back: { href: '/console/operator/audit', name: text('back') },
      acts: buttons,
    },
    body: html`!${result}<p class="small">!${rich('headHint')}</p>`,
  };
}

function stepButtons(visit: Visit, run: StoredVerification | null): string {
  const { text } = AUDIT_TEXTS[visit.language];
  const isHalfDone = run !== null && !run.isComplete;
  const again = text(run === null ? 'verifyAll' : 'verifyAgain');
  const on = isHalfDone ? button(text('verifyOn'), { name: 'go', value: 'on' }) : '';
  const kind = isHalfDone ? 'quiet' : undefined;
  const anew = button(again, { kind, name: 'go', value: 'anew' });
  const items = [html`<div class="actions">!${on} !${anew}</div>`];
  return renderForm(visit, { action: VERIFY_PATH, items });
}

function resultCard(visit: Visit, run: StoredVerification): string {
  const { text } = AUDIT_TEXTS[visit.language];
  const { isComplete, faultCount, faults, entries, head, actor, updatedAt } = run;
  const fine = isComplete
    ? badge(text('verifiedFine'), 'good')
    : badge(text('verifyPartly'), 'warning');
  const result = faultCount > 0 ? badge(text('verifiedFaulty'), 'bad') : fine;
  const sentences = faults.map((fault) => html`<li>${fault}</li>`);
  return html`<div class="card">!${facts([
    [text('result'), result],
    [text('entries'), html`${entries}`],
    [text('faults'), html`${faultCount}`],
    [text('lastRun'), instant(visit, updatedAt)],
    [text('by'), html`${actorName(visit, actor)}`],
    [text('head'), html`<code>${head.position}:${head.hash.toString('hex')}</code>`],
  ])}!${sentences.length > 0 ? `<ul lang="en">${sentences.join('')}</ul>` : ''}</div>`;
}
