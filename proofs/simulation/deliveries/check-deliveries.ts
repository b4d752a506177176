import { TIME_OUTS } from '#webhooks/model/retry-schedule.ts';
import { type DeliveryRow, originKey, urlKey } from '../memory/delivery-rows.ts';
import { must, mustEqual } from '../run/broken-invariant.ts';
import { type DeliveryWorld, type Exchange, SCHEDULE } from './delivery-world.ts';

/** Delivery §2: a slow or busy receiver is left alone for a minute; jitter adds a tenth at most. */
const SLOW_SECONDS = 60;
const MOST_RETRY_AFTER_SECONDS = 3_600;
const MOST_JITTER = 1.1;

/** Checks each request as it is made, and every delivery after each step (delivery §1). */
export class DeliveryChecks {
  #world: DeliveryWorld | null = null;
  #before = new Map<string, DeliveryRow>();

  watch(world: DeliveryWorld): void {
    this.#world = world;
  }

  /** A claimed delivery is on its way: its endpoint is not paused, and it is the next in order. */
  onStart(row: DeliveryRow): void {
    const { deliveries } = this.#of();
    const endpoint = row.endpoint_id === null ? null : deliveries.endpoints.get(row.endpoint_id);
    must(endpoint?.status !== 'PAUSED', () => `sent to a paused endpoint: ${row.url}`);
    if (row.endpoint_id === null) this.#checkHeld(row);
  }

  /** A failing URL is probed alone, unless its origin is probed by any of its URLs. */
  #checkHeld({ merchant_id: merchantId, url }: DeliveryRow): void {
    const { destinations, clock } = this.#of();
    const ofUrl = destinations.rows.get(urlKey(merchantId, url));
    const ofOrigin = destinations.rows.get(originKey(merchantId, url));
    if (!ofUrl?.nextProbeAt || ofOrigin?.openedAt) return;
    const isDue = ofUrl.nextProbeAt <= clock.now();
    must(isDue, () => `sent to ${url}, whose next probe is not due`);
  }

  /** Right before the bytes leave: under its own lease, in order, not acknowledged before. */
  onWrite({ url, eventId }: Exchange): void {
    const { deliveries } = this.#of();
    const [row] = deliveries.rows.where((each) => each.event_id === eventId && each.url === url);
    if (!row) return;
    const name = `event ${row.sequence} to ${url}`;
    mustEqual(row.status, 'PENDING', () => `${name} is sent, and is`);
    must(deliveries.isLeased(row), () => `${name} is sent without a lease`);
    const earlier = deliveries.earlierOf(row);
    must(earlier === undefined, () => `${name} is sent before event ${earlier?.sequence}`);
  }

  check(): void {
    const world = this.#of();
    for (const row of world.deliveries.rows.all()) {
      const before = this.#before.get(row.id);
      if (before && before !== row) this.#checkChange(before, row);
      this.#before.set(row.id, row);
    }
    this.#checkBreakers(world);
  }

  #checkChange(before: DeliveryRow, row: DeliveryRow): void {
    const name = () => `event ${row.sequence} to ${row.url}`;
    if (before.status !== 'PENDING') {
      mustEqual(row.status, before.status, () => `${name()} was over, and is`);
    }
    mustEqual(
      row.status === 'PENDING',
      row.next_attempt_at !== null,
      () => `${name()} has a next attempt`,
    );
    if (row.status === 'SUCCEEDED') {
      const { acknowledged } = this.#of().receivers;
      must(acknowledged.has(`${row.url} ${row.event_id}`), () => `${name()} was not acknowledged`);
    }
    const counted = row.attempts - row.uncounted_attempts;
    must(counted <= SCHEDULE.length, () => `${name()} has ${counted} attempts`);
    if (row.status === 'EXHAUSTED') this.#checkEnd(row, counted, name);
    if (row.attempts !== before.attempts + 1) return;
    if (row.outcome === 'GONE') this.#checkGone(row, name);
    if (row.status === 'PENDING') this.#checkWait(row, counted, name);
  }

  /** 410 pauses an endpoint, and ends a delivery that has none. */
  #checkGone(row: DeliveryRow, name: () => string): void {
    if (row.endpoint_id === null) {
      mustEqual(row.status, 'EXHAUSTED', () => `${name()} was answered 410, and is`);
      return;
    }
    const endpoint = this.#of().deliveries.endpoints.get(row.endpoint_id);
    mustEqual(endpoint?.status, 'PAUSED', () => `the endpoint ${row.url} was answered 410, and is`);
  }

  #checkEnd(row: DeliveryRow, counted: number, name: () => string): void {
    if (row.ended_because !== null) {
      must(row.endpoint_id === null, () => `${name()} has an endpoint, and was given up`);
      return;
    }
    const isGone = row.outcome === 'GONE' && row.endpoint_id === null;
    must(isGone || counted === SCHEDULE.length, () => `${name()} ended after ${counted} attempts`);
  }

  /** The schedule, with the minute of slow receivers, `Retry-After` and jitter. */
  #checkWait(row: DeliveryRow, counted: number, name: () => string): void {
    if (row.outcome === null || row.next_attempt_at === null) return;
    // A probe uses up no attempt: the wait is that of the last one, or of the first.
    const place = row.wasProbe ? Math.max(counted, 1) : counted;
    const least = SCHEDULE[place] ?? SCHEDULE.at(-1) ?? 0;
    const isSlow = TIME_OUTS.has(row.outcome);
    const waited = (row.next_attempt_at.getTime() - this.#of().clock.now().getTime()) / 1000;
    const from = Math.max(least, isSlow ? SLOW_SECONDS : 0);
    must(waited >= from - 0.01, () => `${name()}: attempt ${counted + 1} after ${waited} s`);
    const most = Math.max(from, SLOW_SECONDS, MOST_RETRY_AFTER_SECONDS) * MOST_JITTER;
    must(waited <= most + 0.01, () => `${name()}: attempt ${counted + 1} after ${waited} s`);
  }

  /** Ten failures in a row open a breaker, which is probed between a minute and an hour later. */
  #checkBreakers({ destinations }: DeliveryWorld): void {
    for (const row of destinations.rows.all()) {
      const name = () => `breaker of ${row.url ?? row.destination}`;
      const isOpen = row.openedAt !== null;
      mustEqual(isOpen, row.failures >= 10, () => `${name()}: ${row.failures} failures, open`);
      mustEqual(isOpen, row.nextProbeAt !== null, () => `${name()}: has a next probe`);
      if (!isOpen) mustEqual(row.probes, 0, () => `${name()}: probes while closed`);
    }
  }

  #of(): DeliveryWorld {
    if (!this.#world) throw new Error('nothing is watched');
    return this.#world;
  }
}

/** At the end each delivery was acknowledged, has used its attempts, or waits for a resumption. */
export function checkAllEnded({ deliveries, destinations }: DeliveryWorld): void {
  for (const { destination, openedAt } of destinations.rows.all()) {
    const isPaused = deliveries.endpoints.get(destination)?.status === 'PAUSED';
    must(openedAt === null || isPaused, () => `the breaker of ${destination} is open for ever`);
  }
  for (const row of deliveries.rows.all()) {
    const name = () => `event ${row.sequence} to ${row.url}`;
    if (row.status !== 'PENDING') continue;
    const endpoint = row.endpoint_id === null ? null : deliveries.endpoints.get(row.endpoint_id);
    must(endpoint?.status === 'PAUSED', () => `${name()} is pending, and nothing holds it`);
  }
}
