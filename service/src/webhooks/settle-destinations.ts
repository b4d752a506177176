import type { Database, Executor } from '#database/database.ts';
import {
  afterAttempt,
  changeOf,
  type DestinationAttempt,
  type DestinationChange,
  type DestinationState,
  givenUpBefore,
  WELL,
} from './circuit-breaker.ts';
import {
  exhaustHeldDeliveries,
  forgetFailures,
  type LockedDestination,
  lockDestinations,
  pauseFailingEndpoint,
  pruneDestinations,
  writeDestinations,
} from './webhook-destination-store.ts';

/** An attempt that was recorded, by what was sent to. */
export interface SettledAttempt extends DestinationAttempt {
  readonly destination: string;
  readonly endpointId: string | null;
  /** Whether the destination has failed lately: only then a success changes how it stands. */
  readonly isDestinationWatched: boolean;
}

/** Something that an operator should know about a destination. */
export interface DestinationNotice {
  readonly destination: string;
  readonly change: DestinationChange;
  /** Deliveries that were given up with it: those of a webhookUrl, which nobody can resume. */
  readonly exhausted: number;
}

/**
 * Counts what attempts say about their destinations, in the order in which they ended, and opens or
 * closes their breakers (webhook-delivery, circuit breaker). After the attempts were recorded: what
 * is lost with the process between the two, the next attempt learns again.
 */
export async function settleDestinations(
  db: Database,
  attempts: readonly SettledAttempt[],
): Promise<DestinationNotice[]> {
  const failed = attempts.filter(({ outcome }) => outcome !== 'SUCCEEDED');
  const adding = destinationsOf(failed);
  const all = destinationsOf(attempts.filter((one) => one.isDestinationWatched).concat(failed));
  // Nearly always.
  if (all.length === 0) return [];
  return db.transaction(async (tx) => {
    const settled = (await lockDestinations(tx, { adding, all })).map((before) =>
      settle(
        before,
        attempts.filter(({ destination }) => destination === before.destination),
      ),
    );
    await forgetFailures(
      tx,
      settled.filter(isForgotten).map(({ destination }) => destination),
    );
    await writeDestinations(
      tx,
      settled
        .filter((one) => !isForgotten(one))
        .map(({ destination, after }) => ({
          destination,
          ...after,
        })),
    );
    const notices: DestinationNotice[] = [];
    for (const { destination, change, endpointId, now } of settled) {
      if (change === null) continue;
      const exhausted =
        change === 'GIVEN_UP' ? await giveUp(tx, { destination, endpointId, now }) : 0;
      // Of an origin it is told with what it ends, not with every probe.
      const isTold = change !== 'GIVEN_UP' || endpointId !== null || exhausted > 0;
      if (isTold) notices.push({ destination, change, exhausted });
    }
    return notices;
  });
}

/** Removes what is kept about destinations that nobody has sent to for a month: a small batch. */
export async function pruneWebhookDestinations(db: Executor): Promise<boolean> {
  return (await pruneDestinations(db, PRUNE_BATCH)) === PRUNE_BATCH;
}

/** A few milliseconds' work. */
const PRUNE_BATCH = 500;

interface Settled {
  readonly destination: string;
  readonly endpointId: string | null;
  readonly after: DestinationState;
  readonly change: DestinationChange | null;
  readonly now: Date;
}

function settle(before: LockedDestination, attempts: readonly SettledAttempt[]): Settled {
  const { destination, now } = before;
  const endpointId = attempts[0]?.endpointId ?? null;
  let after: DestinationState = before;
  let isGone = false;
  for (const attempt of attempts) {
    // A 410 has paused the endpoint, and said so; resumed, it begins anew.
    isGone = attempt.outcome === 'GONE' && endpointId !== null;
    after = isGone ? WELL : afterAttempt(after, attempt, now);
  }
  const change = isGone ? null : changeOf(before, after, now);
  return { destination, endpointId, after, change, now };
}

/** A destination that is well has no row, and one that is paused begins anew when it is resumed. */
function isForgotten({ after, change, endpointId }: Settled): boolean {
  return after.failures === 0 || (change === 'GIVEN_UP' && endpointId !== null);
}

/**
 * An endpoint is paused. The URLs of an origin have nobody who could resume them: what has been
 * held as long as that ends, as after a 410, and can be asked for again; the rest is still probed.
 */
async function giveUp(
  tx: Executor,
  { destination, endpointId, now }: Pick<Settled, 'destination' | 'endpointId' | 'now'>,
): Promise<number> {
  if (endpointId === null) return exhaustHeldDeliveries(tx, destination, givenUpBefore(now));
  await pauseFailingEndpoint(tx, endpointId);
  return 0;
}

function destinationsOf(attempts: readonly SettledAttempt[]): string[] {
  return [...new Set(attempts.map(({ destination }) => destination))];
}
