import { randomUUID } from 'node:crypto';
import type { Database } from '#database/database.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import { isId } from '#lib/new-id.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import type { Tracing } from '#telemetry/tracing/tracing.ts';
import { SENDERS_CHANNEL } from '#webhooks/events/outbox.ts';
import type { SenderSignal } from '#webhooks/events/wake-senders.ts';
import { createWebhookSender, type SenderDeps } from '#webhooks/https/send-webhook.ts';
import { AskedClaims } from './asked-claims.ts';
import { createAttemptRecorder } from './attempt-batcher.ts';
import { type AttemptDeps, attemptDelivery, type Lease } from './attempt-delivery.ts';
import { claimDeliveries } from './claim-store.ts';
import { type ClaimLimits, DeliverySlots } from './concurrency-limits.ts';
import type { DeliveryFaults } from './delivery-faults.ts';
import { holdDeliveries } from './hold-store.ts';
import { type ClaimedDelivery, releaseDeliveries } from './lease-store.ts';
import { idsOf } from './report-attempt.ts';
import { tracedSender } from './traced-sender.ts';
import type { DestinationWalk } from './walk-store.ts';

/** Notifications only wake; this is what finds every due delivery, and the most a retry is late. */
const POLL_INTERVAL_MS = 1_000;
/** Three times the longest exchange: room for a slow record, and soon enough after a crash. */
const LEASE_SECONDS = 45;
/** Recording is given up a little before the lease could go to another sender. */
const RECORD_MARGIN_MS = 5_000;
/** The longest exchange. It begins only if it and the record's margin end before the lease. */
const EXCHANGE_MS = 15_000;
/** At shutdown: the longest exchange, and its record. */
const STOP_TIMEOUT_MS = 17_000;

const LOOP = 'deliver-webhooks';

export interface WebhookDeliveryDeps
  extends SenderDeps,
    Omit<AttemptDeps, 'sender' | 'recorder' | 'metrics' | 'random' | 'faults'> {
  readonly metrics: Pick<
    Metrics,
    'deliveryAttempt' | 'leaseExpired' | 'loopFailed' | 'operatorNotice'
  >;
  /** How many processes of this machine send; they share what a receiver may cost. */
  readonly senders?: number;
  /** Raised after the commits of this process; left out: only notifications wake the sender. */
  readonly signal?: Pick<SenderSignal, 'id' | 'setOwnSender'>;
  /** null or left out: no traces are exported. */
  readonly tracing?: Tracing | null;
  /** For the jitter; `Math.random` when left out. */
  readonly random?: () => number;
  /** The sandbox's misbehaving webhooks; none when left out. */
  readonly faults?: DeliveryFaults | null;
}

/**
 * Starts sending what the outbox owes (delivery §2): claims due deliveries under a
 * lease, sends with no transaction open, records under the lease. Any number of processes may.
 *
 * `stop` claims nothing more and lets what is being sent end, for at most 17 s.
 */
export function startWebhookDelivery(deps: WebhookDeliveryDeps): Loop {
  const { db, metrics, log } = deps;
  const sender = tracedSender(createWebhookSender(deps), deps.tracing ?? null);
  const isBusy = () => sending.slots.isAnyLimitMet;
  const recorder = createAttemptRecorder({ ...deps, isBusy });
  const sending = startSending(
    { random: Math.random, faults: null, ...deps, sender, recorder },
    (paymentRequestIds) => claims.wake(paymentRequestIds),
  );

  const claims = new AskedClaims(() => loop.wake());
  let polledAtMs = Number.NEGATIVE_INFINITY;
  let hasBegun = false;
  const loop = startLoop({
    name: LOOP,
    intervalMs: POLL_INTERVAL_MS,
    run(stopping) {
      hasBegun = true;
      return claims.answer(async (named) => {
        const nowMs = deps.clock.steadyMs();
        const isPoll = named.length === 0 || nowMs - polledAtMs >= POLL_INTERVAL_MS;
        const isMoreDue = await claimAndSend(deps, sending, stopping, isPoll ? [] : named);
        if (isPoll) polledAtMs = nowMs;
        const isAllTaken = !isMoreDue && !sending.slots.isAnyLimitMet && !stopping.aborted;
        return { isMoreDue, isAllTaken };
      });
    },
    onError(error) {
      metrics.loopFailed(LOOP);
      log.error({ loop: LOOP, err: error }, 'background loop failed');
    },
  });
  const stopListening = db.listen(SENDERS_CHANNEL, (payload = '') => {
    const [by, ...paymentRequestIds] = payload.split(' ');
    // The first run, which is still to come, finds all that was notified before.
    if (payload === '' && !hasBegun) return;
    // The signal of this process notifies others after a claim of this sender.
    if (by !== deps.signal?.id) claims.wake(paymentRequestIds.every(isId) ? paymentRequestIds : []);
  });
  deps.signal?.setOwnSender((paymentRequestIds) => claims.ask(paymentRequestIds));

  return {
    wake: () => claims.wake(),
    turns: loop.turns,
    async stop() {
      deps.signal?.setOwnSender(null);
      await Promise.all([loop.stop(), stopListening()]);
      claims.refuse();
      await sending.over();
      await sender.close();
    },
  };
}

type ClaimDeps = Pick<WebhookDeliveryDeps, 'db' | 'clock' | 'metrics'>;

/**
 * Claims, and starts to send what it has claimed. If the claim by name finds each of the named
 * payment requests, it looks for nothing else. Exported for `proofs/simulation`.
 *
 * @returns whether more may be due than was claimed
 */
export async function claimAndSend(
  deps: ClaimDeps,
  sending: Sending,
  stopping: AbortSignal,
  named: readonly string[] = [],
): Promise<boolean> {
  const few = named.length > 0 ? sending.slots.limitsForNamed() : null;
  if (few !== null) {
    const { claimed, isMoreDue } = await claimOnce(deps, sending, stopping, { ...few, named });
    const found = new Set(claimed.map(({ paymentRequestId }) => paymentRequestId));
    if (!isMoreDue && named.every((id) => found.has(id))) return false;
  }
  return claimAtAll(deps, sending, stopping);
}

/** Claims page by page, until each destination that is owed something has been looked at. */
async function claimAtAll(
  deps: ClaimDeps,
  sending: Sending,
  stopping: AbortSignal,
): Promise<boolean> {
  const { slots, walk } = sending;
  let isMoreDue = false;
  // A walk that was broken off goes on, and begins again, so that it comes to all.
  for (let walks = walk.position === '' ? 1 : 2; walks > 0; ) {
    const limits = slots.limits();
    // The end of any exchange wakes the loop then.
    if (limits === null || stopping.aborted) return false;
    const page = await claimOnce(deps, sending, stopping, limits);
    isMoreDue ||= page.isMoreDue;
    if (walk.position === '') walks -= 1;
  }
  return isMoreDue;
}

async function claimOnce(
  { db, clock, metrics }: ClaimDeps,
  { start, walk }: Sending,
  stopping: AbortSignal,
  limits: ClaimLimits & { readonly named?: readonly string[] },
) {
  const askedAtMs = clock.steadyMs();
  const claimedAt = clock.now();
  const token = randomUUID();
  const claimed = await claimDeliveries(db, token, LEASE_SECONDS, limits, limits.named, walk);
  const expired = claimed.filter(({ leaseExpired }) => leaseExpired).length;
  if (expired > 0) metrics.leaseExpired(expired);
  if (stopping.aborted) {
    await releaseDeliveries(db, claimed, 0);
    return { claimed, isMoreDue: false };
  }
  const recordForMs = LEASE_SECONDS * 1000 - RECORD_MARGIN_MS;
  const sendForMs = recordForMs - EXCHANGE_MS;
  const lease: Lease = {
    claimedAtMs: clock.steadyMs(),
    endsAtMs: askedAtMs + recordForMs,
    mayStillSend: () =>
      clock.steadyMs() - askedAtMs < sendForMs &&
      clock.now().getTime() - claimedAt.getTime() < sendForMs,
  };
  start(
    claimed.filter(({ isHeld }) => !isHeld),
    limits,
    lease,
  );
  const isAnyHeld = await hold(db, claimed);
  return { claimed, isMoreDue: claimed.length === limits.most || isAnyHeld };
}

/**
 * Gives deliveries of failing URLs back and moves them, with what else is ahead of them in the
 * origin's queue, to the URLs' own queues.
 *
 * @returns whether there were any: another claim then finds something else
 */
async function hold(db: Database, claimed: readonly ClaimedDelivery[]): Promise<boolean> {
  const held = claimed.filter(({ isHeld }) => isHeld);
  await releaseDeliveries(db, held, 0);
  const probed = new Map(held.map(({ destination, isProbe }) => [destination, isProbe]));
  for (const [origin, isProbe] of probed) await holdDeliveries(db, origin, isProbe);
  return held.length > 0;
}

type Sending = ReturnType<typeof startSending>;

/**
 * The deliveries that are being sent, in slots. `wake` is called when the end of one lets another
 * go: only those of some payment requests, or any. Exported for `proofs/simulation`.
 */
export function startSending(
  deps: AttemptDeps & { readonly senders?: number },
  wake: (paymentRequestIds: readonly string[]) => void,
) {
  const slots = new DeliverySlots(deps.senders);
  const running = new Set<Promise<void>>();

  function start(claimed: readonly ClaimedDelivery[], limits: ClaimLimits, lease: Lease): void {
    slots.take(limits, claimed);
    for (const delivery of claimed) {
      const done = attemptDelivery(deps, delivery, lease)
        .catch((error: unknown) => {
          deps.log.error({ ...idsOf(delivery), err: error }, 'webhook attempt not recorded');
          return false;
        })
        .then((nextWaits) => {
          running.delete(done);
          if (slots.free(delivery)) wake([]);
          else if (nextWaits) wake([delivery.paymentRequestId]);
        });
      running.add(done);
    }
  }

  const walk: DestinationWalk = { position: '' };
  return { slots, walk, start, over: () => allOver(running) };
}

/** A delivery that is not over in time comes back when its lease ends. */
async function allOver(running: ReadonlySet<Promise<void>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, STOP_TIMEOUT_MS);
  });
  await Promise.race([Promise.all(running), timeUp]);
  clearTimeout(timer);
}
