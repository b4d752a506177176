import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { EVENT_TYPES, type WebhookEventType } from '#webhooks/model/event-types.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../../support/webhooks/webhook-deliveries.ts';

const OF_THE_SPECIFICATION = ['PAYMENT-COMPLETED', 'PAYMENT-FAILED'];

let outbox: WebhookDeliveries;
let merchantId: string;

before(async () => {
  outbox = await createWebhookDeliveries();
});
after(() => outbox.close());
beforeEach(async () => {
  merchantId = (await outbox.addMerchant()).id;
});

/** The URLs that one event of each type was queued for. */
async function urlsByType(webhookUrl: string | null = null): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const eventType of EVENT_TYPES) {
    const id = await outbox.enqueue({ merchantId, eventType, webhookUrl });
    const rows = await outbox.deliveries();
    const urls = rows.filter((row) => row.payment_request_id === id).map(({ url }) => url);
    found[eventType] = urls.sort();
  }
  return found;
}

async function typesSentTo(
  eventTypes: readonly string[] | undefined,
  webhookUrl: string | null = null,
): Promise<string[]> {
  const url = 'https://listener.example/hook';
  await outbox.addEndpoint(merchantId, url, eventTypes ? { eventTypes } : {});
  const sent = await urlsByType(webhookUrl);
  return EVENT_TYPES.filter((type: WebhookEventType) => sent[type]?.includes(url));
}

describe('the types of webhook events', () => {
  it('are the two of the specification for an endpoint without a filter', async () => {
    assert.deepEqual(await typesSentTo(undefined), OF_THE_SPECIFICATION);
  });

  it('are those that an endpoint names', async () => {
    const named = ['PAYMENT-RETURNED', 'REFUND-FAILED'];
    assert.deepEqual(await typesSentTo(named), named);
  });

  it('are all of them for an endpoint with *', async () => {
    assert.deepEqual(await typesSentTo(['*']), EVENT_TYPES);
  });

  it('are all of them for a * that was stored before a type was added', async () => {
    assert.deepEqual(await typesSentTo(['PAYMENT-COMPLETED', '*']), EVENT_TYPES);
  });

  it('of returned money do not go to a payment request’s own webhookUrl', async () => {
    const own = 'https://own.example/';
    const sent = await urlsByType(own);
    assert.deepEqual(sent['PAYMENT-COMPLETED'], [own]);
    assert.deepEqual(sent['PAYMENT-FAILED'], [own]);
    assert.deepEqual(sent['PAYMENT-RETURNED'], []);
  });

  it('of refunds go to the refund’s own webhookUrl', async () => {
    const own = 'https://own.example/';
    const sent = await urlsByType(own);
    assert.deepEqual(sent['REFUND-COMPLETED'], [own]);
    assert.deepEqual(sent['REFUND-FAILED'], [own]);
  });

  it('of a refund go to its own webhookUrl also where an endpoint left them out', async () => {
    const sent = await typesSentTo(undefined, 'https://listener.example/hook');
    assert.deepEqual(sent, [...OF_THE_SPECIFICATION, 'REFUND-COMPLETED', 'REFUND-FAILED']);
    assert.equal((await outbox.deliveries()).filter(isOfMerchant).length, 4);
  });
});

function isOfMerchant(row: object): boolean {
  return 'merchant_id' in row && row.merchant_id === merchantId;
}
