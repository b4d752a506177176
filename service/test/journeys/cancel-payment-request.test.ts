import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
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

let service: TestService;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;

before(async () => {
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
});
after(() => service.stop());

async function create(members?: object): Promise<string> {
  return (await calls.create(members)).json.id;
}

async function webhookEventsOf(id: string): Promise<string[]> {
  const rows = await service.database.sql<{ event_type: string }>(
    'SELECT event_type FROM webhook_events WHERE payment_request_id = $1 ORDER BY sequence',
    [id],
  );
  return rows.map((row) => row.event_type);
}

describe('cancelling a payment request', () => {
  it('answers it as CANCELLED, as it is read from then on, and owes one webhook', async () => {
    const id = await create();
    const cancelled = await calls.cancel(id, { reason: 'DUPLICATE', comment: 'ordered twice' });
    assert.equal(cancelled.status, 200, cancelled.text);
    assert.equal(cancelled.json.status, 'CANCELLED');
    assert.deepEqual(cancelled.json.statusReason, {
      code: 'CANCELLED_BY_MERCHANT',
      message: 'The merchant cancelled the payment request.',
    });
    const read = await calls.read(id);
    assert.equal(read.text, cancelled.text);
    assert.equal(cancelled.headers.get('etag'), read.headers.get('etag'));
    assert.deepEqual(await webhookEventsOf(id), ['PAYMENT-FAILED']);
  });

  it('answers the same again when it is cancelled already, and does nothing twice', async () => {
    const id = await create();
    const first = await calls.cancel(id, { reason: 'ABANDONED' });
    const second = await calls.cancel(id, { reason: 'OTHER' });
    assert.equal(second.status, 200);
    assert.equal(second.text, first.text);
    // The cancellation is done, so the earlier version in If-Match is accepted.
    assert.equal((await calls.cancel(id, {}, { 'if-match': '"1"' })).text, first.text);
    assert.deepEqual(await webhookEventsOf(id), ['PAYMENT-FAILED']);
    const { data } = (await calls.timeline(id)).json;
    const reasons = data.map((entry: { reason?: string }) => entry.reason).filter(Boolean);
    assert.deepEqual(reasons, ['ABANDONED']);
  });

  it('needs no body, and accepts an empty one of every media type', async () => {
    for (const [body, headers] of [
      [undefined, {}],
      ['', { 'content-type': 'application/json' }],
      ['{}', { 'content-type': 'application/json' }],
      ['{"reason":null,"comment":"","other":1}', { 'content-type': 'application/json' }],
    ] as const) {
      const answer = await calls.cancel(await create(), body, headers);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json.status, 'CANCELLED');
    }
  });

  const refused = [
    ['a reason that there is not', { reason: 'BORED' }, [['reason', 'INVALID_VALUE']]],
    ['a comment that is too long', { comment: 'x'.repeat(251) }, [['comment', 'TOO_LONG']]],
    ['a comment of two lines', { comment: 'a\nb' }, [['comment', 'INVALID_FORMAT']]],
    ['half a surrogate pair', { comment: '\ud800' }, [['comment', 'INVALID_FORMAT']]],
    ['a list', [], [['', 'INVALID_TYPE']]],
    [
      'all of it at once',
      { reason: 1, comment: 2 },
      [
        ['reason', 'INVALID_VALUE'],
        ['comment', 'INVALID_TYPE'],
      ],
    ],
  ] as const;
  for (const [what, body, faults] of refused) {
    it(`refuses ${what}, and leaves the payment request open`, async () => {
      const id = await create();
      const answer = await calls.cancel(id, body);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), faults);
      assert.equal((await calls.read(id)).json.status, 'CREATED');
    });
  }

  it('refuses members that it would ignore, for callers that ask for it', async () => {
    const answer = await calls.cancel(
      await create(),
      { reasons: [] },
      { prefer: 'handling=strict' },
    );
    assert.deepEqual(faultsOf(answer), [['reasons', 'UNKNOWN_FIELD']]);
  });

  it('takes no other media type, and no other method', async () => {
    const id = await create();
    const type = { 'content-type': 'application/merge-patch+json' };
    assert.equal((await calls.cancel(id, '{}', type)).status, 415);
    const other = await service.call('DELETE', `/v1/payment-requests/${id}/cancellation`, {
      headers: merchant.headers,
    });
    assert.equal(other.status, 405);
    assert.equal(other.headers.get('allow'), 'POST, OPTIONS');
  });

  const over = [
    [{ outcome: 'PAID' }, 'ALREADY_PAID'],
    [{ outcome: 'FAILED' }, 'ALREADY_FAILED'],
    [{ outcome: 'EXPIRED' }, 'ALREADY_EXPIRED'],
    [{ outcome: 'PROCESSING' }, 'PAYMENT_IN_PROGRESS'],
  ] as const;
  for (const [simulation, code] of over) {
    it(`is refused as ${code} after ${simulation.outcome}, with every If-Match`, async () => {
      const id = await create();
      const before = await calls.simulate(id, simulation);
      assert.equal(before.status, 202, before.text);
      for (const headers of [{}, { 'if-match': '"1"' }]) {
        const answer = await calls.cancel(id, {}, headers);
        assert.equal(answer.status, 409, answer.text);
        assert.equal(answer.json.code, code);
      }
      assert.equal((await calls.read(id)).text, before.text);
    });
  }

  it('is refused once the expiry has passed, written or not', async () => {
    const alone = await startTestService({ roles: ['api'] });
    try {
      const own = paymentRequestCalls(alone, await alone.createMerchant());
      const { id } = (await own.create({ expiryDateTime: '2026-03-01T12:10:00Z' })).json;
      await alone.advance(600);
      const answer = await own.cancel(id);
      assert.deepEqual([answer.status, answer.json.code], [409, 'ALREADY_EXPIRED']);
      const stored = await alone.database.sql('SELECT status FROM payment_requests');
      assert.deepEqual(stored, [{ status: 'CREATED' }]);
    } finally {
      await alone.stop();
    }
  });

  it('knows no id of another merchant: the same answer as to an id that there is not', async () => {
    const id = await create();
    const stranger = paymentRequestCalls(service, await service.createMerchant());
    const [others, unknown, malformed] = await Promise.all([
      stranger.cancel(id),
      stranger.cancel(randomUUID()),
      stranger.cancel('1'),
    ]);
    for (const answer of [others, unknown, malformed]) {
      assert.deepEqual([answer.status, answer.json.code], [404, 'PAYMENT_REQUEST_NOT_FOUND']);
    }
    assert.equal((await calls.read(id)).json.status, 'CREATED');
  });

  it('happens only to the version that If-Match names, by strong comparison', async () => {
    const id = await create();
    await calls.update(id, { displayMessage: 'two' });
    for (const tag of ['"1"', 'W/"2"', '2', '"3", W/"2"', '']) {
      const answer = await calls.cancel(id, {}, { 'if-match': tag });
      assert.deepEqual([answer.status, answer.json.code], [412, 'VERSION_MISMATCH'], tag);
    }
    assert.equal((await calls.cancel(id, {}, { 'if-match': '"1", "2"' })).status, 200);
    assert.equal((await calls.cancel(await create(), {}, { 'if-match': '*' })).status, 200);
  });

  it('is done once for its idempotency key, and answered the same again', async () => {
    const id = await create();
    const key = { 'idempotency-key': randomUUID() };
    const first = await calls.cancel(id, { reason: 'FRAUDULENT' }, key);
    await calls.simulate(id, { outcome: 'PAID' });
    const again = await calls.cancel(id, { reason: 'FRAUDULENT' }, key);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('etag'), first.headers.get('etag'));
    const other = await calls.cancel(id, { reason: 'OTHER' }, key);
    assert.deepEqual([other.status, other.json.code], [422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('that is refused keeps no answer under its key', async () => {
    const id = await create();
    const key = { 'idempotency-key': randomUUID() };
    assert.equal((await calls.cancel(id, {}, { ...key, 'if-match': '"7"' })).status, 412);
    const done = await calls.cancel(id, {}, key);
    assert.equal(done.status, 200);
    assert.equal(done.headers.get('idempotency-replayed'), null);
  });

  it('asked for 20 times at once is done once', async () => {
    const id = await create();
    const answers = await Promise.all(Array.from({ length: 20 }, () => calls.cancel(id)));
    assert.deepEqual([...new Set(answers.map((answer) => answer.text))].length, 1);
    assert.deepEqual(await webhookEventsOf(id), ['PAYMENT-FAILED']);
  });

  it('is logged and measured once, and not when it is answered again', async () => {
    const id = await create();
    const key = { 'idempotency-key': randomUUID() };
    await calls.cancel(id, {}, key);
    await calls.cancel(id, {}, key);
    const moved = service.logLines.filter(
      (line) => line.paymentRequestId === id && line.msg === 'payment request moved',
    );
    assert.deepEqual(
      moved.map(({ from, to }) => [from, to]),
      [['CREATED', 'CANCELLED']],
    );
  });
});
