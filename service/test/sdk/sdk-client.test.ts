import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  AccessTokenError,
  amountToCents,
  type Client,
  type ClientOptions,
  createClient,
  entityTagOf,
  ProblemError,
} from '@payment-requests/sdk';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const NEW = { amount: '25.50', payer: { name: 'Ada Lovelace', email: 'ada@example.com' } } as const;

let service: TestService;
let merchant: TestMerchant;
let client: Client;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
  client = createClient(optionsOf(merchant));
});
after(() => service.stop());

function optionsOf({ username, password, apiKey }: TestMerchant): ClientOptions {
  const { url } = service;
  return { baseUrl: `${url}/v1`, authUrl: `${url}/oauth2/token`, username, password, apiKey };
}

describe('the SDK’s client with the service', () => {
  it('creates, reads, changes and cancels a payment request', async () => {
    const created = await client.createPaymentRequest({
      ...NEW,
      merchantTransactionId: 'order-1',
      expiryDateTime: new Date('2026-03-02T12:00:00Z'),
      metadata: { basket: '7' },
    });
    assert.equal(created.status, 'CREATED');
    assert.equal(created.type, 'ECOMM');
    assert.equal(amountToCents(created.amount), 2550);
    assert.equal(created.expiryDateTime, '2026-03-02T12:00:00.000Z');
    assert.deepEqual(await client.getPaymentRequest(created.id), created);

    const ifMatch = entityTagOf(created) ?? '';
    const changes = { displayMessage: 'Row 7', metadata: { basket: null } };
    const changed = await client.updatePaymentRequest(created.id, changes, { ifMatch });
    assert.equal(changed.displayMessage, 'Row 7');
    const late = client.updatePaymentRequest(created.id, { invoiceNumber: '1' }, { ifMatch });
    await assert.rejects(late, { code: 'VERSION_MISMATCH', status: 412 });

    const reason = 'REQUESTED_BY_CUSTOMER';
    const cancelled = await client.cancelPaymentRequest(created.id, { reason });
    assert.equal(cancelled.status, 'CANCELLED');
    assert.equal(cancelled.statusReason?.code, 'CANCELLED_BY_MERCHANT');
    const types: string[] = [];
    for await (const { type } of client.readTimeline(created.id, { pageSize: 2 })) types.push(type);
    assert.deepEqual(types, [
      'STATUS_CHANGED',
      'UPDATED',
      'CANCELLATION_REQUESTED',
      'STATUS_CHANGED',
    ]);
  });

  it('does a creation once, however often it is sent with its key', async () => {
    const key = { idempotencyKey: 'order-2' };
    const [one, other] = [
      await client.createPaymentRequest(NEW, key),
      await client.createPaymentRequest(NEW, key),
    ];
    assert.equal(other.id, one.id);
    const reused = client.createPaymentRequest({ ...NEW, amount: 1 }, key);
    await assert.rejects(reused, { code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('waits for a change, and says null when there was none', async () => {
    const created = await client.createPaymentRequest(NEW);
    const ifNoneMatch = entityTagOf(created) ?? '';
    assert.equal(await client.getPaymentRequest(created.id, { ifNoneMatch }), null);
    const waiting = client.getPaymentRequest(created.id, { ifNoneMatch, waitSeconds: 20 });
    await client.simulateOutcome(created.id, { outcome: 'FAILED', reason: 'INSUFFICIENT_FUNDS' });
    const failed = await waiting;
    assert.equal(failed?.status, 'FAILED');
    assert.equal(failed?.statusReason?.code, 'INSUFFICIENT_FUNDS');
  });

  it('goes through all that a filter matches, over the pages, the newest first', async () => {
    const ids: string[] = [];
    for (const amount of ['1.00', '2.00', '3.00', '4.00', '5.00']) {
      const { id } = await client.createPaymentRequest({ ...NEW, amount, invoiceNumber: 'list' });
      ids.unshift(id);
    }
    const found: string[] = [];
    const filters = { invoiceNumber: 'list', amountMax: '4.00', status: ['CREATED', 'PAID'] };
    for await (const { id } of client.listPaymentRequests(filters, { pageSize: 2 })) found.push(id);
    assert.deepEqual(found, ids.slice(1));
  });

  it('tells a refusal with its fields and the request’s id', async () => {
    const bad = { amount: '0.00', payer: { name: 'Ada' } };
    const error = await client.createPaymentRequest(bad).catch((thrown) => thrown);
    assert.ok(error instanceof ProblemError);
    assert.equal(error.code, 'VALIDATION_ERROR');
    const codes = error.errors.map(({ field, code }) => `${field} ${code}`).sort();
    assert.deepEqual(codes, ['amount TOO_LOW', 'payer.email REQUIRED_ONE_OF']);
    assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/);
    // Strict is the default with credentials of the sandbox.
    const unknown = { ...NEW, colour: 'red' };
    await client.createPaymentRequest(unknown, { strict: false });
    await assert.rejects(client.createPaymentRequest(unknown), { code: 'VALIDATION_ERROR' });
  });

  it('does not know another merchant’s, nor wrong credentials', async () => {
    const { id } = await client.createPaymentRequest(NEW);
    const other = createClient(optionsOf(await service.createMerchant({ name: 'Another' })));
    await assert.rejects(other.getPaymentRequest(id), { code: 'PAYMENT_REQUEST_NOT_FOUND' });
    const wrong = createClient({ ...optionsOf(merchant), password: 'wrong' });
    const error = await wrong.getPaymentRequest(id).catch((thrown) => thrown);
    assert.ok(error instanceof AccessTokenError);
    assert.equal(error.code, 'invalid_client');
  });

  it('goes on when its token has ended over there', async () => {
    const { id } = await client.createPaymentRequest(NEW);
    await service.advance(3_700);
    assert.equal((await client.getPaymentRequest(id)).id, id);
  });

  it('retries what the sandbox lets fail, and gives up with its problem', async () => {
    const hasty = createClient({
      ...optionsOf(merchant),
      clock: { now: () => Date.now(), sleep: async () => {} },
    });
    const payer = { ...NEW.payer, name: 'createError:503' };
    await assert.rejects(hasty.createPaymentRequest({ ...NEW, payer }), {
      code: 'TEMPORARILY_UNAVAILABLE',
      status: 503,
    });
  });
});
