import { html } from 'ghtml';
import { badge } from '#console/components/badges.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { Action } from '#console/model/access-matrix.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { findSteps, STEPS, type Step } from './checklist-store.ts';

const TEXTS = pageTexts('console.checklist');

/**
 * The steps of a new merchant as HTML, with the way to each; empty once all are done. `new`: empty
 * from the first payment on.
 */
export async function checklist(
  { db, environment, operators }: ConsoleDeps,
  visit: Visit,
  merchantId: string,
  until: 'new' | 'done' = 'done',
): Promise<string> {
  const { text } = TEXTS[visit.language];
  const found = await findSteps(db, merchantId);
  const steps = STEPS.filter((step) => operators.hasAccounts || step !== 'account');
  const done = steps.filter((step) => found?.[step]);
  if (!found || done.length === steps.length || (until === 'new' && found.payment)) return '';
  const openFirst = steps.toSorted((one, other) => +found[one] - +found[other]);
  const rows = openFirst.map((step) => {
    const name = text(step === 'payment' ? `payment.${environment}` : step);
    const state = found[step] ? badge(text('done'), 'good') : badge(text('open'), 'neutral');
    const told = found[step] ? html`${name}` : openStep(visit, merchantId, step, name);
    return html`<li>!${state} <span>!${told}</span></li>`;
  });
  const count = text('count', { done: done.length, all: steps.length });
  return html`<section class="card checklist"><div class="card-head"><h2>${text('title')}</h2>
<span class="quiet">${count}</span></div><progress max="${steps.length}" value="${done.length}"
 aria-label="${count}"></progress><ol>!${rows.join('')}</ol></section>`;
}

/** A link where the person may do the step, and the reason or the person to ask. */
function openStep(visit: Visit, merchantId: string, step: Step, name: string): string {
  const { text } = TEXTS[visit.language];
  const [action, path] = WAYS[step];
  const href = `/console${path.replace(':merchant', merchantId)}`;
  const isAllowed = visit.can(action, merchantId);
  const title = isAllowed ? html`<a href="${href}">${name}</a>` : html`${name}`;
  const ask = path.startsWith('/m/') ? 'askAdministrator' : 'askOperator';
  return html`!${title}<br><span class="small">${text(isAllowed ? `why.${step}` : ask)}</span>`;
}

/** The right and the page of each step. */
const WAYS = {
  webhook: ['endpoints.change', '/m/:merchant/endpoints'],
  payment: ['payment-requests.create', '/m/:merchant/payment-requests/new'],
  returnOrigin: ['operator.merchants.change', '/operator/merchants/:merchant/origins/return'],
  logo: ['operator.merchants.change', '/operator/merchants/:merchant/profile'],
  account: ['operator.merchants.account', '/operator/merchants/:merchant/account'],
} as const satisfies Readonly<Record<Step, readonly [Action, string]>>;
