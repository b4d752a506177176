import type { Faults } from '#console/forms/form-field.ts';
import { readForm } from '#console/forms/read-form.ts';
import type { Visit } from '#console/shell/visit.ts';
import { isId } from '#lib/new-id.ts';
import type { RefundReason } from '#refunds/model/statuses.ts';
import { halfOf, refundFields } from './render-form.ts';

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
  if (!isId(id) || !/^[1-9]\d{0,14}$/.test(sum)) return 'outdated';
  const available = Number(sum);
  const fields = refundFields(visit, available);
  // The field counts only where it is chosen.
  const counted = new URLSearchParams(form);
  if (form.get('choice') !== 'other') counted.delete('amount');
  const read = readForm(fields, counted);
  if ('faults' in read) return read;
  const { choice, amount, reason } = read.values;
  const cents = { full: available, half: halfOf(available), other: amount }[choice];
  if (cents === null) {
    const [{ fault }] = fields[2].inner;
    return { faults: { amount: fault } };
  }
  return { id, amountCents: cents, expectedAvailableCents: available, reason };
}
