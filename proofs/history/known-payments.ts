import type { Told } from './history-line.ts';

/** Older payment requests are final by then; the bound keeps memory small in a long run. */
const MOST_KNOWN = 400;

export interface KnownPayment {
  readonly id: string;
  readonly amountCents: number;
  readonly isPaid: boolean;
}

/** The payment requests of a merchant that the workload has heard of. */
export interface KnownPayments {
  learn(told: NonNullable<Told['paymentRequest']>): void;
  /** Gives a payment request, any or a PAID one; null: none exists yet. */
  at(place: number, which: 'all' | 'paid'): KnownPayment | null;
}

export function createKnownPayments(): KnownPayments {
  const all = new Map<string, KnownPayment>();
  const paid = new Map<string, KnownPayment>();
  const keep = (map: Map<string, KnownPayment>, payment: KnownPayment) => {
    map.set(payment.id, payment);
    const [oldest] = map.keys();
    if (map.size > MOST_KNOWN && oldest !== undefined) map.delete(oldest);
  };
  return {
    learn({ id, amountCents, statuses }) {
      const payment = { id, amountCents, isPaid: statuses.includes('PAID') };
      keep(all, payment);
      if (payment.isPaid) keep(paid, payment);
    },
    at(place, which) {
      const map = which === 'paid' ? paid : all;
      return [...map.values()][Math.floor(place * map.size)] ?? null;
    },
  };
}
