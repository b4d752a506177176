import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { navigate } from '../support/payment-requests/navigate.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { startProduction } from '../support/service/production.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  // Without the loops, so that a call is the first to find an expiry that has passed.
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant({ uniqueTransactionIds: true });
});
after(() => service.stop());

const WAITERS = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const BODY = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };

function call(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const all = { ...merchant.headers, ...headers };
  return service.call(method, path, { headers: all, ...(body !== undefined && { body }) });
}

async function timelineOf(id: string): Promise<readonly Record<string, unknown>[]> {
  return (await call('GET', `/v1/payment-requests/${id}/timeline`, {})).json.data;
}

describe('the timeline', () => {
  it('names the call that did each thing, by its X-Request-Id', async () => {
    const created = await call('POST', '/v1/payment-requests', { 'x-request-id': 'made-1' }, BODY);
    const { id, paymentLink } = created.json;
    const path = `/v1/payment-requests/${id}`;
    await call('PATCH', path, { 'x-request-id': 'patched-2' }, { invoiceNumber: 'A' });
    await navigate(service.url + new URL(paymentLink).pathname, { 'x-request-id': 'opened-3' });
    await eventually(async () => (await timelineOf(id)).length === 3);
    await call('POST', `${path}/cancellation`, { 'x-request-id': 'cancelled-4' });
    const entries = await timelineOf(id);
    assert.deepEqual(entries.map(({ type, requestId }) => `${type} ${requestId}`).sort(), [
      'CANCELLATION_REQUESTED cancelled-4',
      'LINK_OPENED opened-3',
      'STATUS_CHANGED cancelled-4',
      'STATUS_CHANGED made-1',
      'UPDATED patched-2',
    ]);
  });

  it('names its own call for each of many creations that share a statement', async () => {
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        call('POST', '/v1/payment-requests', { 'x-request-id': `shared-${n}` }, BODY),
      ),
    );
    for (const [n, { json }] of created.entries()) {
      const [first] = await timelineOf(json.id);
      assert.equal(first?.requestId, `shared-${n}`);
    }
  });

  it('names the call that had a transaction of its own, for its key or its transaction id', async () => {
    const headers = { 'x-request-id': 'own-1', 'idempotency-key': 'key-1' };
    const body = { ...BODY, merchantTransactionId: 'order-1' };
    const { json } = await call('POST', '/v1/payment-requests', headers, body);
    assert.equal((await timelineOf(json.id))[0]?.requestId, 'own-1');
  });

  it('names no call for what the clock did, also where a call found it', async () => {
    const { json } = await call('POST', '/v1/payment-requests', { 'x-request-id': 'made-5' }, BODY);
    await service.database.sql(
      "UPDATE payment_requests SET expires_at = created_at + interval '1 min' WHERE id = $1",
      [json.id],
    );
    await service.advance(120);
    const path = `/v1/payment-requests/${json.id}`;
    assert.equal((await call('POST', `${path}/cancellation`, {})).status, 409);
    // This call writes the expiry down, and then what it does itself.
    const headers = { 'x-request-id': 'simulated-6' };
    const simulations = `/v1/sandbox/payment-requests/${json.id}/simulations`;
    const simulated = await call('POST', simulations, headers, { outcome: 'PAID' });
    assert.equal(simulated.status, 202, simulated.text);
    const entries = await timelineOf(json.id);
    assert.deepEqual(
      entries.map(({ status, requestId }) => [status, requestId]),
      [
        ['CREATED', 'made-5'],
        ['EXPIRED', undefined],
        ['PAID', 'simulated-6'],
      ],
    );
  });

  it('names no call for a report of the network, though a payer’s call brought it', async () => {
    const production = await startProduction();
    const { database } = production.service;
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    try {
      for (const isHeld of [false, true]) {
        const link = await production.createLink();
        const payer = createPayer(production.service);
        const confirm = await payer.signIn(link.paymentLink, 'approve');
        // A report about a locked payment request has a transaction of its own.
        await holder.query('BEGIN');
        const lock = 'SELECT FROM payment_requests WHERE id = $1 FOR UPDATE';
        if (isHeld) await holder.query(lock, [link.id]);
        const confirmed = payer.send(confirm, { decision: 'confirm' });
        if (isHeld) await eventually(() => database.sql(WAITERS).then(({ length }) => length > 0));
        await holder.query('COMMIT');
        await confirmed;
        const path = `/v1/payment-requests/${link.id}/timeline`;
        const { data } = (await production.call('GET', path)).json;
        const paid = data.find(({ status }: { status?: string }) => status === 'PAID');
        assert.deepEqual([paid?.cause, paid?.requestId], ['PAYMENT_SUCCEEDED', undefined]);
      }
    } finally {
      await holder.end();
      await production.stop();
    }
  });
});

describe('the trace of a payment request', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

  async function kept(traceparent: string): Promise<string | null> {
    const { json } = await call('POST', '/v1/payment-requests', { traceparent }, BODY);
    const [row] = await service.database.sql<{ trace_parent: string | null }>(
      'SELECT trace_parent FROM payment_requests WHERE id = $1',
      [json.id],
    );
    return row?.trace_parent ?? null;
  }

  it('is that of the call that created it', async () => {
    const header = `00-${TRACE}-00f067aa0ba902b7-01`;
    assert.equal(await kept(header), header);
  });

  it('is read from a later version of the header by the members that are known', async () => {
    assert.equal(
      await kept(`cc-${TRACE}-00f067aa0ba902b7-03-what-the-future-brings`),
      `00-${TRACE}-00f067aa0ba902b7-01`,
    );
  });

  for (const [what, header] of Object.entries({
    'the forbidden version': `ff-${TRACE}-00f067aa0ba902b7-01`,
    'a trace id of zeros': `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    'a parent id of zeros': `00-${TRACE}-${'0'.repeat(16)}-01`,
    'capital letters': `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    'something after the flags of version 00': `00-${TRACE}-00f067aa0ba902b7-01-x`,
    'a short trace id': `00-${TRACE.slice(2)}-00f067aa0ba902b7-01`,
    'two headers': `00-${TRACE}-00f067aa0ba902b7-01, 00-${TRACE}-00f067aa0ba902b7-01`,
    'other text': "'; DROP TABLE payment_requests; --",
  })) {
    it(`is none where the header has ${what}`, async () => {
      assert.equal(await kept(header), null);
    });
  }
});
