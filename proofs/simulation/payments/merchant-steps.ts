import { newId } from '#lib/new-id.ts';
import { cancelPaymentRequest } from '#payment-requests/change/cancel.ts';
import { expirePaymentRequests } from '#payment-requests/status/expire-overdue.ts';
import { createRefunds } from '#refunds/create/create-refunds.ts';
import { must } from '../run/broken-invariant.ts';
import type { Random } from '../run/random.ts';
import { attempt } from '../run/world.ts';
import { MERCHANT, type PaymentWorld } from './payment-world.ts';

const MOST_REQUESTS = 4;
const AMOUNTS = [100, 250, 600];

export async function create(world: PaymentWorld, random: Random): Promise<string> {
  if (world.requests.rows.all().length >= MOST_REQUESTS) return 'enough payment requests';
  const row = world.create(random, random.pick(AMOUNTS));
  return `${world.nameOf(row.id)} asks for ${row.amount_cents}`;
}

const WAITS_MS = [1_000, 60_000, 3_600_000, 12 * 3_600_000, 30 * 3_600_000];

export async function wait({ clock }: PaymentWorld, random: Random): Promise<string> {
  const milliseconds = random.pick(WAITS_MS);
  clock.advance(milliseconds);
  return `${milliseconds / 1000} s pass`;
}

/** The database's clock is set: every process follows it (decision 0027). */
export async function stepClock({ clock }: PaymentWorld, random: Random): Promise<string> {
  const milliseconds = random.pick([-7_200_000, -5_000, 5_000, 7_200_000]);
  clock.step(milliseconds);
  return `the clock is set by ${milliseconds / 1000} s`;
}

export async function expire(world: PaymentWorld): Promise<string> {
  const { signal } = new AbortController();
  return String(await attempt(expirePaymentRequests(world.reportDeps, signal)));
}

export async function cancel(world: PaymentWorld, random: Random): Promise<string> {
  const requests = world.requests.rows.all();
  if (requests.length === 0) return 'nothing to cancel';
  const { id } = random.pick(requests);
  const asked = { id, body: {}, faults: [], ifMatch: undefined };
  const result = await attempt(
    world.db.transaction((tx) => cancelPaymentRequest(tx, world.reportDeps, MERCHANT.id, asked)),
  );
  return `${world.nameOf(id)}: ${typeof result === 'string' ? result : 'CANCELLED'}`;
}

export async function suspend({ requests }: PaymentWorld, random: Random): Promise<string> {
  if (random.chance(0.4)) requests.suspended.add(MERCHANT.id);
  else requests.suspended.delete(MERCHANT.id);
  return requests.suspended.size > 0 ? 'merchant suspended' : 'merchant active';
}

/** Bodies of refunds; the hash tells a repetition from another body under the same id. */
const BODIES = [null, 40, 100, 300];

/** Up to three calls in one batch, some with a merchantRefundId that was used before. */
export async function refund(world: PaymentWorld, random: Random): Promise<string> {
  const requests = world.requests.rows.all();
  if (requests.length === 0) return 'nothing to refund';
  const calls = Array.from({ length: 1 + random.below(3) }, () => {
    const amountCents = random.pick(BODIES);
    const { id } = random.pick(requests);
    const isGuarded = random.chance(0.2);
    return {
      merchant: MERCHANT,
      paymentRequestId: id,
      merchantRefundId: `refund-${random.below(12)}`,
      bodyHash: Buffer.alloc(32, `${id}${amountCents}`),
      identity: { id: newId(), requestId: null, traceparent: null },
      validated: {
        amountCents,
        expectedAvailableCents: isGuarded ? random.pick([100, 250, 600]) : null,
        reason: 'OTHER' as const,
        message: null,
        webhookUrl: null,
      },
    };
  });
  const created = await attempt(
    world.db.transaction((tx) => createRefunds(tx, world.refundDeps, calls)),
  );
  must(created !== 'REFUSED', () => 'a batch of refunds was refused as a whole');
  const results = created === 'UNKNOWN' ? [] : created.results;
  return calls
    .map(({ paymentRequestId, merchantRefundId, validated }, index) => {
      const result = results[index];
      const code = result?.kind === 'REFUSED' ? ` ${result.problem.code}` : '';
      return (
        `${merchantRefundId} of ${validated.amountCents ?? 'all'} for ` +
        `${world.nameOf(paymentRequestId)}: ${result?.kind ?? 'no answer'}${code}`
      );
    })
    .join('; ');
}
