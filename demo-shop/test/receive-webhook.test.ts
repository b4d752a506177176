import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  type AnyWebhookEvent,
  makeTestWebhook,
  type PaymentRequestStatus,
  type TestWebhookResource,
  type WebhookEvent,
} from '@payment-requests/sdk';
import { merchantTransactionIdOf, type NewOrder } from '../src/order.ts';
import { type OrderStore, openOrderStore } from '../src/order-store.ts';
import { receiveWebhook } from '../src/payment/receive-webhook.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const CREDENTIALS = {
  username: 'listener',
  password: 'password',
  signingSecret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
};
const TOTAL_CENTS = 3150;
const ORDER: NewOrder = {
  name: 'Ada',
  email: 'ada@example.com',
  mobileNumber: null,
  language: 'en',
  tender: 'E_TRANSFER',
  lines: [{ sku: 'harbour', name: 'Harbour', quantity: 2, lineCents: TOTAL_CENTS }],
  totalCents: TOTAL_CENTS,
};

describe('receiveWebhook', () => {
  let orders: OrderStore;
  let orderId: string;

  beforeEach(() => {
    orders = openOrderStore(':memory:');
    orderId = orders.placeOrder(ORDER, 'checkout-token', NOW).id;
  });
  afterEach(() => orders.close());

  const receive = (event: AnyWebhookEvent) => receiveWebhook({ orders, now: () => NOW }, event);
  const releasedAt = () => orders.findOrder(orderId)?.releasedAt;
  const statusOf = () => orders.findOrder(orderId)?.payment?.status;

  /** An event about the order's first payment request. */
  async function makeEvent(resource: TestWebhookResource = {}): Promise<WebhookEvent> {
    const merchantTransactionId = merchantTransactionIdOf(orderId, 1);
    const about = { id: 'payment-request-1', amount: '31.50', merchantTransactionId };
    return (await makeTestWebhook({ ...about, ...resource }, CREDENTIALS)).event;
  }
  /** An event with the last of these statuses, after the others. */
  function makeEventAfter(...statuses: PaymentRequestStatus[]): Promise<WebhookEvent> {
    const events = statuses.map((status) => ({ status, dateTime: NOW.toISOString() }));
    return makeEvent({ status: statuses.at(-1) ?? '', events });
  }

  it('releases an order when PAID arrives with its total', async () => {
    assert.equal(receive(await makeEvent()), 'RELEASED');
    assert.equal(releasedAt(), NOW.toISOString());
  });

  it('releases no order for one cent more or less than its total', async () => {
    for (const amount of ['31.51', '31.49']) {
      assert.equal(receive(await makeEvent({ amount })), 'AMOUNT_DIFFERS', amount);
      assert.equal(releasedAt(), null, amount);
    }
  });

  it('releases no order for a status other than PAID', async () => {
    for (const status of ['CREATED', 'PROCESSING', 'FAILED', 'EXPIRED', 'CANCELLED', 'REFUNDED']) {
      assert.equal(receive(await makeEvent({ status })), 'NOTED', status);
      assert.equal(releasedAt(), null, status);
    }
  });

  it('releases no order for money that went back, which leaves PAID', async () => {
    const merchantTransactionId = merchantTransactionIdOf(orderId, 1);
    const resource = { id: 'payment-request-1', amount: '31.50', merchantTransactionId };
    const options = { eventType: 'PAYMENT-RETURNED' } as const;
    const { event } = await makeTestWebhook(resource, CREDENTIALS, options);
    assert.equal(receive(event), 'NOTED');
    assert.equal(releasedAt(), null);
    assert.equal(statusOf(), 'PAID');
  });

  it('releases no order and stores no status for a test webhook', async () => {
    assert.equal(receive({ ...(await makeEvent()), test: true }), 'UNKNOWN');
    assert.equal(releasedAt(), null);
    assert.equal(statusOf(), undefined);
  });

  it('keeps the newer status when an older webhook arrives later', async () => {
    receive(await makeEventAfter('CREATED', 'PROCESSING', 'FAILED'));
    assert.equal(receive(await makeEventAfter('CREATED', 'PROCESSING')), 'NOTED');
    assert.equal(statusOf(), 'FAILED');
    receive(await makeEventAfter('CREATED', 'PROCESSING', 'FAILED', 'PAID'));
    assert.equal(statusOf(), 'PAID');
  });

  it('answers REPEAT to a repeat and changes nothing', async () => {
    const event = await makeEvent();
    assert.equal(receive(event), 'RELEASED');
    assert.equal(receive(event), 'REPEAT');
    const [notification, ...others] = orders.listNotifications(orderId);
    assert.deepEqual(others, []);
    assert.equal(notification?.outcome, 'RELEASED');
    assert.equal(notification?.timesReceived, 2);
  });

  it('reports a second payment of a released order', async () => {
    receive(await makeEvent());
    const merchantTransactionId = merchantTransactionIdOf(orderId, 2);
    const second = await makeEvent({ id: 'payment-request-2', merchantTransactionId });
    assert.equal(receive(second), 'PAID_AGAIN');
  });
});
