import { createHash, randomUUID } from 'node:crypto';
import type { Database, Executor } from '../../service/src/database/database.ts';
import {
  DELIVERY_READING,
  FEED_READING,
} from '../../service/src/webhooks/deliveries/gauge-store.ts';
import { findDeliveryPage } from '../../service/src/webhooks/deliveries/list-store.ts';
import {
  pruneAttempts,
  pruneEvents,
  pruneFirstAttempts,
} from '../../service/src/webhooks/events/retention-store.ts';
import { FEED_START, type FeedPosition } from '../../service/src/webhooks/feed/cursor.ts';
import { findBehind, findLatest, readFeed } from '../../service/src/webhooks/feed/feed-store.ts';
import {
  SPECIFIED_EVENT_TYPES,
  type WebhookEventType,
} from '../../service/src/webhooks/model/event-types.ts';
import { claimDeliveries } from '../../service/src/webhooks/sending/claim-store.ts';
import type { ClaimLimits } from '../../service/src/webhooks/sending/concurrency-limits.ts';
import type { ClaimedDelivery } from '../../service/src/webhooks/sending/lease-store.ts';
import { recordAttempts } from '../../service/src/webhooks/sending/record-store.ts';
import { type Call, call } from './call.ts';
import { OWNERS } from './seed-rows.ts';
import { enqueueEvent } from './write-rows.ts';

/** The limits of a process that sends nothing at the moment. */
const LIMITS: ClaimLimits = {
  most: 100,
  mostRetries: 768,
  mostPerOrigin: 8,
  mostPerMerchant: 256,
  fairPerOrigin: 2,
  mostPerMerchantOverShare: 128,
  mostOverShare: 512,
  sendingTo: new Map(),
  sendingAt: new Map(),
  sendingFor: new Map(),
};
const LEASE_SECONDS = 60;
/** The number of merchants with new events; each has an endpoint. */
const MERCHANTS = 500;

const anyMerchant = () => `mer_${2 * Math.floor(Math.random() * MERCHANTS)}`;
const noPreparation = async () => {};
/** Claimed deliveries without a record, by database. */
const unrecorded = new Map<Database, ClaimedDelivery[]>();

async function claim(db: Database): Promise<ClaimedDelivery[]> {
  const claimed = await claimDeliveries(db, randomUUID(), LEASE_SECONDS, LIMITS);
  unrecorded.set(db, claimed);
  return claimed;
}

async function claimOne(db: Database): Promise<ClaimedDelivery[]> {
  await recordAllDue(db);
  await enqueueEvent(db, anyMerchant());
  return claim(db);
}

function record(db: Database, claimed: readonly ClaimedDelivery[]) {
  return recordAttempts(
    db,
    claimed.map(({ id, leaseToken }) => ({
      id,
      leaseToken,
      nextStatus: 'SUCCEEDED',
      delaySeconds: null,
      pauseEndpoint: false,
      startedAt: new Date(),
      durationMs: 42,
      times: {},
      outcome: 'SUCCEEDED',
      httpStatus: 200,
      responseBody: '',
      address: '203.0.113.7',
      isProbe: false,
    })),
  );
}

/** Claims and records until no delivery is due. */
export async function recordAllDue(db: Database): Promise<void> {
  for (;;) {
    await record(db, unrecorded.get(db) ?? []);
    if ((await claim(db)).length === 0) return;
  }
}

const page = { merchantId: OWNERS.giant, after: null, limit: 21 };
/** The endpoint of the largest merchant, as the seed makes it. */
const ENDPOINT_ID = createHash('md5').update(`${OWNERS.giant} 1`).digest('hex');
const all = { paymentRequestId: null, endpointId: null, statuses: null };

/** The calls of senders, feed readers and loops on webhooks. */
export const WEBHOOK_CALLS: readonly Call[] = [
  call('webhook: write an event', noPreparation, (db) => enqueueEvent(db, anyMerchant())),
  call('webhook: claim, nothing due', ({ probe }) => recordAllDue(probe.db), claim),
  call(
    'webhook: claim, one due',
    async ({ probe }) => {
      await recordAllDue(probe.db);
      await enqueueEvent(probe.db, anyMerchant());
    },
    claim,
  ),
  call(
    'webhook: claim, 20 due',
    async ({ probe }) => {
      await recordAllDue(probe.db);
      for (let n = 0; n < 20; n += 1) await enqueueEvent(probe.db, anyMerchant());
    },
    claim,
  ),
  call('webhook: record an attempt', ({ probe }) => claimOne(probe.db), record),
  call(
    'webhook: backlog, for metrics',
    ({ probe }) => recordAllDue(probe.db),
    (db) => DELIVERY_READING.read(db),
  ),
  call('feed: the oldest 100', noPreparation, (db) => readPage(db, FEED_START)),
  call('feed: a type that is nowhere', noPreparation, (db) =>
    readPage(db, FEED_START, ['REFUND-FAILED']),
  ),
  call(
    'feed: what is new, one event',
    async ({ probe: { db } }) => {
      const end = (await findLatest(db, OWNERS.giant)) ?? FEED_START;
      await enqueueEvent(db, OWNERS.giant);
      return end;
    },
    (db, end) => readPage(db, end),
  ),
  call(
    'feed: 100 followers, nothing new',
    async ({ probe: { db } }) => {
      const end = (await findLatest(db, OWNERS.giant)) ?? FEED_START;
      return Array.from({ length: 100 }, (_, n) => ({
        merchantId: `mer_${n}`,
        eventTypes: SPECIFIED_EVENT_TYPES,
        after: end,
      }));
    },
    findBehind,
  ),
  call('feed: lag, for metrics', noPreparation, (db) => FEED_READING.read(db)),
  call('deliveries: first page', noPreparation, (db) =>
    findDeliveryPage(db, { ...page, filters: all }),
  ),
  call('deliveries: EXHAUSTED', noPreparation, (db) =>
    findDeliveryPage(db, { ...page, filters: { ...all, statuses: ['EXHAUSTED'] } }),
  ),
  call('deliveries: of an endpoint', noPreparation, (db) =>
    findDeliveryPage(db, { ...page, filters: { ...all, endpointId: ENDPOINT_ID } }),
  ),
  call(
    'deliveries: of a payment request',
    async ({ randomRow }) => randomRow(),
    (db, { id, merchantId }) =>
      findDeliveryPage(db, { ...page, merchantId, filters: { ...all, paymentRequestId: id } }),
  ),
  call('retention: nothing due', noPreparation, async (db) => {
    await pruneEvents(db, 400, 200);
    await pruneAttempts(db, 400, 200);
    await pruneFirstAttempts(db, 400, 200);
  }),
  call('retention: five events', noPreparation, (db) => pruneEvents(db, 300, 5)),
];

function readPage(
  db: Executor,
  after: FeedPosition,
  eventTypes: readonly WebhookEventType[] = SPECIFIED_EVENT_TYPES,
) {
  return readFeed(db, { merchantId: OWNERS.giant, eventTypes, after, limit: 100 });
}
