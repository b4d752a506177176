import type { Database, Executor } from '#database/database.ts';
import {
  afterAttempt,
  blameOf,
  CLOSED,
  changeOf,
  type DestinationAttempt,
  type DestinationChange,
  type DestinationState,
  givenUpBefore,
  originAfter,
  urlAfter,
} from './circuit-breaker.ts';
import {
  type AddedDestination,
  exhaustHeldDeliveries,
  forgetFailures,
  type LockedDestination,
  lockDestinations,
  pauseFailingEndpoint,
  pruneDestinations,
  writeDestinations,
} from './destination-store.ts';
import { giveBack, giveBackStrays, holdTried, releaseOrigins } from './hold-store.ts';

/** An attempt that was recorded, by what was sent to. */
export interface SettledAttempt extends DestinationAttempt {
  /** The delivery's. */
  readonly id: string;
  /** An endpoint, or a merchant's origin. */
  readonly destination: string;
  readonly endpointId: string | null;
  readonly url: string;
  /** The URL's own destination; null for an endpoint's. */
  readonly urlKey: string | null;
  /** Whether a destination of it has failed lately: only then a success changes how it stands. */
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
 * closes their breakers (delivery §2). It runs after the attempts were
 * recorded: what is lost with the process between the two, the next attempt shows again.
 */
export async function updateBreakers(
  db: Database,
  attempts: readonly SettledAttempt[],
): Promise<DestinationNotice[]> {
  const adding = new Map(attempts.flatMap(rowsOf).map((row) => [row.destination, row]));
  const watched = attempts.filter((one) => one.isDestinationWatched || rowsOf(one).length > 0);
  const all = [...new Set(watched.flatMap(destinationsOf))];
  // A healthy destination has no row, so that nearly every attempt ends here.
  if (all.length === 0) return [];
  const { notices, freed } = await db.transaction(async (tx) => {
    const locked = await lockDestinations(tx, [...adding.values()], all);
    const settled = locked.map((before) => settle(before, attempts));
    const [over, failing] = [settled.filter(shouldDelete), settled.filter(isKept)];
    if (over.length > 0) await forgetFailures(tx, over.map(keyOf));
    const states = failing.map(({ destination, after }) => ({ ...after, destination }));
    if (states.length > 0) await writeDestinations(tx, states);
    const tried = failingAfter(attempts, failing);
    if (tried.length > 0) await holdTried(tx, tried);
    const back = settled.filter(isOriginBack).map(keyOf);
    const released = back.length > 0 ? await releaseOrigins(tx, back) : [];
    const freed = [...over.filter(({ isHolding }) => isHolding).map(keyOf), ...released];
    return { notices: await notify(tx, settled), freed };
  });
  for (let n = 0; n < MOST_GIVEN_BACK && (await giveBack(db, freed)); n += 1);
  return notices;
}

/** 50,000 deliveries; `tidyDestinations` moves what is left. */
const MOST_GIVEN_BACK = 50;

/** The rows in webhook_destinations that an attempt is about: an endpoint, or origin and URL. */
export function destinationsOf({
  destination,
  urlKey,
}: Pick<SettledAttempt, 'destination' | 'urlKey'>): string[] {
  return urlKey === null ? [destination] : [destination, urlKey];
}

/** The rows that a failed attempt needs: one that is well has none. */
function rowsOf(attempt: SettledAttempt): AddedDestination[] {
  const { destination, urlKey, url, outcome } = attempt;
  if (outcome === 'SUCCEEDED') return [];
  if (urlKey === null) return [{ destination, origin: null, url: null }];
  const blame = blameOf(attempt);
  if (blame === 'NOBODY') return [];
  const ofUrl = { destination: urlKey, origin: destination, url };
  return blame === 'URL' ? [ofUrl] : [{ destination, origin: null, url: null }, ofUrl];
}

/**
 * Does two small batches of upkeep: moves deliveries back that wait for no failing URL, and
 * removes what is kept about destinations that nobody has sent to for long.
 *
 * @returns whether more is left
 */
export async function tidyDestinations(db: Executor): Promise<boolean> {
  const areStraysLeft = await giveBackStrays(db);
  return (await pruneDestinations(db, PRUNE_BATCH)) === PRUNE_BATCH || areStraysLeft;
}

/** A few milliseconds' work. */
const PRUNE_BATCH = 500;

interface Settled extends Pick<LockedDestination, 'destination' | 'origin' | 'isHolding' | 'now'> {
  readonly endpointId: string | null;
  readonly before: DestinationState;
  readonly after: DestinationState;
  readonly change: DestinationChange | null;
}

function settle(before: LockedDestination, attempts: readonly SettledAttempt[]): Settled {
  const { destination, origin, isHolding, now } = before;
  const own = attempts.filter((one) => destinationsOf(one).includes(destination));
  const endpointId = own[0]?.endpointId ?? null;
  let after: DestinationState = before;
  let isGone = false;
  for (const attempt of own) {
    // A 410 has paused the endpoint, with a notice; a resumed endpoint starts without failures.
    isGone = attempt.outcome === 'GONE' && endpointId !== null;
    if (endpointId !== null) after = isGone ? CLOSED : afterAttempt(after, attempt, now);
    else after = (origin === null ? originAfter : urlAfter)(after, attempt, now);
  }
  const change = isGone ? null : changeOf(before, after, now);
  return { destination, origin, isHolding, now, endpointId, before, after, change };
}

/**
 * A healthy destination has no row. A paused destination starts without failures when resumed. A
 * URL's row stays after a failure of its origin: it says when the URL was tried.
 */
function shouldDelete({ origin, after, change, endpointId }: Settled): boolean {
  if (origin !== null) return after === CLOSED;
  return after.failures === 0 || (change === 'GIVEN_UP' && endpointId !== null);
}

const isKept = (settled: Settled) => !shouldDelete(settled);
const keyOf = ({ destination }: Settled) => destination;

function isOriginBack({ origin, endpointId, before, after }: Settled): boolean {
  const isOrigin = origin === null && endpointId === null;
  return isOrigin && before.openedAt !== null && after.openedAt === null;
}

/** The attempts whose URL or origin fails by now: their deliveries wait in the URL's queue. */
function failingAfter(attempts: readonly SettledAttempt[], failing: readonly Settled[]) {
  const known = new Set(failing.map(keyOf));
  const open = new Set(failing.filter(({ after }) => after.openedAt !== null).map(keyOf));
  return attempts.flatMap(({ id, destination, urlKey }) =>
    urlKey !== null && known.has(urlKey) && (open.has(urlKey) || open.has(destination))
      ? [{ id, urlKey }]
      : [],
  );
}

async function notify(tx: Executor, settled: readonly Settled[]): Promise<DestinationNotice[]> {
  const notices: DestinationNotice[] = [];
  for (const each of settled) {
    const { destination, change, endpointId } = each;
    if (change === null) continue;
    const exhausted = change === 'GIVEN_UP' ? await giveUp(tx, each) : 0;
    // Without an endpoint it is reported with what it ends, not with every probe.
    const isReported = change !== 'GIVEN_UP' || endpointId !== null || exhausted > 0;
    if (isReported) notices.push({ destination, change, exhausted });
  }
  return notices;
}

/**
 * An endpoint is paused. A URL, or the URLs of an origin, cannot be resumed by anybody: what was
 * tried and has been held as long as that ends, and can be asked for again; the rest is probed on.
 */
async function giveUp(
  tx: Executor,
  { destination, endpointId, now }: Pick<Settled, 'destination' | 'endpointId' | 'now'>,
): Promise<number> {
  if (endpointId === null) return exhaustHeldDeliveries(tx, destination, givenUpBefore(now));
  await pauseFailingEndpoint(tx, endpointId);
  return 0;
}
