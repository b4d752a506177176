import { html } from 'ghtml';
import type { ApprovalDeps } from '#approvals/act-or-propose.ts';
import type { ApprovalPolicy } from '#approvals/acts/act-type.ts';
import { ApprovalRefusal } from '#approvals/approval-refusal.ts';
import type { Proposal } from '#approvals/model/proposal.ts';
import { needsSecondPerson, readOpenRefund, readPolicy } from '#approvals/read-open-proposal.ts';
import { actForViewer, redirectAfter } from '#console/approvals/act-for-viewer.ts';
import { facts } from '#console/components/parts.ts';
import { amount } from '#console/components/values.ts';
import { type Faults, formOf, readForm } from '#console/forms/form-field.ts';
import { type FormPage, formPage } from '#console/forms/render-form.ts';
import type { Act, ConsoleRoutes } from '#console/shell/console-routes.ts';
import { problemSentences } from '#console/shell/render-fault.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { isId, newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import { availableCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { REFUND_REASONS, type RefundReason } from '#refunds/model/statuses.ts';

const REFUND_FORM_TEXTS = pageTexts('console.refunds');

/** Refusals for which the form has its own words; others keep the sentence of the API. */
const REFUSALS = [
  'REFUNDS_DISABLED',
  'NOT_PAID',
  'REFUNDS_NOT_SUPPORTED',
  'REFUND_LIMIT_REACHED',
  'REFUND_AMOUNT_MISMATCH',
  'REFUND_AMOUNT_EXCEEDED',
  'OTHER_PROPOSAL_OPEN',
] as const;

const PATH = '/m/:merchant/payment-requests/:id/refund';
/** The form by which a merchant's people give money back: all, half, or any sum. */
export function registerRefundForm(routes: ConsoleRoutes): void {
  routes.page(PATH, 'refunds.create', ({ approvals }, visit) => showForm(approvals, visit, {}));
  routes.form(PATH, 'refunds.create', 'typed', refund);
}

const refund: Act = async ({ approvals }, visit, form) => {
  const { merchantId } = visit;
  const { id: paymentRequestId } = await findPayment(approvals, visit);
  const read = readRefundForm(visit, form);
  if (read === 'outdated') {
    const refusal = REFUND_FORM_TEXTS[visit.language].text('outdated');
    return showForm(approvals, visit, { sent: form, refusal });
  }
  if ('faults' in read) return showForm(approvals, visit, { sent: form, ...read });
  const { id, ...asked } = read;
  try {
    const params = { merchantId, paymentRequestId, ...asked };
    const acted = await actForViewer({ approvals }, visit, { kind: 'REFUND', params, id });
    const to = `/console/m/${merchantId}/payment-requests/${paymentRequestId}`;
    return redirectAfter(acted, { to, done: 'refunded' });
  } catch (error) {
    const refusal = refusalOf(error, visit);
    if (refusal === null) throw error;
    return showForm(approvals, visit, { sent: form, refusal });
  }
};

function findPayment({ db }: ApprovalDeps, { merchantId, params }: Visit) {
  return findOwnPaymentRequest(db, merchantId, params.id ?? '');
}

async function showForm(
  approvals: ApprovalDeps,
  visit: Visit,
  given: Pick<RefundFormView, 'sent' | 'faults' | 'refusal'>,
): Promise<ConsolePage> {
  const paymentRequest = await findPayment(approvals, visit);
  const openRefund = await readOpenRefund(approvals, visit.merchantId, paymentRequest.id);
  const policy = await readPolicy(approvals.db);
  return refundPage(visit, { paymentRequest, policy, openRefund, ...given });
}

/** null: the frame has a page for the error. */
function refusalOf(error: unknown, { language }: Visit): string | null {
  const isKnown = error instanceof Problem || error instanceof ApprovalRefusal;
  if (!isKnown || error.code === 'TEMPORARILY_UNAVAILABLE') return null;
  const own = REFUSALS.find((each) => each === error.code);
  if (own) return REFUND_FORM_TEXTS[language].text(`refusal.${own}`);
  return error instanceof Problem
    ? problemSentences(language, error).join(' ')
    : error.sentence(language);
}

export interface AskedRefund {
  /** The form's own id: a form that is sent twice makes one refund. */
  readonly id: string;
  readonly amountCents: number;
  readonly expectedAvailableCents: number;
  readonly reason: RefundReason;
}

/** The refund of a form, its faults, or `outdated` where it lacks what our form has. */
export function readRefundForm(
  visit: Visit,
  form: URLSearchParams,
): AskedRefund | { readonly faults: Faults } | 'outdated' {
  const [id, sum] = [form.get('form') ?? '', form.get('available') ?? ''];
  const most = form.get('offered') ?? sum;
  if (!isId(id) || ![sum, most].every((each) => /^[1-9]\d{0,14}$/.test(each))) return 'outdated';
  const [available, offered] = [Number(sum), Number(most)];
  const fields = refundFields(visit, available, offered);
  // The field counts only where it is chosen.
  const counted = new URLSearchParams(form);
  if (form.get('choice') !== 'other') counted.delete('amount');
  const read = readForm(fields, counted);
  if ('faults' in read) return read;
  const { choice, amount, reason } = read.values;
  const cents = { full: offered, half: halfOf(offered), other: amount }[choice];
  if (cents === null) {
    const [{ fault }] = fields[3].inner;
    return { faults: { amount: fault } };
  }
  return { id, amountCents: cents, expectedAvailableCents: available, reason };
}

const REFUND_REASON_TEXTS = pageTexts('console.refunds.reasons');

export interface RefundFormView {
  readonly paymentRequest: PaymentRequest;
  readonly policy: ApprovalPolicy;
  readonly openRefund: Proposal | null;
  /** Left out: the form is new. */
  readonly sent?: URLSearchParams | undefined;
  readonly faults?: Faults | undefined;
  readonly refusal?: string | undefined;
}

/** The form of a refund, with the sums that it is about. */
export function refundPage(visit: Visit, view: RefundFormView): ConsolePage {
  const { text } = REFUND_FORM_TEXTS[visit.language];
  const { paymentRequest, openRefund, refusal } = view;
  const { id, merchant } = paymentRequest;
  const look = offeredCents(view) > 0 ? 'button quiet' : 'button';
  const open = openRefund
    ? html`<div class="notice warning set-apart"><p>${text('openProposal')}</p>
<a class="${look}" href="/console/approvals/${openRefund.id}">${text('toProposal')}</a></div>`
    : '';
  return formPage(visit, {
    title: text('title'),
    back: {
      href: `/console/m/${merchant.id}/payment-requests/${id}`,
      name: text('paymentRequest'),
    },
    refusal,
    aside: sumsOf(visit, view),
    lead: open,
    ...formFor(visit, view),
  });
}

/** The available sum without the part that waits for an approval. */
function offeredCents({
  paymentRequest,
  openRefund,
}: Pick<RefundFormView, 'paymentRequest' | 'openRefund'>): number {
  return Math.max(0, availableCents(paymentRequest) - (openRefund?.amountCents ?? 0));
}

function sumsOf(visit: Visit, { paymentRequest, openRefund }: RefundFormView): string {
  const { text } = REFUND_FORM_TEXTS[visit.language];
  const { payer, amountCents, sums } = paymentRequest;
  const invoice = paymentRequest.invoiceNumber ?? paymentRequest.merchantTransactionId;
  const list = facts([
    [text('payer'), html`${payer.name}`],
    [text('invoice'), invoice && html`<span class="mono">${invoice}</span>`],
    [text('asked'), amount(visit, amountCents)],
    [text('received'), amount(visit, paymentRequest.sums.receivedCents)],
    [text('refunded'), amount(visit, sums.refundedCents + sums.refundingCents)],
    [text('waiting'), openRefund && amount(visit, openRefund.amountCents ?? 0)],
  ]);
  const left = amount(visit, offeredCents({ paymentRequest, openRefund }));
  return html`<section class="card"><h2>${text('available')}</h2>
<p class="number">!${left}</p>!${list}</section>`;
}

/** Half of a sum, rounded down to a whole cent: the other half stays available. */
export function halfOf(cents: number): number {
  return Math.floor(cents / 2);
}

/** @param offered the part of the available sum that the person saw; all and half are of it */
export function refundFields({ language, currency }: Visit, available: number, offered: number) {
  const { text } = REFUND_FORM_TEXTS[language];
  const amountOf = (cents: number) => ({ amount: localizedAmount(language, cents, currency) });
  const half = ['half', html`${text('half', amountOf(halfOf(offered)))}`] as const;
  return formOf(
    { name: 'form', kind: 'hidden', value: newId() },
    { name: 'available', kind: 'hidden', value: `${available}` },
    { name: 'offered', kind: 'hidden', value: `${offered}` },
    {
      name: 'choice',
      kind: 'radio',
      label: text('howMuch'),
      fault: text('choiceFault'),
      value: 'full',
      options: [
        ['full', html`${text('full', amountOf(offered))}`],
        ...(halfOf(offered) > 0 ? [half] : []),
        ['other', html`${text('other')}`],
      ],
      inner: [
        {
          name: 'amount',
          kind: 'amount',
          label: text('amount'),
          hint: text('amountHint', amountOf(offered)),
          fault: text('amountFault', amountOf(offered)),
          most: offered,
        },
      ],
    },
    {
      name: 'reason',
      kind: 'choice',
      label: text('why'),
      fault: text('whyFault'),
      options: REFUND_REASONS.map(
        (each) => [each, html`${REFUND_REASON_TEXTS[language].text(each)}`] as const,
      ),
    },
  );
}

function formFor(visit: Visit, view: RefundFormView): Partial<FormPage> {
  const { paymentRequest, policy, sent, faults } = view;
  const { text } = REFUND_FORM_TEXTS[visit.language];
  const { payment } = paymentRequest;
  if (payment === null) return { after: html`<p>${text('notPaid')}</p>` };
  const available = availableCents(paymentRequest);
  if (available === 0) return { after: html`<p>${text('nothingLeft')}</p>` };
  const offered = offeredCents(view);
  if (offered === 0) return {};
  // A form that shows itself again is another one, about the sum of now.
  for (const name of ['form', 'available', 'offered']) sent?.delete(name);
  const items = [...refundFields(visit, available, offered), policyHint(visit, policy)];
  return { sent, faults, items, buttons: sendButton(visit, view, offered) };
}

/** The button names the sum of the chosen amount: the style sheet shows one of its words. */
function sendButton(
  { language, currency }: Visit,
  { paymentRequest, policy }: RefundFormView,
  offered: number,
): string {
  const { text } = REFUND_FORM_TEXTS[language];
  const isProposal = (cents: number) => needsSecondPerson(policy, cents, paymentRequest.sums);
  const words = (cents: number) =>
    text(isProposal(cents) ? 'proposeFull' : 'sendFull', {
      amount: localizedAmount(language, cents, currency),
    });
  const isSure = isProposal(1) === isProposal(offered);
  const other = !isSure ? 'sendOrPropose' : isProposal(1) ? 'proposeOther' : 'sendOther';
  return html`<button class="button by-choice"><span class="full"
>${words(offered)}</span><span class="half"
>${words(halfOf(offered))}</span><span class="other"
>${text(other)}</span></button>`;
}

function policyHint(
  { language, currency }: Visit,
  { isOn, refundsAboveCents }: ApprovalPolicy,
): string {
  const { text } = REFUND_FORM_TEXTS[language];
  if (!isOn) return '';
  const limit = localizedAmount(language, refundsAboveCents, currency);
  const hint = refundsAboveCents === 0 ? text('needsTwo') : text('needsTwoAbove', { limit });
  return html`<p class="hint">${hint}</p>`;
}
