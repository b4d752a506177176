import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { faultsOf } from '../../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';

const URL = 'https://shop.example/hook';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService();
});
after(() => service?.stop());
beforeEach(async () => {
  merchant = await service.createMerchant();
});

function call(method: string, path: string, body?: unknown) {
  const { headers } = merchant;
  return service.call(method, `/v1/webhook-endpoints${path}`, {
    headers,
    ...(body !== undefined && { body }),
  });
}

describe('the event types of a webhook endpoint', () => {
  it('are answered as they were asked for, each once', async () => {
    const eventTypes = ['REFUND-FAILED', 'PAYMENT-RETURNED', 'REFUND-FAILED'];
    const created = await call('POST', '', { url: URL, eventTypes });
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.json.eventTypes, ['PAYMENT-RETURNED', 'REFUND-FAILED']);
    const [listed] = (await call('GET', '')).json.data;
    assert.deepEqual(listed.eventTypes, ['PAYMENT-RETURNED', 'REFUND-FAILED']);
  });

  it('are * where all are asked for, at creation and by a change', async () => {
    const created = await call('POST', '', { url: URL, eventTypes: ['*'] });
    assert.deepEqual(created.json.eventTypes, ['*']);
    const named = await call('PATCH', `/${created.json.id}`, { eventTypes: ['REFUND-COMPLETED'] });
    assert.deepEqual(named.json.eventTypes, ['REFUND-COMPLETED']);
    const all = await call('PATCH', `/${created.json.id}`, { eventTypes: ['*', '*'] });
    assert.deepEqual(all.json.eventTypes, ['*']);
    assert.deepEqual((await call('GET', `/${created.json.id}`)).json.eventTypes, ['*']);
    const none = await call('PATCH', `/${created.json.id}`, { eventTypes: null });
    assert.equal(none.json.eventTypes, undefined);
  });

  it('are refused where * stands beside a name, which would hide a mistake', async () => {
    const asked = { url: URL, eventTypes: ['*', 'PAYMENT-FAILED'] };
    const fault = ['eventTypes', 'INVALID_VALUE'];
    const created = await call('POST', '', asked);
    assert.equal(created.status, 400);
    assert.deepEqual(faultsOf(created), [fault]);
    const message = 'Give * alone in eventTypes: it stands for every event type.';
    assert.equal(created.json.errors[0].message, message);
    const { id } = (await call('POST', '', { url: URL })).json;
    const { eventTypes } = asked;
    assert.deepEqual(faultsOf(await call('PATCH', `/${id}`, { eventTypes })), [fault]);
  });

  it('are refused when they are unknown, empty or no list', async () => {
    const refusals: [unknown, string, string][] = [
      [['PAYMENT-REFUNDED'], 'eventTypes.0', 'INVALID_VALUE'],
      [[], 'eventTypes', 'TOO_SHORT'],
      ['*', 'eventTypes', 'INVALID_TYPE'],
      [[null, '*'], 'eventTypes.0', 'INVALID_VALUE'],
    ];
    for (const [eventTypes, field, code] of refusals) {
      const { status, json } = await call('POST', '', { url: URL, eventTypes });
      assert.equal(status, 400);
      assert.deepEqual([json.errors[0].field, json.errors[0].code], [field, code]);
    }
  });
});
