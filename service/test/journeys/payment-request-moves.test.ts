import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Cause } from '#payment-requests/model/cause.ts';
import {
  CAUSES,
  type CauseName,
  findTransition,
  STATUSES,
  type Status,
  TRANSITIONS,
} from '#payment-requests/model/statuses.ts';
import { changeStatus } from '#payment-requests/status/change-status.ts';
import { expirePaymentRequests } from '#payment-requests/status/expire-overdue.ts';
import { PUBLIC_SETTINGS } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const GOOD = { amount: 12.34, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  // Without loops: only the tests move anything.
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant();
});
after(() => service.stop());

async function create(body: object = GOOD): Promise<string> {
  const answer = await service.call('POST', '/v1/payment-requests', {
    headers: merchant.headers,
    body,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.id;
}

async function read(id: string) {
  const { headers } = merchant;
  return (await service.call('GET', `/v1/payment-requests/${id}`, { headers })).json;
}

/** The causes that bring data. */
const CAUSES_WITH_DATA = {
  PAYMENT_SUCCEEDED: {
    name: 'PAYMENT_SUCCEEDED',
    amountCents: 1234,
    institution: 'Maple Bank',
    networkReference: 'REF-1',
    completedAt: new Date('2026-03-01T11:59:59.000Z'),
  },
  PAYMENT_REFUSED: { name: 'PAYMENT_REFUSED', reasonCode: 'INSUFFICIENT_FUNDS' },
} as const;

function causeOf(name: Exclude<CauseName, 'CREATED'>): Cause {
  if (name === 'PAYMENT_SUCCEEDED' || name === 'PAYMENT_REFUSED') return CAUSES_WITH_DATA[name];
  return { name };
}

/** The operator's alerts. */
const alerts: string[] = [];

const DEPS = {
  settings: PUBLIC_SETTINGS,
  wakeSenders() {},
  onStatusChanged() {},
  onCaseOpened: ({ kind }: { readonly kind: string }) => alerts.push(kind),
};

function move(id: string, cause: Cause) {
  const deps = { ...DEPS, db: service.database.db, clock: service.clock };
  return changeStatus(deps, id, cause);
}

/** The causes that lead to a status from the creation on, by the shortest way. */
function wayTo(status: Status): readonly Exclude<CauseName, 'CREATED'>[] {
  const ways = new Map<Status, readonly Exclude<CauseName, 'CREATED'>[]>([['CREATED', []]]);
  for (const [from, way] of ways) {
    for (const row of TRANSITIONS) {
      if (row.from === from && !ways.has(row.to)) ways.set(row.to, [...way, row.cause]);
    }
  }
  return ways.get(status) ?? [];
}

async function bringTo(status: Status): Promise<string> {
  const id = await create();
  for (const name of wayTo(status)) {
    if (name === 'EXPIRY_PASSED') await expire(id);
    await move(id, causeOf(name));
  }
  assert.equal((await read(id)).status, status);
  return id;
}

function expire(id: string) {
  const { sql } = service.database;
  return sql('UPDATE payment_requests SET expires_at = created_at WHERE id = $1', [id]);
}

async function eventsOf(id: string) {
  return service.database.sql<{ sequence: number; event_type: string; body: string }>(
    'SELECT sequence, event_type, body FROM webhook_events WHERE payment_request_id = $1 ORDER BY 1',
    [id],
  );
}

describe('a status changes exactly as the table says', () => {
  const causes = CAUSES.filter((cause) => cause !== 'CREATED');
  for (const from of STATUSES) {
    for (const name of causes) {
      const row = findTransition(from, name);
      it(`${name} in ${from}: ${row ? row.to : 'refused'}`, async () => {
        const id = await bringTo(from);
        const eventsBefore = await eventsOf(id);
        if (name === 'EXPIRY_PASSED' && from === 'CREATED') await expire(id);
        const before = await read(id);
        const result = await move(id, causeOf(name));
        const after = await read(id);
        if (!row) {
          assert.equal(result?.outcome, 'REFUSED');
          assert.deepEqual(after, before);
          assert.deepEqual(await eventsOf(id), eventsBefore);
          return;
        }
        assert.equal(result?.outcome, 'CHANGED');
        assert.equal(after.status, row.to);
        assert.equal(after.events.at(-1).status, row.to);
        assert.equal(after.paidLate, row.paidLate);
        const owed = (await eventsOf(id)).slice(eventsBefore.length);
        assert.deepEqual(
          owed.map((event) => event.event_type),
          row.webhook ? [row.webhook] : [],
        );
        if (row.webhook) {
          const body = JSON.parse(owed[0]?.body ?? '');
          assert.deepEqual(body.resource, after);
          assert.equal(body.sequence, eventsBefore.length + 1);
        }
      });
    }
  }
});

describe('money', () => {
  for (const [amount, arrivedCents] of [
    ['one cent less', 1233],
    ['one cent more', 1235],
  ] as const) {
    it(`with ${amount} opens one operator case with one alert and changes no status`, async () => {
      const id = await create();
      alerts.length = 0;
      for (let time = 0; time < 3; time++) {
        const result = await move(id, {
          ...CAUSES_WITH_DATA.PAYMENT_SUCCEEDED,
          amountCents: arrivedCents,
        });
        assert.equal(result?.outcome, 'HELD_FOR_OPERATOR');
      }
      assert.deepEqual(alerts, ['AMOUNT_MISMATCH']);
      assert.equal((await read(id)).status, 'CREATED');
      assert.deepEqual(await eventsOf(id), []);
      const cases = await service.database.sql(
        'SELECT kind, details FROM operator_cases WHERE payment_request_id = $1',
        [id],
      );
      assert.deepEqual(cases, [
        {
          kind: 'AMOUNT_MISMATCH',
          details: { askedCents: 1234, arrivedCents, networkReference: 'REF-1' },
        },
      ]);
    });
  }

  it('that arrives after an unwritten expiry is late, and both are notified', async () => {
    const id = await create();
    await expire(id);
    assert.equal((await move(id, CAUSES_WITH_DATA.PAYMENT_SUCCEEDED))?.outcome, 'CHANGED');
    const { status, paidLate, events, payment } = await read(id);
    assert.equal(status, 'PAID');
    assert.equal(paidLate, true);
    assert.deepEqual(
      events.map((event: { status: string }) => event.status),
      ['CREATED', 'EXPIRED', 'PAID'],
    );
    assert.deepEqual(payment, {
      institution: 'Maple Bank',
      networkReference: 'REF-1',
      completedDateTime: '2026-03-01T11:59:59.000Z',
      amountReceived: 12.34,
    });
    assert.deepEqual(
      (await eventsOf(id)).map(({ sequence, event_type }) => [sequence, event_type]),
      [
        [1, 'PAYMENT-FAILED'],
        [2, 'PAYMENT-COMPLETED'],
      ],
    );
  });

  it('that is reported 20 times at once is paid once', async () => {
    const id = await create();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => move(id, CAUSES_WITH_DATA.PAYMENT_SUCCEEDED)),
    );
    const outcomes = results.map((result) => result?.outcome);
    assert.equal(outcomes.filter((outcome) => outcome === 'CHANGED').length, 1);
    assert.equal((await eventsOf(id)).length, 1);
    assert.equal((await read(id)).events.length, 2);
  });
});

describe('the events of a payment request', () => {
  it('never run backwards when the clock of another machine is behind', async () => {
    const id = await create();
    const { createdDateTime } = await read(id);
    const behind = { ...service.clock, now: () => new Date('2020-01-01T00:00:00Z') };
    const deps = { ...DEPS, db: service.database.db, clock: behind };
    await changeStatus(deps, id, { name: 'PAYMENT_ACCEPTED' });
    const { events } = await read(id);
    assert.deepEqual(
      events.map((event: { dateTime: string }) => event.dateTime),
      [createdDateTime, createdDateTime],
    );
  });
});

describe('expiry', () => {
  it('is applied by a read to the millisecond, and the timer writes exactly what was read', async () => {
    const alone = await startTestService({ roles: ['api'] });
    try {
      const { headers } = await alone.createMerchant();
      const body = { ...GOOD, expiryDateTime: '2026-03-01T12:10:00.000Z' };
      const created = await alone.call('POST', '/v1/payment-requests', { headers, body });
      const readIt = () =>
        alone.call('GET', `/v1/payment-requests/${created.json.id}`, { headers });
      await alone.advance(599.999);
      assert.equal((await readIt()).text, created.text);
      await alone.advance(0.001);
      const judged = await readIt();
      assert.equal(judged.json.status, 'EXPIRED');
      assert.equal(judged.json.statusReason.code, 'LINK_EXPIRED');
      assert.deepEqual(judged.json.events.at(-1), {
        status: 'EXPIRED',
        dateTime: '2026-03-01T12:10:00.000Z',
      });
      const storedStatus = async () =>
        (await alone.database.sql('SELECT status FROM payment_requests'))[0]?.status;
      assert.equal(await storedStatus(), 'CREATED');

      await alone.advance(3);
      const { db } = alone.database;
      const deps = { ...DEPS, db, clock: alone.clock };
      assert.equal(await expirePaymentRequests(deps, new AbortController().signal), false);
      assert.equal(await storedStatus(), 'EXPIRED');
      const written = await readIt();
      assert.equal(written.text, judged.text);
      assert.equal(written.headers.get('etag'), judged.headers.get('etag'));
    } finally {
      await alone.stop();
    }
  });
});
