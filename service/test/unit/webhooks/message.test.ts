import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { renderWebhookMessage } from '#webhooks/model/message.ts';

const EVENT = {
  id: '0198c0de-0000-7000-8000-000000000001',
  eventType: 'PAYMENT-COMPLETED',
  message: 'The payer completed the transaction.',
  resource: '{"amount":10.00,"id":"x"}',
  createdAt: new Date('2026-03-01T12:00:10.123Z'),
  sequence: 1,
} as const;

describe('the body of a webhook', () => {
  it('has the specification’s fields first, then the resource, then ours', () => {
    assert.equal(
      renderWebhookMessage(EVENT),
      '{"eventType":"PAYMENT-COMPLETED","message":"The payer completed the transaction.",' +
        '"resourceType":"Payment Requests API","resource":{"amount":10.00,"id":"x"},' +
        '"id":"0198c0de-0000-7000-8000-000000000001",' +
        '"createdDateTime":"2026-03-01T12:00:10.123Z","sequence":1}',
    );
  });

  it('names the kind of resource that each type shows', () => {
    const shown = EVENT_TYPES.map((eventType) => {
      const { resourceType } = JSON.parse(renderWebhookMessage({ ...EVENT, eventType }));
      return [eventType, resourceType];
    });
    assert.deepEqual(shown, [
      ['PAYMENT-COMPLETED', 'Payment Requests API'],
      ['PAYMENT-FAILED', 'Payment Requests API'],
      ['PAYMENT-RETURNED', 'Payment Requests API'],
      ['REFUND-COMPLETED', 'Payments API'],
      ['REFUND-FAILED', 'Payments API'],
      ['MESSAGE-UNDELIVERED', 'Payment Requests API'],
    ]);
  });

  it('puts the resource in byte for byte, so that 10.00 stays 10.00', () => {
    const resource = '{ "amount" : 10.00, "note":"\\u00e9 $& $1 é" }';
    assert.ok(renderWebhookMessage({ ...EVENT, resource }).includes(`"resource":${resource},`));
  });

  it('escapes what a sentence quotes', () => {
    const message = 'A "quoted"\nline';
    assert.equal(JSON.parse(renderWebhookMessage({ ...EVENT, message })).message, message);
  });
});
