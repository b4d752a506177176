import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  type AnyWebhookEvent,
  makeTestRefundWebhook,
  makeTestWebhook,
  type PaymentRequestStatus,
  type TestRefundResource,
  type TestWebhookResource,
  type WebhookEvent,
} from '@payment-requests/sdk';
import { merchantTransactionIdOf, type NewOrder, orderStateOf } from '../src/order.ts';
import { type OrderStore, openOrderStore } from '../src/order-store.ts';
import { readListenerPort } from '../src/payment/listener-port.ts';
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
    assert.equal(receive(event), 'RETURNED');
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

  /** PAYMENT-RETURNED: the payment request stays PAID. */
  async function makeReturned(): Promise<AnyWebhookEvent> {
    const merchantTransactionId = merchantTransactionIdOf(orderId, 1);
    const about = { id: 'payment-request-1', amount: '31.50', merchantTransactionId };
    const options = { eventType: 'PAYMENT-RETURNED' } as const;
    return (await makeTestWebhook(about, CREDENTIALS, options)).event;
  }
  async function makeRefundEvent(resource: TestRefundResource = {}): Promise<AnyWebhookEvent> {
    const about = { paymentRequestId: 'payment-request-1', merchantRefundId: 'refund-1' };
    return (await makeTestRefundWebhook({ ...about, ...resource }, CREDENTIALS)).event;
  }
  const stateOf = () => {
    const order = orders.findOrder(orderId);
    return order && orderStateOf(order);
  };

  it('stops an order and releases nothing when its money is taken back', async () => {
    const event = await makeReturned();
    assert.equal(event.resource.status, 'PAID');
    assert.equal(receive(event), 'RETURNED');
    assert.equal(releasedAt(), null);
    assert.equal(stateOf(), 'MONEY_RETURNED');
    assert.equal(receive(await makeEvent()), 'RETURNED', 'the older webhook arrives later');
    assert.equal(releasedAt(), null);
  });

  it('stops a released order when its money is taken back', async () => {
    receive(await makeEvent());
    assert.equal(receive(await makeReturned()), 'RETURNED');
    assert.equal(stateOf(), 'MONEY_RETURNED');
  });

  it('releases no order for a type of event that a later version adds', async () => {
    const event = { ...(await makeEvent()), eventType: 'PAYMENT-DISPUTED' };
    assert.equal(receive(event as unknown as AnyWebhookEvent), 'UNKNOWN');
    assert.equal(releasedAt(), null);
  });

  it('sums completed refunds and releases nothing for them', async () => {
    receive(await makeEventAfter('CREATED'));
    assert.equal(receive(await makeRefundEvent()), 'REFUND_NOTED');
    assert.equal(orders.findOrder(orderId)?.refundedCents, 1_000);
    assert.equal(releasedAt(), null);
    const other = await makeRefundEvent({ merchantRefundId: 'refund-2', amount: '5.00' });
    assert.equal(receive(other), 'REFUND_NOTED');
    assert.equal(orders.findOrder(orderId)?.refundedCents, 1_500);
  });

  it('no longer counts a completed refund whose money came back', async () => {
    receive(await makeEvent());
    const completed = await makeRefundEvent();
    const at = NOW.toISOString();
    const events = (['CREATED', 'COMPLETED', 'FAILED'] as const).map((status) => ({
      status,
      dateTime: at,
    }));
    receive(await makeRefundEvent({ status: 'FAILED', events }));
    assert.equal(receive(completed), 'REFUND_NOTED', 'the older webhook arrives later');
    assert.equal(orders.findOrder(orderId)?.refundedCents, 0);
    assert.equal(orders.refunds.find('refund-1')?.status, 'FAILED');
  });

  it('ignores a refund of a payment that is not its own, and a test webhook', async () => {
    receive(await makeEvent());
    assert.equal(receive(await makeRefundEvent({ paymentRequestId: 'another' })), 'UNKNOWN');
    assert.equal(receive({ ...(await makeRefundEvent()), test: true }), 'UNKNOWN');
    assert.equal(receive({ ...(await makeReturned()), test: true }), 'UNKNOWN');
    assert.deepEqual(orders.refunds.list(orderId), []);
    assert.equal(stateOf(), 'RELEASED');
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

describe('the URL that npm run listener is given', () => {
  const faultOf = (url: string) => {
    try {
      return readListenerPort(url, 15_000);
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('gives the port', () => {
    assert.equal(faultOf('https://localhost:15004/webhooks'), 15_004);
  });

  it('is refused with the right path, at its own port', () => {
    const right = 'give https://localhost:15004/webhooks.';
    const expected = `This listener has only the path /webhooks: ${right}`;
    assert.equal(faultOf('https://localhost:15004/broken'), expected);
  });

  it('is refused with an example at the BASE_PORT', () => {
    for (const url of ['shop', 'http://localhost:15004/webhooks', 'https://localhost/webhooks']) {
      assert.match(String(faultOf(url)), /, as in https:\/\/localhost:15003\/webhooks\.$/);
    }
  });
});
