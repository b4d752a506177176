import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { insertTimelineEntries } from '#payment-requests/timeline/timeline-store.ts';
import { eventually } from '../support/eventually.ts';
import { navigate, send } from '../support/payment-requests/navigate.ts';
import {
  faultsOf,
  type PaymentRequestCalls,
  paymentRequestCalls,
} from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { startServiceBeside } from '../support/service/service-beside.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';

let folder: string;
let listener: HttpsListener;
let service: TestService;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payreq-test-'));
  listener = await startHttpsListener();
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, listener.caPem);
  service = await startTestService({
    settings: {
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
      WEBHOOK_ALLOW_PORTS: '*',
    },
  });
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
});
after(async () => {
  await service?.stop();
  await listener?.close();
  await rm(folder, { recursive: true });
});

interface Entry {
  readonly type: string;
  readonly dateTime: string;
  readonly [member: string]: unknown;
}

async function entriesOf(id: string): Promise<Entry[]> {
  const answer = await calls.timeline(id);
  assert.equal(answer.status, 200, answer.text);
  return answer.json.data;
}

describe('the timeline of a payment request', () => {
  it('lists all entries in the order of time, from the creation to the last attempt', async () => {
    let tries = 0;
    listener.answerWith((_, response) => {
      tries += 1;
      response.statusCode = tries === 1 ? 500 : 200;
      response.end(tries === 1 ? 'é'.repeat(2_000) : 'thank you');
    });
    const created = await calls.create({ webhookUrl: listener.url });
    const { id, shortCode, createdDateTime } = created.json;
    await service.advance(1);
    await calls.update(id, { displayMessage: 'Order 7', metadata: { basket: '42' } });
    await service.advance(1);
    assert.equal((await navigate(`${service.url}/pay/${shortCode}`)).status, 404);
    await eventually(async () => (await entriesOf(id)).length === 3, 'the opening');
    await service.advance(1);
    const step = { type: 'PAYER_STEP', details: { step: 'INSTITUTION_CHOSEN' } } as const;
    await insertTimelineEntries(service.database.db, [
      { paymentRequestId: id, occurredAt: service.clock.now(), ...step },
    ]);
    await service.advance(1);
    await calls.cancel(id, { reason: 'REQUESTED_BY_CUSTOMER', comment: 'by telephone' });
    await eventually(async () => (await entriesOf(id)).length === 7, 'the first attempt');
    await service.advance(10);
    const entries = await eventually(async () => {
      const found = await entriesOf(id);
      return found.length === 8 && found;
    }, 'the second attempt');

    const [first, second] = entries.slice(6) as [Entry, Entry];
    const seconds = (entry: Entry) =>
      (Date.parse(entry.dateTime) - Date.parse(createdDateTime)) / 1_000;
    assert.deepEqual(entries.map(seconds), [0, 1, 2, 3, 4, 4, 4, 14]);
    assert.deepEqual(
      entries.slice(0, 6).map(({ dateTime: _, requestId: __, ...entry }) => entry),
      [
        { type: 'STATUS_CHANGED', status: 'CREATED', cause: 'CREATED' },
        { type: 'UPDATED', fields: ['displayMessage', 'metadata'] },
        { type: 'LINK_OPENED' },
        { type: 'PAYER_STEP', step: 'INSTITUTION_CHOSEN' },
        {
          type: 'CANCELLATION_REQUESTED',
          reason: 'REQUESTED_BY_CUSTOMER',
          comment: 'by telephone',
        },
        {
          type: 'STATUS_CHANGED',
          status: 'CANCELLED',
          cause: 'CANCELLED_BY_MERCHANT',
          statusReason: {
            code: 'CANCELLED_BY_MERCHANT',
            message: 'The merchant cancelled the payment request.',
          },
        },
      ],
    );

    const sent = JSON.parse(listener.requests.at(-1)?.body ?? '');
    const { durationMs, deliveryId, ...rest } = first;
    assert.ok(Number.isInteger(durationMs) && (durationMs as number) >= 0);
    assert.match(String(deliveryId), /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      type: 'WEBHOOK_ATTEMPTED',
      dateTime: first.dateTime,
      eventId: sent.id,
      eventType: 'PAYMENT-FAILED',
      sequence: 1,
      url: listener.url,
      attempt: 1,
      outcome: 'REFUSED_BY_LISTENER',
      message: 'The listener answered another status than 2xx.',
      httpStatus: 500,
      responseBody: 'é'.repeat(512),
    });
    assert.deepEqual(
      [second.deliveryId, second.attempt, second.outcome, second.httpStatus, second.responseBody],
      [deliveryId, 2, 'SUCCEEDED', 200, 'thank you'],
    );
  });

  it('keeps the reason of a failure that late money has overtaken', async () => {
    const { id } = (await calls.create()).json;
    await calls.simulate(id, { outcome: 'PROCESSING' });
    await calls.simulate(id, { outcome: 'FAILED', reason: 'INSUFFICIENT_FUNDS' });
    await calls.simulate(id, { outcome: 'PAID' });
    const changes = (await entriesOf(id)).map(({ status, cause, statusReason }) => [
      status,
      cause,
      (statusReason as { code: string } | undefined)?.code,
    ]);
    assert.deepEqual(changes, [
      ['CREATED', 'CREATED', undefined],
      ['PROCESSING', 'PAYMENT_ACCEPTED', undefined],
      ['FAILED', 'PAYMENT_REFUSED', 'INSUFFICIENT_FUNDS'],
      ['PAID', 'PAYMENT_SUCCEEDED', undefined],
    ]);
  });

  it('shows an expiry at its moment, and the same once it is written', async () => {
    const alone = await startTestService({ roles: ['api'] });
    try {
      const own = paymentRequestCalls(alone, await alone.createMerchant());
      const { id } = (await own.create({ expiryDateTime: '2026-03-01T12:10:00Z' })).json;
      await alone.advance(599.999);
      assert.equal((await own.timeline(id)).json.data.length, 1);
      await alone.advance(0.001);
      const judged = await own.timeline(id);
      assert.deepEqual(judged.json.data[1], {
        type: 'STATUS_CHANGED',
        dateTime: '2026-03-01T12:10:00.000Z',
        status: 'EXPIRED',
        cause: 'EXPIRY_PASSED',
        statusReason: {
          code: 'LINK_EXPIRED',
          message: 'The payment request expired before it was paid.',
        },
      });
      const timer = await startServiceBeside(alone, { roles: ['background'] });
      try {
        await eventually(async () => {
          const [row] = await alone.database.sql('SELECT status FROM payment_requests');
          return row?.status === 'EXPIRED';
        });
        assert.equal((await own.timeline(id)).text, judged.text);
      } finally {
        await timer.stop();
      }
    } finally {
      await alone.stop();
    }
  });

  it('answers 404 to another merchant', async () => {
    const { id } = (await calls.create()).json;
    const stranger = paymentRequestCalls(service, await service.createMerchant());
    for (const each of [id, randomUUID(), 'x']) {
      const answer = await stranger.timeline(each);
      assert.deepEqual([answer.status, answer.json.code], [404, 'PAYMENT_REQUEST_NOT_FOUND']);
    }
  });
});

describe('pages of the timeline', () => {
  it('give every entry once, in the order of the timeline', async () => {
    const { id } = (await calls.create()).json;
    for (let count = 0; count < 7; count++) {
      // Several of one instant, so that a page ends between them.
      if (count % 3 === 0) await service.advance(0.5);
      await calls.update(id, { displayMessage: `change ${count}` });
    }
    await calls.cancel(id);
    const whole = (await calls.timeline(id)).json;
    assert.deepEqual([whole.data.length, whole.hasMore, whole.nextCursor], [10, false, null]);
    for (const limit of [1, 2, 3, 9, 10]) {
      const collected: Entry[] = [];
      let query = `?limit=${limit}`;
      for (let pages = 0; pages < 20 && query !== ''; pages++) {
        const page = (await calls.timeline(id, query)).json;
        assert.ok(page.data.length <= limit);
        assert.equal(page.hasMore, page.nextCursor !== null);
        const next = page.links.find((link: { rel: string }) => link.rel === 'next');
        assert.equal(page.hasMore, next !== undefined);
        if (next) assert.equal(new URL(next.href).searchParams.get('cursor'), page.nextCursor);
        collected.push(...page.data);
        query = next ? new URL(next.href).search : '';
      }
      assert.deepEqual(collected, whole.data, `limit ${limit}`);
    }
  });

  const bad = [
    ['?limit=0', [['limit', 'TOO_LOW']]],
    ['?limit=101', [['limit', 'TOO_HIGH']]],
    ['?limit=1.5', [['limit', 'INVALID_TYPE']]],
    ['?cursor=', [['cursor', 'TOO_SHORT']]],
    ['?cursor=abc', [['cursor', 'INVALID_FORMAT']]],
    [
      `?cursor=${Buffer.from('999999999999999.0.0').toString('base64url')}`,
      [['cursor', 'INVALID_FORMAT']],
    ],
    ['?order=asc', [['order', 'UNKNOWN_FIELD']]],
  ] as const;
  for (const [query, faults] of bad) {
    it(`refuse ${query}`, async () => {
      const { id } = (await calls.create()).json;
      const answer = await calls.timeline(id, query);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), faults);
    });
  }
});

describe('opening a link', () => {
  const openingsOf = async (id: string) =>
    (await entriesOf(id)).filter((entry) => entry.type === 'LINK_OPENED').length;
  const open = (shortCode: string, headers = {}) =>
    navigate(`${service.url}/pay/${shortCode}`, headers);

  it('is noted the first 20 times, and changes neither status nor version', async () => {
    const created = await calls.create();
    const { id, shortCode } = created.json;
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 10 }, () => open(shortCode)));
      const expected = Math.min(20, (round + 1) * 10);
      await eventually(async () => (await openingsOf(id)) === expected, `${expected} openings`);
    }
    const read = await calls.read(id);
    assert.equal(read.text, created.text);
    assert.equal(read.headers.get('etag'), created.headers.get('etag'));
  });

  it('is not noted without a payer: HEAD, a prefetch, a link preview', async () => {
    const { id, shortCode } = (await calls.create()).json;
    await service.call('HEAD', `/pay/${shortCode}`, { headers: { 'sec-fetch-mode': 'navigate' } });
    await open(shortCode, { 'sec-purpose': 'prefetch' });
    await open('0'.repeat(16));
    await open(`qr/${shortCode}`);
    for (const preview of [{}, { 'sec-fetch-mode': 'cors' }, { 'sec-fetch-mode': 'no-cors' }]) {
      const headers = { 'user-agent': 'Slackbot-LinkExpanding 1.0', ...preview };
      const previewed = await send(`${service.url}/pay/${shortCode}`, headers);
      assert.equal(previewed.status, 404);
      assert.match(previewed.text, /This test link can’t be paid/);
    }
    await open(shortCode, { 'x-request-id': 'the-payer' });
    // Notes are written in their order: with the last one all others would be there.
    const openings = await eventually(async () => {
      const entries = (await entriesOf(id)).filter(({ type }) => type === 'LINK_OPENED');
      return entries.some(({ requestId }) => requestId === 'the-payer') && entries;
    }, 'the opening');
    assert.equal(openings.length, 1);
  });

  it('answers the page although the opening cannot be written', async () => {
    const { shortCode, id } = (await calls.create()).json;
    const { sql } = service.database;
    await sql('ALTER TABLE payment_request_timeline RENAME TO away');
    try {
      assert.equal((await open(shortCode)).status, 404);
    } finally {
      await sql('ALTER TABLE away RENAME TO payment_request_timeline');
    }
    // A note that could not be written is given up; the next note is written.
    await eventually(async () => {
      await open(shortCode);
      return (await openingsOf(id)) > 0;
    });
  });
});
