import { html } from 'ghtml';
import { statusWord } from '#console/components/badges.ts';
import { type Fact, facts } from '#console/components/parts.ts';
import { amount, fieldWord, instant } from '#console/components/values.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { pathOf } from './request-acts.ts';
import { REQUEST_TEXTS } from './texts.ts';

/** The payer’s paper: the payment, and the refunds of it. */
export function renderReceipt(visit: Visit, p: PaymentRequest): ConsolePage {
  const { text } = REQUEST_TEXTS[visit.language];
  const isPaid = p.payment !== null;
  const title = text(isPaid ? 'receiptPaid' : 'receiptOpen');
  const status = statusWord(visit.language, `request.${p.status}`);
  const warning = isPaid
    ? ''
    : html`<p class="notice warning">${text('receiptOpenWhy', { status })}</p>`;
  const body = html`<div class="card receipt"><h1>${title}</h1>!${warning}
!${facts(factsOf(visit, p))}</div>
<p class="actions"><button class="button" type="button" data-print hidden>${text('print')}</button>
<a class="button quiet" href="/console${pathOf(visit, p)}">${text('back')}</a></p>`;
  return {
    title: `${title} ${p.id}`,
    body,
    scripts: ['console-print'],
  };
}

function factsOf(visit: Visit, p: PaymentRequest): readonly Fact[] {
  const { text } = REQUEST_TEXTS[visit.language];
  const line = (name: string, value: string | null | undefined): Fact => [
    name,
    value ? html`${value}` : null,
  ];
  const { payment, sums, payer } = p;
  return [
    line(text('receiptFrom'), p.merchant.name),
    line(text('payer'), payer.name),
    [text('amount'), amount(visit, p.amountCents)],
    [text('received'), payment && amount(visit, p.sums.receivedCents)],
    [text('returned'), sums.returnedCents > 0 && amount(visit, sums.returnedCents)],
    [text('refunded'), sums.refundedCents > 0 && amount(visit, sums.refundedCents)],
    [text('paidAt'), payment && instant(visit, payment.completedAt)],
    line(text('institution'), payment?.institution),
    line(text('reference'), payment?.networkReference),
    line(text('transaction'), p.merchantTransactionId),
    line(text('invoice'), p.invoiceNumber),
    line(fieldWord(visit.language, 'displayMessage'), p.displayMessage),
    line(text('id'), p.id),
  ];
}
