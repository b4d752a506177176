import { enqueueWebhookEvents } from '#webhooks/events/outbox.ts';
import { forgetFailures } from '#webhooks/sending/destination-store.ts';
import { tidyDestinations } from '#webhooks/sending/update-breakers.ts';
import type { Random } from '../run/random.ts';
import { attempt } from '../run/world.ts';
import {
  type DeliveryWorld,
  ENDPOINTS,
  everythingSettled,
  MERCHANT_ID,
  OWN_URLS,
} from './delivery-world.ts';
import { MODES } from './receivers.ts';

/** Payment requests get one to four events, in their order. */
export async function enqueue(world: DeliveryWorld, random: Random): Promise<string> {
  const told: string[] = [];
  const count = 1 + random.below(4);
  for (let n = 0; n < count; n += 1) {
    told.push(await enqueueOne(world, random.below(world.requests.length)));
  }
  return told.join(', ');
}

/** The next event of a payment request. */
export async function enqueueOne(world: DeliveryWorld, place: number): Promise<string> {
  const { deliveries, db, clock } = world;
  const paymentRequestId = world.requests[place] ?? '';
  const sequence = deliveries.events.of(paymentRequestId).length + 1;
  const event = {
    merchantId: MERCHANT_ID,
    paymentRequestId,
    sequence,
    eventType: 'PAYMENT-COMPLETED' as const,
    message: 'Paid.',
    resource: '{}',
    // The URL of a payment request never changes; one has none.
    webhookUrl: OWN_URLS[place] ?? null,
    createdAt: clock.now(),
  };
  const result = await attempt(db.transaction((tx) => enqueueWebhookEvents(tx, [event])));
  return `event ${sequence} of request ${place + 1}${result === 'UNKNOWN' ? ' (no answer)' : ''}`;
}

export async function poll(world: DeliveryWorld, random: Random): Promise<string> {
  const sender = random.pick(world.senders);
  const before = world.exchanges.length;
  const named = random.chance(0.5) ? [random.pick(world.requests)] : [];
  const result = await attempt(world.claim(sender, named));
  await everythingSettled();
  const started = world.exchanges.length - before;
  return `${sender.name} claims ${started}${result === 'UNKNOWN' ? ' (no answer)' : ''}`;
}

/** Up to five exchanges go on, in any order. */
export async function progress(world: DeliveryWorld, random: Random): Promise<string> {
  const told: string[] = [];
  const count = 1 + random.below(5);
  for (let n = 0; n < count && world.exchanges.length > 0; n += 1) {
    told.push(await world.progress(random.pick(world.exchanges)));
  }
  return told.join(', ') || 'nothing is being sent';
}

const WAITS_MS = [1_000, 6_000, 20_000, 61_000, 400_000, 3_700_000, 30 * 3_600_000];

export async function wait({ clock }: DeliveryWorld, random: Random): Promise<string> {
  const milliseconds = random.pick(WAITS_MS);
  clock.advance(milliseconds);
  return `${milliseconds / 1000} s pass`;
}

export async function stepClock({ clock }: DeliveryWorld, random: Random): Promise<string> {
  const milliseconds = random.pick([-7_200_000, -5_000, 5_000, 7_200_000]);
  clock.step(milliseconds);
  return `the clock is set by ${milliseconds / 1000} s`;
}

export async function changeReceiver(world: DeliveryWorld, random: Random): Promise<string> {
  const url = random.pick([...ENDPOINTS.map((each) => each.url), ...OWN_URLS]);
  const mode = random.chance(0.35) ? 'OK' : random.pick(MODES);
  world.receivers.modes.set(url, mode);
  return `${url} is ${mode}`;
}

export async function kill(world: DeliveryWorld, random: Random): Promise<string> {
  const sender = random.pick(world.senders);
  world.kill(sender);
  return `${sender.name} is killed`;
}

/** The endpoint is active, and its failures are forgotten: so does the merchant's call. */
export async function resume(world: DeliveryWorld, random: Random): Promise<string> {
  const { id, url } = random.pick(ENDPOINTS);
  const result = await attempt(
    world.db.transaction(async (tx) => {
      await forgetFailures(tx, [id]);
      world.deliveries.endpoints.patch(id, { status: 'ACTIVE', paused_reason: null });
    }),
  );
  return `${url} is resumed${result === 'UNKNOWN' ? ' (no answer)' : ''}`;
}

export async function tidy(world: DeliveryWorld): Promise<string> {
  return String(await attempt(tidyDestinations(world.db)));
}

/** A long outage of one receiver: claims, failures and waits, until its breaker opens. */
export async function failLong(world: DeliveryWorld, random: Random): Promise<string> {
  const url = random.pick([...ENDPOINTS.map((each) => each.url), ...OWN_URLS]);
  const mode = random.pick(['ERROR_500', 'REFUSES', 'HANGS'] as const);
  world.receivers.modes.set(url, mode);
  const rounds = 5 + random.below(12);
  for (let round = 0; round < rounds; round += 1) {
    world.clock.advance(random.pick([10_000, 400_000, 8_000_000]));
    await attempt(world.claim(random.pick(world.senders)));
    await everythingSettled();
    while (world.exchanges.length > 0) await world.progress(random.pick(world.exchanges));
  }
  return `${url} is ${mode} for ${rounds} rounds`;
}
