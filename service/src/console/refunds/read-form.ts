import { readTypedCents } from '#console/model/typed-amount.ts';
import { isId } from '#lib/new-id.ts';
import { REFUND_REASONS, type RefundReason } from '#refunds/model/statuses.ts';

export const CHOICES = ['full', 'half', 'other'] as const;
export type Choice = (typeof CHOICES)[number];

/** The values of the form as they were sent, to show them again. */
export interface SentForm {
  readonly choice: string;
  readonly amount: string;
  readonly reason: string;
}

export interface AskedRefund {
  /** The form's own id: a form that is sent twice makes one refund. */
  readonly id: string;
  readonly amountCents: number;
  readonly expectedAvailableCents: number;
  readonly reason: RefundReason;
}

export type FormFault = 'choice' | 'amount' | 'reason' | 'form';

export type FormReading =
  | { readonly asked: AskedRefund }
  | { readonly faults: ReadonlySet<FormFault> };

/** Half of a sum, rounded down to a whole cent: the other half stays available. */
export function halfOf(cents: number): number {
  return Math.floor(cents / 2);
}

/** Reads the form of a refund; all and half are of the sum that the person saw. */
export function readRefundForm(form: URLSearchParams): FormReading {
  const faults = new Set<FormFault>();
  const id = form.get('form') ?? '';
  const available = form.get('available') ?? '';
  const isWhole = /^[1-9]\d{0,14}$/.test(available);
  if (!isId(id) || !isWhole) faults.add('form');
  const expectedAvailableCents = isWhole ? Number(available) : 0;
  const choice = CHOICES.find((each) => each === form.get('choice'));
  const reason = REFUND_REASONS.find((each) => each === form.get('reason'));
  if (!choice) faults.add('choice');
  if (!reason) faults.add('reason');
  const amountCents = choice
    ? centsOf(choice, expectedAvailableCents, form.get('amount') ?? '')
    : null;
  if (choice && (amountCents === null || amountCents > expectedAvailableCents)) {
    faults.add('amount');
  }
  if (faults.size > 0 || !reason || amountCents === null) return { faults };
  return { asked: { id, amountCents, expectedAvailableCents, reason } };
}

function centsOf(choice: Choice, availableCents: number, typed: string): number | null {
  if (choice === 'full') return availableCents;
  if (choice === 'half') return halfOf(availableCents);
  return readTypedCents(typed, availableCents);
}
