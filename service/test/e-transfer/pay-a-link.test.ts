import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPayer } from '../support/payer.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService({ environment: 'production' });
  merchant = await service.createMerchant({ name: 'Harbour Books' });
});
after(() => service.stop());

/** A payment request of 12.34 that a payer can open. */
export async function createLink(fields: Record<string, unknown> = {}) {
  const answer = await service.call('POST', '/v1/payment-requests', {
    headers: merchant.headers,
    body: {
      amount: 12.34,
      type: 'ECOMM',
      payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
      displayMessage: 'Two books',
      invoiceNumber: 'INV-77',
      ...fields,
    },
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.json as { id: string; paymentLink: string; shortCode: string };
}

async function read(id: string) {
  return (await service.call('GET', `/v1/payment-requests/${id}`, { headers: merchant.headers }))
    .json;
}

const statusesOf = (paymentRequest: { events: { status: string }[] }) =>
  paymentRequest.events.map(({ status }) => status);

describe('a payer who opens a link', () => {
  it('pays: chooses, signs in, confirms, and sees that the money was taken', async () => {
    const { id, paymentLink } = await createLink();
    const payer = createPayer(service);
    const choose = await payer.open(paymentLink);
    assert.equal(choose.title, 'Pay $12.34 to Harbour Books');
    const leaving = await payer.send(choose, { institution: 'boreal-bank' });
    assert.equal(leaving.title, 'You’re going to Boreal Bank');
    const confirm = await payer.signIn(paymentLink, 'approve');
    assert.equal(confirm.title, 'Confirm your payment');
    for (const text of ['$12.34', 'Harbour Books', 'Two books', 'INV-77', 'Pay $12.34']) {
      assert.ok(confirm.text.includes(text), text);
    }
    const result = await payer.send(confirm, { decision: 'confirm' });
    assert.equal(result.title, 'You paid $12.34 to Harbour Books');
    assert.equal(result.status, 200);
    const paid = await read(id);
    assert.deepEqual(statusesOf(paid), ['CREATED', 'PAID']);
    assert.equal(paid.payment.institution, 'Boreal Bank');
    assert.match(result.text, new RegExp(`Reference ${paid.payment.networkReference}`));
  });
});
