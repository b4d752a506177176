import { html } from 'ghtml';
import { amount } from '#console/components/amount.ts';
import { copyField } from '#console/components/copy-field.ts';
import { type Fact, facts } from '#console/components/facts.ts';
import { fieldWord } from '#console/components/field-word.ts';
import { instant } from '#console/components/instant.ts';
import type { Visit } from '#console/shell/visit.ts';
import { CONSOLE_FIELDS, type ConsoleField } from '#payment-requests/model/field-lists.ts';
import { availableCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { isUnfinished } from '#payment-requests/model/statuses.ts';
import type { RequestDetails } from './read-details.ts';
import { REASON_TEXTS, REQUEST_TEXTS } from './texts.ts';

/** The values of the payment request and of its payment, the rare ones folded, the id last. */
export function requestFacts(
  visit: Visit,
  { paymentRequest: p, waitingCents }: Pick<RequestDetails, 'paymentRequest' | 'waitingCents'>,
): string {
  const { text } = REQUEST_TEXTS[visit.language];
  const line = (value: string | null | undefined) => (value ? html`${value}` : null);
  const code = (value: string | null | undefined) =>
    value ? html`<span class="mono">${value}</span>` : null;
  const { payer, payment, statusReason } = p;
  const who = [payer.name, payer.email, payer.mobileNumber].filter(Boolean);
  const reason = statusReason && REASON_TEXTS[visit.language].text(`payment.${statusReason.code}`);
  const expires: Fact = [text('expires'), instant(visit, p.expiresAt)];
  const isWaiting = isUnfinished(p.status);
  const id = copyField(visit, { id: 'id', label: text('id'), value: p.id });
  const rows: readonly Fact[] = [
    [text('reason'), line(reason)],
    [text('late'), p.paidLate ? html`${text('lateWhy')}` : null],
    ...sums(visit, p),
    [text('waiting'), waitingCents === 0 ? null : amount(visit, waitingCents)],
    [text('payer'), who.map((each) => html`${each}`).join('<br>')],
    [text('account'), code(payer.merchantAccountId)],
    ...CONSOLE_FIELDS.map((name) => tableRow(visit, name, p[name])),
    [text('created'), instant(visit, p.createdAt)],
    ...(isWaiting ? [expires] : []),
    [text('paidAt'), payment && instant(visit, payment.completedAt)],
    [text('institution'), line(payment?.institution)],
    [text('reference'), code(payment?.networkReference)],
    [text('id'), id],
  ];
  const rare: readonly Fact[] = [
    ...(isWaiting ? [] : [expires]),
    [text('webhookUrl'), code(p.webhook?.url)],
    [text('metadata'), code(p.metadata && JSON.stringify(p.metadata))],
  ];
  const folded = html`<details><summary>${text('more')}</summary>!${facts(rare)}</details>`;
  return facts(rows) + (rare.some(([, value]) => value) ? folded : '');
}

/** Identifiers, with the words of this page. */
const CODES = { merchantTransactionId: 'transaction', invoiceNumber: 'invoice' } as const;

/** A field of the table that the console knows. */
function tableRow({ language }: Visit, name: ConsoleField, value: string | null): Fact {
  if (name === 'merchantTransactionId' || name === 'invoiceNumber') {
    const label = REQUEST_TEXTS[language].text(CODES[name]);
    return [label, value && html`<span class="mono">${value}</span>`];
  }
  return [fieldWord(language, name), value && html`${value}`];
}

function sums(visit: Visit, p: PaymentRequest): Fact[] {
  const { text } = REQUEST_TEXTS[visit.language];
  const received = p.sums.receivedCents;
  if (received === 0) return [];
  const { returnedCents, refundedCents, refundingCents } = p.sums;
  const some = (cents: number) => (cents === 0 ? null : amount(visit, cents));
  return [
    [text('received'), amount(visit, received)],
    [text('returned'), some(returnedCents)],
    [text('refunded'), some(refundedCents)],
    [text('refunding'), some(refundingCents)],
    [text('available'), amount(visit, availableCents(p))],
  ];
}
