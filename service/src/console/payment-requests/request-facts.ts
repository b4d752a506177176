import { html } from 'ghtml';
import { type Fact, facts } from '#console/components/facts.ts';
import { instant } from '#console/components/instant.ts';
import { money } from '#console/components/money.ts';
import type { Visit } from '#console/shell/visit.ts';
import { availableCents, receivedCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { Story } from './read-story.ts';
import { REQUEST_TEXTS } from './texts.ts';

/** The values of the payment request and of its payment; absent values are left out. */
export function requestFacts(
  visit: Visit,
  { paymentRequest: p, waitingCents }: Pick<Story, 'paymentRequest' | 'waitingCents'>,
): string {
  const { text } = REQUEST_TEXTS[visit.language];
  const line = (value: string | null | undefined) => (value ? html`${value}` : null);
  const code = (value: string | null | undefined) =>
    value ? html`<span class="mono">${value}</span>` : null;
  const { payer, payment, statusReason } = p;
  const who = [payer.name, payer.email, payer.mobileNumber].filter(Boolean);
  const rows: readonly (readonly [string, string | null])[] = [
    [text('id'), code(p.id)],
    [text('reason'), statusReason && html`<code>${statusReason.code}</code>`],
    [text('late'), p.paidLate ? html`${text('lateWhy')}` : null],
    [text('transaction'), code(p.merchantTransactionId)],
    [text('invoice'), code(p.invoiceNumber)],
    [text('payer'), who.map((each) => html`${each}`).join('<br>')],
    [text('account'), code(payer.merchantAccountId)],
    [text('message'), line(p.displayMessage)],
    [text('unit'), line(p.businessUnit)],
    [text('created'), instant(visit, p.createdAt)],
    [text('expires'), instant(visit, p.expiresAt)],
    [text('paidAt'), payment && instant(visit, payment.completedAt)],
    [text('institution'), line(payment?.institution)],
    [text('reference'), code(payment?.networkReference)],
    ...sums(visit, p),
    [text('waiting'), waitingCents === 0 ? null : money(visit, waitingCents)],
    [text('webhookUrl'), code(p.webhook?.url)],
    [text('metadata'), code(p.metadata && JSON.stringify(p.metadata))],
  ];
  return facts(rows.map(([term, value]): Fact | null => (value === null ? null : [term, value])));
}

function sums(visit: Visit, p: PaymentRequest): [string, string | null][] {
  const { text } = REQUEST_TEXTS[visit.language];
  const received = receivedCents(p);
  if (received === 0) return [];
  const { returnedCents, refundedCents, refundingCents } = p.sums;
  const some = (cents: number) => (cents === 0 ? null : money(visit, cents));
  return [
    [text('received'), money(visit, received)],
    [text('returned'), some(returnedCents)],
    [text('refunded'), some(refundedCents)],
    [text('refunding'), some(refundingCents)],
    [text('available'), money(visit, availableCents(p))],
  ];
}
