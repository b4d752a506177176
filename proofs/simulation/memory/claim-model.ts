import type { ClaimedDelivery } from '#webhooks/sending/lease-store.ts';
import { type Deliveries, type DeliveryRow, originKey, urlKey } from './delivery-rows.ts';
import type { DestinationRow, Destinations } from './destination-rows.ts';
import type { Handlers } from './memory-database.ts';

/** The secrets of a receiver, encrypted, as the claim answers them. */
export interface Secrets {
  readonly username: string;
  readonly sealedSecrets: string;
}

/** The walk reads a few URLs of an origin whose probe is due. */
const MOST_URLS_TRIED = 8;
/** So few destinations that a walk over the simulated ones takes several claims. */
const PAGE = 2;

interface Queue {
  readonly destination: string;
  readonly queue: string;
  readonly origin: string;
  readonly aloneAt: string | null;
  readonly isProbed: boolean;
  readonly free: number;
  readonly triedAtMs: number;
}

interface Limits {
  readonly leaseToken: string;
  readonly most: number;
  readonly perOrigin: number;
  readonly leaseSeconds: number;
  readonly sendingTo: ReadonlyMap<string, number>;
  readonly sendingAt: ReadonlyMap<string, number>;
}

/**
 * The claim statement in memory, part by part as in claim-store.ts. The limits of a merchant and
 * of all slots are left out: no simulated run has so many deliveries.
 */
export function claimHandlers(
  deliveries: Deliveries,
  destinations: Destinations,
  secretsOf: (row: DeliveryRow) => Secrets,
): Handlers {
  const leaseAll = (limits: Limits, chosen: readonly Chosen[]) =>
    chosen.map(([row, queue]) =>
      lease(deliveries, destinations, limits, { row, queue, secrets: secretsOf(row) }),
    );
  return {
    'webhook-delivery-claim': (values) => {
      const limits = limitsOf(values);
      const page = pageOf(deliveries, destinations, String(values[15]));
      const claimed = leaseAll(limits, choose(deliveries, destinations, limits, page));
      const walkedTo = page.length < PAGE ? null : page.at(-1);
      return (claimed.length > 0 ? claimed : [{ id: null }]).map((row) => ({ ...row, walkedTo }));
    },
    'webhook-delivery-claim-named': (values) => {
      const limits = limitsOf(values);
      return leaseAll(limits, chooseNamed(deliveries, destinations, limits, values[6] as string[]));
    },
    'webhook-delivery-release': ([ids, tokens, aloneAt, delay]) => {
      for (const [index, id] of (ids as string[]).entries()) {
        const row = deliveries.rows.get(id);
        if (row?.lease_token !== (tokens as string[])[index]) continue;
        const seconds = Number(delay);
        const next = seconds === 0 ? row?.next_attempt_at : deliveries.inSeconds(seconds);
        const freed = { lease_token: null, leased_until: null, next_attempt_at: next ?? null };
        deliveries.rows.patch(id, freed);
        const key = (aloneAt as (string | null)[])[index];
        if (key) destinations.rows.patch(key, { serialisedUntil: null });
      }
      return [];
    },
  };
}

function limitsOf(values: readonly unknown[]): Limits {
  const counts = (keys: unknown, numbers: unknown) =>
    new Map((keys as string[]).map((key, index) => [key, (numbers as number[])[index] ?? 0]));
  return {
    leaseToken: String(values[0]),
    leaseSeconds: Number(values[1]),
    most: Number(values[2]),
    perOrigin: Number(values[3]),
    sendingAt: counts(values[4], values[5]),
    sendingTo: counts(values[8] ?? [], values[9] ?? []),
  };
}

type Chosen = readonly [DeliveryRow, Queue];

/** The next destinations that are owed something, or whose URLs hold deliveries. */
function pageOf(deliveries: Deliveries, destinations: Destinations, behind: string): string[] {
  const keys = [
    ...deliveries.pending().map(({ destination }) => destination),
    ...destinations.rows.where(({ isHolding }) => isHolding).flatMap(({ origin }) => origin ?? []),
  ];
  const next = keys.filter((key) => key > behind && !key.startsWith('~'));
  return [...new Set(next)].sort().slice(0, PAGE);
}

function choose(
  deliveries: Deliveries,
  destinations: Destinations,
  limits: Limits,
  page: readonly string[],
): Chosen[] {
  const due = openQueues(deliveries, destinations, limits)
    .filter(({ destination }) => page.includes(destination))
    .flatMap((queue) => dueIn(deliveries, queue).map((row): Chosen => [row, queue]));
  // A destination that is sent one at a time takes its least recently tried URL.
  const first = due.filter(([row, queue]) => {
    if (queue.aloneAt === null) return true;
    const turn = due
      .filter(([, other]) => other.aloneAt === queue.aloneAt)
      .sort(([, one], [, other]) => one.triedAtMs - other.triedAtMs)[0];
    return turn?.[0].id === row.id;
  });
  const inOrder = first.sort(
    ([one, ofOne], [other, ofOther]) =>
      Number(ofOne.aloneAt === null) - Number(ofOther.aloneAt === null) ||
      dueMs(one) - dueMs(other),
  );
  const isRetry = ([row, { aloneAt }]: Chosen) => aloneAt !== null || row.attempts > 0;
  return withinOrigins(limits, inOrder)
    .sort((one, other) => Number(isRetry(one)) - Number(isRetry(other)))
    .slice(0, limits.most);
}

/**
 * A payment request that owes a destination in trouble is left to the walk, and so is a queue that
 * holds deliveries of failing URLs.
 */
function chooseNamed(
  deliveries: Deliveries,
  destinations: Destinations,
  limits: Limits,
  paymentRequestIds: readonly string[],
): Chosen[] {
  const now = deliveries.clock.now().getTime();
  const owesTrouble = (id: string) =>
    deliveries
      .pending()
      .filter((row) => row.payment_request_id === id && dueMs(row) <= now)
      .some(({ destination }) => isInTrouble(destinations.rows.get(destination)));
  const named = new Set(paymentRequestIds.filter((id) => !owesTrouble(id)));
  const due = openQueues(deliveries, destinations, limits)
    .filter(({ aloneAt }) => aloneAt === null)
    .flatMap((queue) => dueIn(deliveries, queue).map((row): Chosen => [row, queue]))
    .filter(([row]) => named.has(row.payment_request_id));
  return withinOrigins(limits, due).slice(0, limits.most);
}

/** The first of each origin, up to its limit. */
function withinOrigins(limits: Limits, chosen: readonly Chosen[]): Chosen[] {
  const taken = new Map(limits.sendingAt);
  return chosen.filter(([, { origin }]) => {
    const count = (taken.get(origin) ?? 0) + 1;
    taken.set(origin, count);
    return count <= limits.perOrigin;
  });
}

const isInTrouble = (state: DestinationRow | undefined) =>
  state !== undefined && (state.isTimingOut || state.openedAt !== null);
const dueMs = ({ next_attempt_at: at }: DeliveryRow): number => at?.getTime() ?? 0;

function dueIn(deliveries: Deliveries, { queue, isProbed, free }: Queue): DeliveryRow[] {
  const now = deliveries.clock.now();
  return deliveries
    .pending()
    .filter((row) => row.destination === queue && (isProbed || dueMs(row) <= now.getTime()))
    .filter((row) => !deliveries.isLeased(row) && deliveries.earlierOf(row) === undefined)
    .sort((one, other) => dueMs(one) - dueMs(other))
    .slice(0, Math.max(0, free));
}

function openQueues(deliveries: Deliveries, destinations: Destinations, limits: Limits): Queue[] {
  const now = deliveries.clock.now();
  const isFree = (row: DestinationRow) =>
    (row.nextProbeAt === null || row.nextProbeAt <= now) &&
    (row.serialisedUntil === null || row.serialisedUntil <= now);
  const holding = destinations.rows.where(({ isHolding }) => isHolding);
  const origins = new Set(holding.flatMap(({ origin }) => origin ?? []));
  const queues = new Set(
    deliveries
      .pending()
      .map(({ destination }) => destination)
      .filter((destination) => !destination.startsWith('~')),
  );
  return [...new Set([...queues, ...origins])].flatMap((destination): Queue[] => {
    const endpoint = deliveries.endpoints.get(destination);
    if (endpoint?.status === 'PAUSED') return [];
    const origin = endpoint ? originKey(endpoint.merchant_id, endpoint.url) : destination;
    const free = limits.perOrigin - (limits.sendingAt.get(origin) ?? 0);
    if (free <= 0) return [];
    const own = { destination, queue: destination, origin, free };
    const state = destinations.rows.get(destination);
    const held = holding.filter((row) => row.origin === destination);
    if (!state || !isInTrouble(state)) {
      const turns = held
        .filter((row) => row.nextProbeAt !== null && isFree(row))
        .slice(0, free)
        .map(({ destination: queue }) => ({
          ...own,
          queue,
          aloneAt: queue,
          isProbed: true,
          free: 1,
        }));
      const well = { ...own, aloneAt: null, isProbed: false };
      return [well, ...turns].map((each) => ({ ...each, triedAtMs: 0 }));
    }
    if (!isFree(state) || limits.sendingTo.has(destination)) return [];
    return inTrouble(own, state, held, now);
  });
}

type Own = Pick<Queue, 'destination' | 'queue' | 'origin' | 'free'>;

function inTrouble(
  own: Own,
  state: DestinationRow,
  held: readonly DestinationRow[],
  now: Date,
): Queue[] {
  const isProbed = state.openedAt !== null;
  const alone = { ...own, aloneAt: own.destination, free: 1 };
  const tried = held
    .filter(({ nextProbeAt }) => isProbed || (nextProbeAt !== null && nextProbeAt <= now))
    .sort((one, other) => one.updatedAt.getTime() - other.updatedAt.getTime())
    .slice(0, MOST_URLS_TRIED);
  return [
    { ...alone, isProbed, triedAtMs: Number.NEGATIVE_INFINITY },
    ...tried.map(({ destination: queue, updatedAt }) => ({
      ...alone,
      queue,
      isProbed: true,
      triedAtMs: updatedAt.getTime(),
    })),
  ];
}

function lease(
  deliveries: Deliveries,
  destinations: Destinations,
  { leaseToken, leaseSeconds }: Limits,
  {
    row,
    queue,
    secrets,
  }: { readonly row: DeliveryRow; readonly queue: Queue; readonly secrets: Secrets },
): Omit<ClaimedDelivery, 'leaseToken'> {
  const until = deliveries.inSeconds(leaseSeconds);
  if (queue.aloneAt !== null) destinations.rows.patch(queue.aloneAt, { serialisedUntil: until });
  const url = deliveries.urlOf(row);
  deliveries.rows.patch(row.id, { lease_token: leaseToken, leased_until: until, url });
  const event = deliveries.events.rows.get(row.event_id);
  const key = row.endpoint_id === null ? urlKey(row.merchant_id, url) : null;
  const ofUrl = key === null ? undefined : destinations.rows.get(key);
  const isUrlFailing = ofUrl !== undefined && (ofUrl.openedAt !== null || queue.isProbed);
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: event?.event_type ?? '',
    body: event?.body ?? '',
    isErased: false,
    misbehaviour: null,
    traceparent: null,
    merchantId: row.merchant_id,
    paymentRequestId: row.payment_request_id,
    sequence: row.sequence,
    endpointId: row.endpoint_id,
    url,
    destination: queue.destination,
    origin: queue.origin,
    urlKey: key,
    attempts: row.attempts,
    uncountedAttempts: row.uncounted_attempts,
    serialisedAt: queue.aloneAt,
    isProbe: queue.isProbed,
    isHeld: queue.queue === queue.destination && isUrlFailing,
    leaseExpired: row.lease_token !== null,
    ageMs: deliveries.clock.now().getTime() - row.created_at.getTime(),
    ...secrets,
  };
}
