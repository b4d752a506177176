import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { enqueueWebhookEvents } from '#webhooks/events/outbox.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../support/webhooks/webhook-deliveries.ts';

let outbox: WebhookDeliveries;
let merchantId: string;

before(async () => {
  outbox = await createWebhookDeliveries();
});
after(() => outbox.close());
beforeEach(async () => {
  merchantId = (await outbox.addMerchant()).id;
});

async function deliveriesOf(paymentRequestId: string) {
  const all = await outbox.deliveries();
  return all.filter((row) => row.payment_request_id === paymentRequestId);
}

async function targetsOf(paymentRequestId: string) {
  const rows = await deliveriesOf(paymentRequestId);
  return rows.map(({ url, endpoint_id }) => [url, endpoint_id]).sort();
}

describe('the outbox', () => {
  it('keeps the event also where nobody is to be told', async () => {
    const paymentRequestId = await outbox.enqueue({ merchantId });
    const [event] = await outbox.database.sql<{ body: string; sequence: number }>(
      'SELECT * FROM webhook_events WHERE payment_request_id = $1',
      [paymentRequestId],
    );
    assert.equal(JSON.parse(event?.body ?? '{}').resource.id, paymentRequestId);
    assert.deepEqual(await targetsOf(paymentRequestId), []);
  });

  it('renders the body once, with the event’s own id', async () => {
    const paymentRequestId = await outbox.enqueue({ merchantId, sequence: 1 });
    const [event] = await outbox.database.sql<{ id: string; body: string }>(
      'SELECT * FROM webhook_events WHERE payment_request_id = $1',
      [paymentRequestId],
    );
    const body = JSON.parse(event?.body ?? '{}');
    assert.equal(body.id, event?.id);
    assert.deepEqual(Object.keys(body), [
      'eventType',
      'message',
      'resourceType',
      'resource',
      'id',
      'createdDateTime',
      'sequence',
    ]);
    assert.ok(event?.body.includes('"amount":10.00'));
  });

  it('writes a delivery for the payment request’s own URL, without an endpoint', async () => {
    const paymentRequestId = await outbox.enqueue({
      merchantId,
      webhookUrl: 'https://shop.example/own',
    });
    assert.deepEqual(await targetsOf(paymentRequestId), [['https://shop.example/own', null]]);
  });

  it('writes one for every endpoint whose filter matches, paused ones too', async () => {
    const all = await outbox.addEndpoint(merchantId, 'https://a.example/');
    const paused = await outbox.addEndpoint(merchantId, 'https://b.example/', { status: 'PAUSED' });
    const completed = await outbox.addEndpoint(merchantId, 'https://c.example/', {
      eventTypes: ['PAYMENT-COMPLETED'],
    });
    const failed = await outbox.addEndpoint(merchantId, 'https://d.example/', {
      eventTypes: ['PAYMENT-FAILED'],
    });
    const other = await outbox.addMerchant();
    await outbox.addEndpoint(other.id, 'https://other.example/');

    const one = await outbox.enqueue({ merchantId, eventType: 'PAYMENT-COMPLETED' });
    assert.deepEqual(await targetsOf(one), [
      ['https://a.example/', all.id],
      ['https://b.example/', paused.id],
      ['https://c.example/', completed.id],
    ]);
    const two = await outbox.enqueue({ merchantId, eventType: 'PAYMENT-FAILED' });
    assert.deepEqual(await targetsOf(two), [
      ['https://a.example/', all.id],
      ['https://b.example/', paused.id],
      ['https://d.example/', failed.id],
    ]);
  });

  it('makes the own URL the endpoint’s delivery where it is a registered one', async () => {
    const endpoint = await outbox.addEndpoint(merchantId, 'https://shop.example/');
    for (const webhookUrl of ['https://shop.example/', 'https://shop.example']) {
      const paymentRequestId = await outbox.enqueue({ merchantId, webhookUrl });
      assert.deepEqual(await targetsOf(paymentRequestId), [['https://shop.example/', endpoint.id]]);
    }
  });

  it('sends to an own URL also what that endpoint’s filter leaves out', async () => {
    const url = 'https://shop.example/failures';
    const endpoint = await outbox.addEndpoint(merchantId, url, { eventTypes: ['PAYMENT-FAILED'] });
    const asked = await outbox.enqueue({ merchantId, webhookUrl: url });
    assert.deepEqual(await targetsOf(asked), [[url, endpoint.id]]);
    assert.deepEqual(await targetsOf(await outbox.enqueue({ merchantId })), []);
  });

  it('does not lend one merchant’s endpoint to another', async () => {
    const other = await outbox.addMerchant();
    await outbox.addEndpoint(other.id, 'https://shop.example/');
    const paymentRequestId = await outbox.enqueue({
      merchantId,
      webhookUrl: 'https://shop.example/',
    });
    assert.deepEqual(await targetsOf(paymentRequestId), [['https://shop.example/', null]]);
  });

  it('takes URLs of any length and kind that came past the guard', async () => {
    const urls = [`https://shop.example/${'é'.repeat(2000)}`, 'not a URL'];
    for (const webhookUrl of urls) {
      const paymentRequestId = await outbox.enqueue({ merchantId, webhookUrl });
      assert.equal((await deliveriesOf(paymentRequestId)).length, 1);
    }
  });

  it('writes several events in one statement', async () => {
    const endpoint = await outbox.addEndpoint(merchantId, 'https://many.example/');
    const events = [1, 2, 3].map((sequence) => ({
      merchantId,
      paymentRequestId: randomUUID(),
      sequence,
      eventType: 'PAYMENT-FAILED' as const,
      message: 'The payment request expired before it was paid.',
      resource: '{}',
      webhookUrl: sequence === 2 ? 'https://two.example/' : null,
      createdAt: new Date(),
    }));
    await enqueueWebhookEvents(outbox.database.db, events);
    const targets = await Promise.all(events.map((event) => targetsOf(event.paymentRequestId)));
    const atEndpoint = ['https://many.example/', endpoint.id];
    assert.deepEqual(targets, [
      [atEndpoint],
      [atEndpoint, ['https://two.example/', null]],
      [atEndpoint],
    ]);
  });

  it('writes no delivery for an endpoint that was deleted before', async () => {
    const { sql } = outbox.database;
    const url = 'https://deleted.example/';
    const deleted = await outbox.addEndpoint(merchantId, url);
    const kept = await outbox.addEndpoint(merchantId, 'https://kept.example/');
    await sql(
      "UPDATE webhook_endpoints SET deleted_at = service_now(), status = 'PAUSED' WHERE id = $1",
      [deleted.id],
    );
    const anyUrl = await outbox.enqueue({ merchantId });
    assert.deepEqual(await targetsOf(anyUrl), [['https://kept.example/', kept.id]]);
    // The payment request's own URL is the deleted endpoint's: it has the default credentials.
    const ownUrl = await outbox.enqueue({ merchantId, webhookUrl: url });
    assert.deepEqual(await targetsOf(ownUrl), [
      [url, null],
      ['https://kept.example/', kept.id],
    ]);
  });

  it('is rolled back with the move it belongs to', async () => {
    const before = (await outbox.deliveries()).length;
    await assert.rejects(
      outbox.database.db.transaction(async (tx) => {
        await enqueueWebhookEvents(tx, [
          {
            merchantId,
            paymentRequestId: randomUUID(),
            sequence: 1,
            eventType: 'PAYMENT-COMPLETED',
            message: 'm',
            resource: '{}',
            webhookUrl: 'https://shop.example/',
            createdAt: new Date(),
          },
        ]);
        throw new Error('the move failed');
      }),
      /the move failed/,
    );
    assert.equal((await outbox.deliveries()).length, before);
  });

  it('refuses a second event of the same sequence', async () => {
    const paymentRequestId = await outbox.enqueue({ merchantId });
    await assert.rejects(outbox.enqueue({ merchantId, paymentRequestId }), /duplicate key/);
  });

  it('gives identifiers that are UUIDs of version 7', async () => {
    const paymentRequestId = await outbox.enqueue({ merchantId, webhookUrl: 'https://x.example/' });
    const [row] = await deliveriesOf(paymentRequestId);
    assert.match(row?.id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
  });
});
