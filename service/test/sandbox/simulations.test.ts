import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Status } from '#payment-requests/model/statuses.ts';
import { REFUSAL_CODES } from '#sandbox/outcomes.ts';
import { SIMULATED_STATUSES as OUTCOMES } from '#sandbox/simulation-schemas.ts';
import { eventually } from '../support/eventually.ts';
import {
  faultsOf,
  type PaymentRequestCalls,
  paymentRequestCalls,
  statusesOf,
} from '../support/payment-requests/payment-requests.ts';
import { createPaid, newRefundId, refundCalls } from '../support/refunds/refund-calls.ts';
import {
  type Answer,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let production: TestService;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;

before(async () => {
  [service, production] = await Promise.all([
    startTestService({ roles: ['api'] }),
    startTestService({ environment: 'production', roles: ['api'] }),
  ]);
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
});
after(() => Promise.all([service?.stop(), production?.stop()]));

async function create(members?: object): Promise<string> {
  return (await calls.create(members)).json.id;
}

async function webhookEventsOf(id: string) {
  const rows = await service.database.sql<{ event_type: string; sequence: number; body: string }>(
    'SELECT event_type, sequence, body FROM webhook_events WHERE payment_request_id = $1 ORDER BY 2',
    [id],
  );
  return rows;
}

/** The statuses that a payment request can have in the sandbox. */
const SIMULATED_STATUSES = [
  'CREATED',
  'PROCESSING',
  'PAID',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
] as const satisfies readonly Status[];
type SimulatedStatus = (typeof SIMULATED_STATUSES)[number];

/** The calls that bring a payment request to a status. */
const WAY: Readonly<Record<SimulatedStatus, (id: string) => Promise<Answer>>> = {
  CREATED: (id) => calls.read(id),
  PROCESSING: (id) => calls.simulate(id, { outcome: 'PROCESSING' }),
  PAID: (id) => calls.simulate(id, { outcome: 'PAID' }),
  FAILED: (id) => calls.simulate(id, { outcome: 'FAILED' }),
  EXPIRED: (id) => calls.simulate(id, { outcome: 'EXPIRED' }),
  CANCELLED: (id) => calls.cancel(id),
};

/** The possible outcomes (contract §5 and §8), listed by hand; the rest is refused. */
const POSSIBLE: Readonly<Record<SimulatedStatus, readonly string[]>> = {
  CREATED: ['PAID', 'FAILED', 'EXPIRED', 'PROCESSING'],
  PROCESSING: ['PAID', 'FAILED'],
  PAID: [],
  FAILED: ['PAID'],
  EXPIRED: ['PAID'],
  CANCELLED: ['PAID'],
};

const CODE: Readonly<Record<Exclude<SimulatedStatus, 'CREATED'>, string>> = {
  PROCESSING: 'PAYMENT_IN_PROGRESS',
  PAID: 'ALREADY_PAID',
  FAILED: 'ALREADY_FAILED',
  EXPIRED: 'ALREADY_EXPIRED',
  CANCELLED: 'ALREADY_CANCELLED',
};

describe('a simulation by hand', () => {
  for (const status of SIMULATED_STATUSES) {
    for (const outcome of OUTCOMES) {
      const isPossible = POSSIBLE[status].includes(outcome);
      it(`to ${outcome} in ${status} is ${isPossible ? 'done' : 'refused'}`, async () => {
        const id = await create();
        const before = await WAY[status](id);
        assert.equal(before.json.status, status, before.text);
        const answer = await calls.simulate(id, { outcome });
        const read = await calls.read(id);
        if (isPossible) {
          assert.equal(answer.status, 202, answer.text);
          assert.equal(answer.json.status, outcome);
          assert.equal(answer.text, read.text);
          assert.equal(answer.headers.get('etag'), read.headers.get('etag'));
        } else {
          assert.equal(answer.status, 409, answer.text);
          assert.equal(answer.json.code, CODE[status as keyof typeof CODE]);
          assert.equal(read.text, before.text);
        }
      });
    }
  }

  for (const reason of REFUSAL_CODES) {
    it(`to FAILED takes the reason ${reason}`, async () => {
      const answer = await calls.simulate(await create(), { outcome: 'FAILED', reason });
      assert.equal(answer.json.statusReason.code, reason);
    });
  }

  it('to FAILED without a reason is the payer’s own refusal', async () => {
    const answer = await calls.simulate(await create(), { outcome: 'FAILED' });
    assert.equal(answer.json.statusReason.code, 'PAYER_DECLINED');
  });

  it('to EXPIRED brings the expiry forward to now', async () => {
    const answer = await calls.simulate(await create(), { outcome: 'EXPIRED' });
    const now = service.clock.now().toISOString();
    assert.equal(answer.json.expiryDateTime, now);
    assert.equal(answer.json.events.at(-1).dateTime, now);
    assert.equal(answer.json.statusReason.code, 'LINK_EXPIRED');
  });

  it('to PAID shows who paid and when', async () => {
    const { json } = await calls.simulate(await create(), { outcome: 'PAID' });
    assert.equal(json.payment.institution, 'Sandbox Simulator');
    assert.equal(json.payment.completedDateTime, service.clock.now().toISOString());
    assert.equal(json.paidLate, undefined);
  });

  const refused = [
    [{}, [['outcome', 'REQUIRED']]],
    [{ outcome: 'CANCELLED' }, [['outcome', 'INVALID_VALUE']]],
    [{ outcome: 'FAILED', reason: 'LINK_EXPIRED' }, [['reason', 'INVALID_VALUE']]],
    [{ outcome: 'FAILED', reason: 'CANCELLED_BY_MERCHANT' }, [['reason', 'INVALID_VALUE']]],
    [{ outcome: 'PAID', reason: 'PAYER_DECLINED' }, [['reason', 'INVALID_VALUE']]],
    [[], [['', 'INVALID_TYPE']]],
  ] as const;
  for (const [body, faults] of refused) {
    it(`with ${JSON.stringify(body)} is refused, and changes nothing`, async () => {
      const id = await create();
      const answer = await calls.simulate(id, body);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), faults);
      assert.equal((await calls.read(id)).json.status, 'CREATED');
    });
  }

  it('answers 404 to another merchant', async () => {
    const stranger = paymentRequestCalls(service, await service.createMerchant());
    for (const id of [await create(), randomUUID(), 'x']) {
      const answer = await stranger.simulate(id, { outcome: 'PAID' });
      assert.deepEqual([answer.status, answer.json.code], [404, 'PAYMENT_REQUEST_NOT_FOUND']);
    }
  });

  it('is done once for its idempotency key', async () => {
    const id = await create();
    const key = { 'idempotency-key': randomUUID() };
    const first = await calls.simulate(id, { outcome: 'PAID' }, key);
    const again = await calls.simulate(id, { outcome: 'PAID' }, key);
    assert.equal(again.status, 202);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal((await calls.simulate(id, { outcome: 'PAID' })).status, 409);
  });

  it('has no route beside it that makes merchants: only a package for tests has one', async () => {
    for (const each of [service, production]) {
      const { status } = await each.call('POST', '/v1/sandbox/merchants', { body: {} });
      assert.equal(status, 404);
    }
  });

  it('exists in the sandbox only: in production its route is unknown', async () => {
    const { headers } = await production.createMerchant();
    const details: string[] = [];
    const ask = async (method: string, path: string) => {
      const answer = await production.call(method, path, {
        headers: { ...headers, 'x-request-id': 'same' },
        body: method === 'POST' ? { outcome: 'PAID' } : undefined,
      });
      const { instance: _, detail, ...json } = answer.json;
      const { 'content-length': __, ...told } = Object.fromEntries(answer.headers);
      details.push(detail);
      return { status: answer.status, json, headers: { ...told, date: '' } };
    };
    const id = randomUUID();
    const own = `/payment-requests/${id}`;
    const paths = [`${own}/simulations`, `${own}/advance`, `/refunds/${id}/simulations`];
    for (const [method, path] of paths.flatMap((each) => [
      ['POST', `/sandbox${each}`] as const,
      ['GET', `/sandbox${each}`] as const,
    ])) {
      const simulations = await ask(method, `/v1${path}`);
      assert.equal(simulations.json.code, 'ROUTE_NOT_FOUND');
      assert.deepEqual(simulations, await ask(method, `/v1/nothing${path}`));
      assert.match(details.at(-2) ?? '', /Simulations exist only in the sandbox/);
      assert.doesNotMatch(details.at(-1) ?? '', /simulations|in the sandbox/i);
    }
  });
});

describe('money that a simulation moves', () => {
  const entriesOf = (id: string) =>
    service.database.sql<{ type: string; cents: number }>(
      `SELECT type, amount_cents::int AS cents FROM ledger_entries
       WHERE payment_request_id = $1 ORDER BY position`,
      [id],
    );
  const typesOf = async (id: string) => (await webhookEventsOf(id)).map((row) => row.event_type);

  it('arrives in parts, and PAID brings the rest', async () => {
    const id = await create();
    const part = await calls.simulate(id, { outcome: 'PART_PAYMENT' });
    assert.deepEqual([part.status, part.json.status], [202, 'CREATED'], part.text);
    await calls.simulate(id, { outcome: 'PART_PAYMENT' });
    const paid = await calls.simulate(id, { outcome: 'PAID' });
    assert.equal(paid.json.payment.amountReceived, 12.34);
    assert.deepEqual(await entriesOf(id), [
      { type: 'PART_PAYMENT', cents: 617 },
      { type: 'PART_PAYMENT', cents: 308 },
      { type: 'PAYMENT', cents: 309 },
    ]);
    assert.equal((await calls.simulate(id, { outcome: 'PART_PAYMENT' })).json.code, 'ALREADY_PAID');
  });

  it('arrives a second time, beside the payment', async () => {
    const id = await create();
    assert.equal((await calls.simulate(id, { outcome: 'SECOND_PAYMENT' })).json.code, 'NOT_PAID');
    await calls.simulate(id, { outcome: 'PAID' });
    const second = await calls.simulate(id, { outcome: 'SECOND_PAYMENT' });
    assert.deepEqual([second.status, second.json.status], [202, 'PAID']);
    assert.equal(second.json.refundSummary.amountAvailable, 12.34);
    assert.deepEqual(await entriesOf(id), [
      { type: 'PAYMENT', cents: 1_234 },
      { type: 'SECOND_PAYMENT', cents: 1_234 },
    ]);
  });

  it('arrives again and again, and the payment goes back all the same', async () => {
    const id = await create();
    await calls.simulate(id, { outcome: 'PAID' });
    for (const outcome of ['SECOND_PAYMENT', 'SECOND_PAYMENT', 'RETURNED']) {
      assert.equal((await calls.simulate(id, { outcome })).status, 202, outcome);
    }
    assert.deepEqual(
      (await entriesOf(id)).map(({ type }) => type),
      ['PAYMENT', 'SECOND_PAYMENT', 'SECOND_PAYMENT', 'RETURN'],
    );
    assert.equal((await calls.read(id)).json.refundSummary.amountAvailable, 0);
  });

  it('goes back, and nothing is left for a refund', async () => {
    const id = await create();
    assert.equal((await calls.simulate(id, { outcome: 'RETURNED' })).json.code, 'NOT_PAID');
    await calls.simulate(id, { outcome: 'PAID' });
    const returned = await calls.simulate(id, { outcome: 'RETURNED' });
    assert.deepEqual([returned.status, returned.json.status], [202, 'PAID']);
    assert.equal(returned.json.refundSummary.amountReturned, 12.34);
    assert.equal(returned.json.refundSummary.amountAvailable, 0);
    assert.deepEqual(await typesOf(id), ['PAYMENT-COMPLETED', 'PAYMENT-RETURNED']);
    assert.equal((await calls.simulate(id, { outcome: 'RETURNED' })).json.code, 'NOT_PAID');
  });

  it('is refused where a part would be nothing', async () => {
    const id = await create({ amount: 0.01 });
    const answer = await calls.simulate(id, { outcome: 'PART_PAYMENT' });
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(faultsOf(answer), [['outcome', 'INVALID_VALUE']]);
  });
});

describe('an unknown code', () => {
  it('is refused alike wherever it stands, with the name of its field', async () => {
    const { headers } = merchant;
    const payer = { name: 'depositFail:FOO', email: 'ada@example.com' };
    const body = { amount: 1, type: 'ECOMM', payer };
    const created = await service.call('POST', '/v1/payment-requests', { headers, body });
    const id = await createPaid(service, merchant);
    const refunds = refundCalls(service, merchant);
    const merchantRefundId = newRefundId();
    const refund = await refunds.refund(id, { message: 'refundFail:FOO', merchantRefundId });
    const byHand = await calls.simulate(id, { outcome: 'FAILED', reason: 'FOO' });
    const { json } = await refunds.created(id);
    const asked = { outcome: 'FAILED', reason: 'LINK_EXPIRED' };
    const ofRefund = await refunds.simulate(json.id, asked);
    const answers = [created, refund, byHand, ofRefund];
    for (const { status, json } of answers) {
      assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR']);
    }
    assert.deepEqual(answers.map(faultsOf), [
      [['payer.name', 'INVALID_VALUE']],
      [['message', 'INVALID_VALUE']],
      [['reason', 'INVALID_VALUE']],
      [['reason', 'INVALID_VALUE']],
    ]);
  });
});

describe('money that arrives late', () => {
  const late = [
    ['FAILED', (id: string) => calls.simulate(id, { outcome: 'FAILED' })],
    ['EXPIRED', (id: string) => calls.simulate(id, { outcome: 'EXPIRED' })],
    ['CANCELLED', (id: string) => calls.cancel(id, { reason: 'ABANDONED' })],
  ] as const;
  for (const [status, end] of late) {
    it(`after ${status} makes PAID with paidLate, and both webhook events come in order`, async () => {
      const id = await create();
      await end(id);
      const paid = await calls.simulate(id, { outcome: 'PAID' });
      assert.equal(paid.json.paidLate, true);
      assert.equal(paid.json.statusReason, undefined);
      assert.deepEqual(statusesOf(paid), ['CREATED', status, 'PAID']);
      const events = await webhookEventsOf(id);
      assert.deepEqual(
        events.map(({ sequence, event_type }) => [sequence, event_type]),
        [
          [1, 'PAYMENT-FAILED'],
          [2, 'PAYMENT-COMPLETED'],
        ],
      );
      assert.deepEqual(JSON.parse(events[1]?.body ?? '').resource, paid.json);
    });
  }

  it('after an unwritten expiry is late too', async () => {
    const alone = await startTestService({ roles: ['api'] });
    try {
      const own = paymentRequestCalls(alone, await alone.createMerchant());
      const { id } = (await own.create({ expiryDateTime: '2026-03-01T12:10:00Z' })).json;
      await alone.advance(601);
      const paid = await own.simulate(id, { outcome: 'PAID' });
      assert.equal(paid.json.paidLate, true);
      assert.deepEqual(paid.json.events, [
        { status: 'CREATED', dateTime: '2026-03-01T12:00:00.000Z' },
        { status: 'EXPIRED', dateTime: '2026-03-01T12:10:00.000Z' },
        { status: 'PAID', dateTime: '2026-03-01T12:10:01.000Z' },
      ]);
    } finally {
      await alone.stop();
    }
  });

  it('ends depositLate, seen through the calls', async () => {
    const alone = await startTestService();
    try {
      const own = paymentRequestCalls(alone, await alone.createMerchant());
      const payer = { name: 'depositLate', email: 'ada@example.com' };
      const { id } = (await own.create({ payer })).json;
      const becomes = (status: string) =>
        eventually(async () => {
          const { json } = await own.read(id);
          return json.status === status && json;
        }, status);
      await alone.advance(10.5);
      const expired = await becomes('EXPIRED');
      assert.equal(expired.expiryDateTime, alone.clock.now().toISOString());
      await alone.advance(10);
      const paid = await becomes('PAID');
      assert.equal(paid.paidLate, true);
      assert.ok(paid.payment.networkReference);
    } finally {
      await alone.stop();
    }
  });
});
