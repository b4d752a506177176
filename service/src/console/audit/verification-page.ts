import { html } from 'ghtml';
import type { StoredVerification } from '#audit/verification-store.ts';
import { badge } from '#console/components/badges.ts';
import { emptyState, facts } from '#console/components/parts.ts';
import { instant } from '#console/components/values.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';

const AUDIT_TEXTS = pageTexts('console.audit');

/** The path of the page, below `/console`. */
export const VERIFY_PATH = '/operator/audit/verify';

/** The last verification of the log, and the buttons for the next step. */
export function renderVerification(visit: Visit, run: StoredVerification | null): ConsolePage {
  const { text } = AUDIT_TEXTS[visit.language];
  const buttons = visit.can('operator.audit.verify') ? stepButtons(visit, run) : '';
  const result = run === null ? emptyState(text('verifyNever')) : resultCard(visit, run);
  return {
    title: text('verifyTitle'),
    head: {
      under: html`${text('verifyLead')}`,
      back: { href: '/console/operator/audit', name: text('back') },
      acts: buttons,
    },
    body: html`!${result}<p class="small">${text('headHint')}</p>`,
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
    [text('by'), html`${actor}`],
    [text('head'), html`<code>${head.position}:${head.hash.toString('hex')}</code>`],
  ])}!${sentences.length > 0 ? `<ul lang="en">${sentences.join('')}</ul>` : ''}</div>`;
}
