/** The counters of a quarter of an hour; each is a column of `payment_counters`. */
export const COUNTERS = [
  'paid',
  'received_cents',
  'paid_cents',
  'part_cents',
  'waiting_cents',
  'corrected_cents',
  'returned_cents',
  'refunded_cents',
  'created',
  'completed',
  'failed',
  'expired',
  'cancelled',
  'opened',
  'institution_chosen',
  'signed_in',
  'confirmed',
] as const;
export type Counter = (typeof COUNTERS)[number];
export type CounterSums = Readonly<Record<Counter, number>>;

export const NO_SUMS = Object.fromEntries(COUNTERS.map((counter) => [counter, 0])) as CounterSums;

/** The sums of two, or with -1 their difference. */
export function combine(one: CounterSums, other: CounterSums, sign: 1 | -1 = 1): CounterSums {
  const pairs = COUNTERS.map((counter) => [counter, one[counter] + sign * other[counter]]);
  return Object.fromEntries(pairs) as CounterSums;
}

/** The owner of the sums of all merchants; no merchant has the empty id. */
export const ALL_MERCHANTS = '';

/** The steps of a payer's journey, in order; each counts payment requests by their creation. */
export const JOURNEY = [
  'created',
  'opened',
  'institution_chosen',
  'signed_in',
  'confirmed',
  'completed',
] as const satisfies readonly Counter[];
