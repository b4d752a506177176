import type { Books, StoredEntry, StoredPaymentRequest, StoredRefund } from '../books.ts';
import type { Findings } from './findings.ts';
import { groupBy } from './group-by.ts';

/** Money of a payer, by the types of contract §11. */
const INCOMING = ['PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'ASSIGNED'];

/** The ledger holds each movement once, and the sums of rows and ledger agree (contract §11). */
export function checkMoney(books: Books, findings: Findings): void {
  const entries = groupBy(books.ledger, ({ paymentRequestId }) => paymentRequestId ?? '');
  const refunds = groupBy(books.refunds, ({ paymentRequestId }) => paymentRequestId);
  const known = new Set(books.paymentRequests.map(({ id }) => id));
  for (const row of books.paymentRequests) {
    checkIncoming(row, entries.get(row.id) ?? [], findings);
    checkRefunded(row, refunds.get(row.id) ?? [], findings);
  }
  const booked = groupBy(books.ledger, ({ refundId }) => refundId ?? '');
  for (const refund of books.refunds) checkBooked(refund, booked.get(refund.id) ?? [], findings);
  for (const { id, paymentRequestId } of books.ledger) {
    if (paymentRequestId !== null && known.has(paymentRequestId)) continue;
    findings.add('unexpected', `ledger entry ${id} is of no payment request that is stored`);
  }
}

function checkIncoming(
  { id, statuses, amountCents, receivedCents }: StoredPaymentRequest,
  entries: readonly StoredEntry[],
  findings: Findings,
): void {
  const incoming = entries.filter(({ type }) => INCOMING.includes(type));
  const sum = sumOf(incoming);
  const owed = statuses.includes('PAID') ? amountCents : 0;
  if (sum < owed) findings.add('lost', `the ledger has ${sum} of ${owed} cents received by ${id}`);
  if (sum > owed || incoming.length > 1) {
    const text = `the ledger has ${incoming.length} entries with ${sum} cents received by ${id}`;
    findings.add('unexpected', `${text}, not ${owed}`);
  }
  if (receivedCents !== sum) {
    findings.add('unexpected', `${id} has received ${receivedCents} cents, in the ledger ${sum}`);
  }
}

function checkRefunded(
  { id, receivedCents, refundedCents, refundingCents }: StoredPaymentRequest,
  refunds: readonly StoredRefund[],
  findings: Findings,
): void {
  const sumIn = (...statuses: readonly string[]) =>
    sumOf(refunds.filter(({ status }) => statuses.includes(status)));
  const [done, open] = [sumIn('COMPLETED'), sumIn('CREATED', 'PROCESSING')];
  if (done !== refundedCents || open !== refundingCents) {
    const row = `${refundedCents} cents refunded and ${refundingCents} open`;
    findings.add('unexpected', `${id} has ${row}, its refunds ${done} and ${open}`);
  }
  if (done + open > receivedCents) {
    findings.add('unexpected', `${id} gives back ${done + open} of ${receivedCents} cents`);
  }
}

function checkBooked(
  { id, status, statuses, amountCents }: StoredRefund,
  entries: readonly StoredEntry[],
  findings: Findings,
): void {
  const out = entries.filter(({ type }) => type === 'REFUND');
  const wanted = statuses.includes('COMPLETED') ? 1 : 0;
  if (out.length > wanted) {
    findings.add('unexpected', `the ledger has refund ${id} ${out.length} times; it is ${status}`);
  }
  if (out.length < wanted) findings.add('lost', `the ledger lacks refund ${id}; it is ${status}`);
  for (const entry of out.filter((each) => each.amountCents !== -amountCents)) {
    findings.add('unexpected', `ledger entry ${entry.id} has ${entry.amountCents} cents`);
  }
}

function sumOf(items: readonly { readonly amountCents: number }[]): number {
  return items.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
