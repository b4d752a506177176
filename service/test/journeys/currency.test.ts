import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseCsv } from '../support/payment-requests/parse-csv.ts';
import {
  faultsOf,
  type PaymentRequestCalls,
  paymentRequestCalls,
  SMALLEST_BODY,
} from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const PATH = '/v1/payment-requests';

describe('the currency of a deployment', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let calls: PaymentRequestCalls;
  before(async () => {
    service = await startTestService({ roles: ['api'], settings: { CURRENCY: 'EUR' } });
    merchant = await service.createMerchant({ webhookUrl: 'https://hooks.example/' });
    calls = paymentRequestCalls(service, merchant);
  });
  after(() => service?.stop());

  it('is in every answer, right after the amount', async () => {
    const created = await calls.create();
    assert.match(created.text, /"amount":12\.34,"currency":"EUR","type"/);
    const { id } = created.json;
    assert.equal((await calls.read(id)).json.currency, 'EUR');
    assert.equal((await calls.update(id, { invoiceNumber: 'INV-1' })).json.currency, 'EUR');
    assert.equal((await calls.cancel(id)).json.currency, 'EUR');
    const list = await service.call('GET', PATH, merchant);
    assert.deepEqual([list.json.data[0].id, list.json.data[0].currency], [id, 'EUR']);
  });

  it('is in the webhook’s payment request', async () => {
    const { id } = (await calls.create()).json;
    await calls.simulate(id, { outcome: 'PAID' });
    const [event] = await service.database.sql<{ body: string }>(
      'SELECT body FROM webhook_events WHERE payment_request_id = $1',
      [id],
    );
    assert.equal(JSON.parse(event?.body ?? '{}').resource.currency, 'EUR');
  });

  it('is a column of the CSV list', async () => {
    const headers = { ...merchant.headers, accept: 'text/csv' };
    const { text } = await service.call('GET', PATH, { headers });
    const [names = [], cells = []] = parseCsv(text);
    assert.equal(names.indexOf('currency'), names.indexOf('amount') + 1);
    assert.equal(cells[names.indexOf('currency')], 'EUR');
  });

  it('may be sent, and no other may; the refusal names the right one', async () => {
    assert.equal((await calls.create({ currency: 'EUR' })).json.currency, 'EUR');
    for (const currency of ['CAD', 'eur', 'EUR ']) {
      const body = { ...SMALLEST_BODY, currency };
      const refused = await service.call('POST', PATH, { headers: merchant.headers, body });
      assert.equal(refused.status, 400, currency);
      assert.deepEqual(faultsOf(refused), [['currency', 'INVALID_VALUE']]);
      assert.match(refused.json.errors[0].message, /Give currency as EUR/);
    }
  });

  it('is replayed with the answer of an idempotent call', async () => {
    const headers = { ...merchant.headers, 'idempotency-key': 'once' };
    const options = { headers, body: SMALLEST_BODY };
    const first = await service.call('POST', PATH, options);
    const again = await service.call('POST', PATH, options);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(again.text, first.text);
    assert.equal(again.json.currency, 'EUR');
  });
});
