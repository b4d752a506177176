import { amountToCents } from '@payment-requests/sdk';
import { readToken } from '../kept-basket.ts';
import { type AskedRefund, LONGEST_MESSAGE, REFUND_REASONS } from './refund.ts';

/** The staff's input, unchanged. */
export interface RefundFields {
  readonly paymentId: string;
  readonly amount: string;
  readonly reason: string;
  readonly message: string;
}

/** Each field's fault, as the key of its text. */
export type RefundFaults = Partial<
  Record<
    'amount' | 'reason' | 'message',
    'amountFormat' | 'reasonMissing' | 'messageTooLong' | 'messageForbidden'
  >
>;

export type ReadRefundForm =
  | { readonly asked: Omit<AskedRefund, 'id' | 'orderId'> }
  | { readonly fields: RefundFields; readonly faults: RefundFaults };

/** A comma too: the French pages write 25,50. */
const AMOUNT = /^\d{1,9}(?:[.,]\d{1,2})?$/;
const CENTS = /^\d{1,11}$/;

/** Reads the token of the page, which makes two posts of one page one refund. */
export function readRefundToken(form: URLSearchParams): string | undefined {
  return readToken(form.get('token'));
}

/** Validates the staff's form; the service alone decides whether the amount is available. */
export function readRefundForm(form: URLSearchParams): ReadRefundForm {
  const text = (name: string) => (form.get(name) ?? '').trim();
  const fields = {
    paymentId: text('payment'),
    amount: text('amount'),
    reason: text('reason'),
    message: text('message'),
  };
  const faults: RefundFaults = {};
  const amountCents = AMOUNT.test(fields.amount)
    ? amountToCents(fields.amount.replace(',', '.'))
    : 0;
  if (amountCents === 0) faults.amount = 'amountFormat';
  const reason = REFUND_REASONS.find((known) => known === fields.reason);
  if (!reason) faults.reason = 'reasonMissing';
  if ([...fields.message].length > LONGEST_MESSAGE) faults.message = 'messageTooLong';
  else if (/\p{Cc}/u.test(fields.message)) faults.message = 'messageForbidden';
  if (!reason || Object.keys(faults).length > 0) return { fields, faults };
  const seen = text('available');
  return {
    asked: {
      paymentId: fields.paymentId,
      amountCents,
      expectedCents: CENTS.test(seen) ? Number(seen) : null,
      reason,
      message: fields.message || null,
    },
  };
}
