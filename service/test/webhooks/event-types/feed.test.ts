import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { COMPLETED_REFUND_EXAMPLE } from '#refunds/model/examples.ts';
import { enqueueWebhookEvents } from '#webhooks/events/outbox.ts';
import { EVENT_TYPES, type WebhookEventType } from '#webhooks/model/event-types.ts';
import { eventually } from '../../support/eventually.ts';
import { faultsOf, paymentRequestCalls } from '../../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';

/** Longer than the pause between two polls of the calls that wait: 250 ms. */
const POLLED = () => wait(300, 'polled');

const SPECIFIED = ['PAYMENT-COMPLETED', 'PAYMENT-FAILED'];

let service: TestService;
let merchant: TestMerchant;
let resource: string;
let sequence: number;

before(async () => {
  service = await startTestService();
});
after(() => service?.stop());
beforeEach(async () => {
  merchant = await service.createMerchant();
  resource = (await paymentRequestCalls(service, merchant).create()).text;
  sequence = 0;
});

const read = (query = '') =>
  service.call('GET', `/v1/events${query}`, { headers: merchant.headers });

/** Commits one event of each type, in this order, each in a transaction of its own. */
async function commit(...types: readonly string[]): Promise<void> {
  for (const type of types) {
    sequence += 1;
    const isKnown = (EVENT_TYPES as readonly string[]).includes(type);
    const paymentRequestId = randomUUID();
    await service.database.db.transaction((tx) =>
      enqueueWebhookEvents(tx, [
        {
          merchantId: merchant.merchantId,
          paymentRequestId,
          sequence,
          eventType: isKnown ? (type as WebhookEventType) : 'PAYMENT-FAILED',
          message: 'An event.',
          resource: type.startsWith('REFUND') ? refund(paymentRequestId) : resource,
          webhookUrl: null,
          createdAt: service.clock.now(),
        },
      ]),
    );
    if (!isKnown) {
      await service.database.sql(
        'UPDATE webhook_events SET event_type = $2 WHERE payment_request_id = $1',
        [paymentRequestId, type],
      );
    }
  }
}

const refund = (paymentRequestId: string) =>
  JSON.stringify({ ...COMPLETED_REFUND_EXAMPLE, id: randomUUID(), paymentRequestId });

/** Reads on until so many events have come: other tests' transactions may hold the feed back. */
async function follow(count: number, eventTypes: string | null, after = '') {
  let cursor = after;
  const numbers: number[] = [];
  await eventually(async () => {
    const query = new URLSearchParams({
      limit: '2',
      ...(eventTypes !== null && { eventTypes }),
      ...(cursor && { after: cursor }),
    });
    const { json } = await read(`?${query}`);
    cursor = json.nextCursor;
    numbers.push(...json.data.map((event: { sequence: number }) => event.sequence));
    return numbers.length >= count;
  }, `${count} events of ${eventTypes}`);
  return { numbers, cursor };
}

/** The sequence numbers of these types in one call, after all events can be shown. */
async function numbersOf(query: string): Promise<number[]> {
  const { json } = await read(query);
  return json.data.map((event: { sequence: number }) => event.sequence);
}

describe('the feed’s choice of event types', () => {
  it('keeps to the two types of the specification unless others are asked for', async () => {
    await commit(...EVENT_TYPES);
    await follow(EVENT_TYPES.length, '*');
    const { json } = await read();
    const types = json.data.map((event: { eventType: string }) => event.eventType);
    assert.deepEqual(types, SPECIFIED);
  });

  it('shows the types that are named, or all with *', async () => {
    await commit(...EVENT_TYPES);
    await follow(EVENT_TYPES.length, '*');
    const number = (type: WebhookEventType) => EVENT_TYPES.indexOf(type) + 1;
    assert.deepEqual(await numbersOf('?eventTypes=*'), EVENT_TYPES.map(number));
    assert.deepEqual(await numbersOf('?eventTypes=REFUND-FAILED,PAYMENT-COMPLETED'), [
      number('PAYMENT-COMPLETED'),
      number('REFUND-FAILED'),
    ]);
    assert.deepEqual(await numbersOf('?eventTypes=PAYMENT-RETURNED'), [number('PAYMENT-RETURNED')]);
  });

  it('shows a type of a later version with * only', async () => {
    await commit('PAYMENT-COMPLETED', 'LATER-TYPE', 'PAYMENT-FAILED');
    await follow(3, '*');
    assert.deepEqual(await numbersOf('?eventTypes=*'), [1, 2, 3]);
    assert.deepEqual(await numbersOf(`?eventTypes=${EVENT_TYPES.join(',')}`), [1, 3]);
  });

  it('misses and repeats nothing while a filtered feed is followed', async () => {
    const wanted = ['REFUND-COMPLETED', 'PAYMENT-RETURNED'];
    const types = [...EVENT_TYPES, ...EVENT_TYPES, ...EVENT_TYPES, 'PAYMENT-FAILED'];
    await commit(...types.slice(0, 9));
    const first = await follow(3, wanted.join(','));
    await commit(...types.slice(9));
    const rest = await follow(3, wanted.join(','), first.cursor);
    const expected = types.flatMap((type, index) => (wanted.includes(type) ? [index + 1] : []));
    assert.deepEqual([...first.numbers, ...rest.numbers], expected);
  });

  it('gives a cursor that any other choice goes on from', async () => {
    await commit('PAYMENT-COMPLETED', 'REFUND-COMPLETED', 'PAYMENT-FAILED', 'REFUND-FAILED');
    // The fourth must be shown first: else the cursor stands before it, and rightly so.
    await follow(4, '*');
    const narrow = await follow(2, null);
    await commit('REFUND-COMPLETED', 'PAYMENT-COMPLETED');
    const wide = await follow(2, '*', narrow.cursor);
    assert.deepEqual(wide.numbers, [5, 6]);
    await commit('PAYMENT-FAILED', 'PAYMENT-RETURNED');
    assert.deepEqual((await follow(1, 'PAYMENT-RETURNED', wide.cursor)).numbers, [8]);
  });

  it('moves the cursor past other events, and says that more can be read', async () => {
    await service.database.sql(
      `INSERT INTO webhook_events
         (id, merchant_id, payment_request_id, sequence, event_type, body, created_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, 'PAYMENT-COMPLETED', '{}', $2
       FROM generate_series(1, 5001)`,
      [merchant.merchantId, service.clock.now()],
    );
    await commit('PAYMENT-RETURNED');
    await follow(1, 'PAYMENT-RETURNED');
    const startedMs = performance.now();
    const first = await read('?eventTypes=PAYMENT-RETURNED&waitSeconds=30');
    assert.ok(performance.now() - startedMs < 30_000, 'it does not wait while more can be read');
    assert.deepEqual([first.json.data, first.json.hasMore], [[], true]);
    const after = first.json.nextCursor;
    const second = await read(`?eventTypes=PAYMENT-RETURNED&after=${after}`);
    assert.equal(second.json.data.length, 1);
    assert.equal(second.json.hasMore, false);
    assert.ok(second.json.links[1].href.includes('eventTypes=PAYMENT-RETURNED'));
  });

  it('ends a wait only for an event of the choice, and behind the others', async () => {
    const { nextCursor } = (await read('?after=latest')).json;
    const waiting = read(`?after=${nextCursor}&eventTypes=REFUND-FAILED&waitSeconds=30`);
    // The call may begin to wait after the first of them, and is waiting at the last.
    let cursor = nextCursor;
    for (const round of [0, 1, 2, 3, 4]) {
      await commit('PAYMENT-COMPLETED', 'REFUND-COMPLETED');
      const shown = await follow(2, '*', cursor);
      assert.deepEqual(shown.numbers, [2 * round + 1, 2 * round + 2]);
      cursor = shown.cursor;
      assert.equal(await Promise.race([waiting, POLLED()]), 'polled', 'it still waits');
    }
    await commit('REFUND-FAILED');
    const { json } = await waiting;
    assert.deepEqual(
      json.data.map((event: { sequence: number }) => event.sequence),
      [11],
    );
  });

  it('takes a repeated parameter like a list with commas', async () => {
    const [repeated, listed] = await Promise.all([
      read('?eventTypes=PAYMENT-FAILED&eventTypes=REFUND-FAILED'),
      read('?eventTypes=PAYMENT-FAILED,REFUND-FAILED'),
    ]);
    assert.equal(repeated.status, 200);
    assert.deepEqual(repeated.json.data, listed.json.data);
  });

  it('refuses types that do not exist, also beside others', async () => {
    for (const bad of ['PAYMENT', 'payment-failed', '*,PAYMENT-FAILED', 'PAYMENT-FAILED,', ',']) {
      const refused = await read(`?eventTypes=${bad}`);
      assert.equal(refused.status, 400, bad);
      assert.deepEqual(faultsOf(refused), [['eventTypes', 'INVALID_VALUE']], bad);
      const says = bad.startsWith('*') ? /Give \* alone/ : /PAYMENT-RETURNED or REFUND-COMPLETED/;
      assert.match(refused.json.errors[0].message, says);
    }
    const all = await read('?eventTypes=X&limit=0');
    assert.deepEqual(faultsOf(all).sort(), [
      ['eventTypes', 'INVALID_VALUE'],
      ['limit', 'TOO_LOW'],
    ]);
    assert.deepEqual(faultsOf(await read('?eventTypes=')), [['eventTypes', 'INVALID_VALUE']]);
  });
});
