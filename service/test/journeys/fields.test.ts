import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Merchant } from '#merchants/merchant.ts';
import { FIRST_MESSAGE_SETTINGS } from '#merchants/model/message-settings.ts';
import { EMPTY_PROFILE } from '#merchants/profile/profile.ts';
import { newPaymentRequest } from '#payment-requests/create/check-fields.ts';
import { createdPaymentRequest } from '#payment-requests/create/create-payment-request.ts';
import { erasePayerOf } from '#payment-requests/erasure/payer-erasure-store.ts';
import { ERASED_PAYER, redactPayer } from '#payment-requests/erasure/redact-payer.ts';
import { EXAMPLE_BODY } from '#payment-requests/model/examples.ts';
import { CONTRACT_TIMES } from '#payment-requests/model/expiry.ts';
import { EQUALITY_FILTERS, KEPT_FIELDS, OWN_FIELDS } from '#payment-requests/model/field-lists.ts';
import type { Field } from '#payment-requests/model/field-types.ts';
import { FIELDS, PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import { columnsOf } from '#payment-requests/model/row.ts';
import { paymentStatePage } from '#payment-requests/payer-link/pages/payment-state-pages.ts';
import { parseCsv } from '../support/payment-requests/parse-csv.ts';
import {
  faultsOf,
  type PaymentRequestCalls,
  paymentRequestCalls,
} from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const PATH = '/v1/payment-requests';
const EXAMPLES: Readonly<Record<string, unknown>> = EXAMPLE_BODY;
/** The fields whose example is one text. */
const TEXTS = KEPT_FIELDS.filter((name) => typeof EXAMPLES[name] === 'string');
const fieldOf = (name: keyof typeof FIELDS): Field => FIELDS[name];

const SHOP: Merchant = {
  id: 'mer_1',
  name: 'Shop',
  status: 'ACTIVE',
  uniqueTransactionIds: false,
  webhookOrigins: [],
  returnOrigins: [],
  messageSettings: FIRST_MESSAGE_SETTINGS,
};

let service: TestService;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;

before(async () => {
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
});
after(() => service.stop());

async function list(query: string): Promise<string[]> {
  const { status, text, json } = await service.call('GET', `${PATH}?${query}`, merchant);
  assert.equal(status, 200, text);
  return json.data.map(({ id }: { id: string }) => id);
}

describe('the table of fields', () => {
  it('names every column of payment_requests with its type, and no other', async () => {
    const rows = await service.database.sql<{ name: string; type: string }>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
       WHERE attrelid = 'payment_requests'::regclass AND attnum > 0 AND NOT attisdropped`,
    );
    const named = { ...columnsOf(FIELDS), ...columnsOf(PAYER_FIELDS), ...columnsOf(OWN_FIELDS) };
    const types = rows.map(({ name, type }) => [
      name,
      type === 'timestamp with time zone' ? 'timestamptz' : type,
    ]);
    assert.deepEqual(named, Object.fromEntries(types));
  });

  it('has an example of every field that keeps its value', () => {
    for (const name of KEPT_FIELDS) assert.ok(name in EXAMPLES, name);
    for (const name of Object.keys(PAYER_FIELDS)) assert.ok(name in EXAMPLE_BODY.payer, name);
  });

  it('lets a creation set every field, and answers and reads show each value as sent', async () => {
    const created = (await calls.create(EXAMPLE_BODY)).json;
    const read = (await calls.read(created.id)).json;
    for (const [name, value] of Object.entries(EXAMPLES)) {
      assert.deepEqual(created[name], value, name);
      assert.deepEqual(read[name], value, name);
    }
  });

  it('lets an update remove a text that is changeable, and refuses every other', async () => {
    for (const name of TEXTS) {
      const { id } = (await calls.create(EXAMPLE_BODY)).json;
      const updated = await calls.update(id, { [name]: null });
      if (fieldOf(name).set === 'AT_CREATION') {
        assert.deepEqual(faultsOf(updated), [[name, 'IMMUTABLE_FIELD']]);
        continue;
      }
      assert.equal(updated.status, 200, updated.text);
      const read = (await calls.read(id)).json;
      assert.notEqual(read[name], EXAMPLES[name], name);
      const { json } = await calls.timeline(id);
      assert.deepEqual(json.data.at(-1).fields, [name]);
    }
  });

  it('lets the list find a payment request by each filter, and by no other field', async () => {
    const values = Object.fromEntries(EQUALITY_FILTERS.map((name) => [name, `only-${name}`]));
    const { id } = (await calls.create(values)).json;
    for (const [name, value] of Object.entries(values)) {
      assert.deepEqual(await list(`${name}=${value}`), [id], name);
      assert.deepEqual(await list(`${name}=other`), [], name);
    }
    for (const name of TEXTS.filter((each) => !fieldOf(each).knownTo.includes('FILTERS'))) {
      const answer = await service.call('GET', `${PATH}?${name}=x`, merchant);
      assert.deepEqual(faultsOf(answer), [[name, 'UNKNOWN_FIELD']]);
    }
  });

  it('gives each field that CSV knows a column with its value, and no other', async () => {
    const transactionId = 'in-the-csv';
    await calls.create({ ...EXAMPLE_BODY, merchantTransactionId: transactionId });
    const answer = await service.call('GET', `${PATH}?merchantTransactionId=${transactionId}`, {
      headers: { ...merchant.headers, accept: 'text/csv' },
    });
    const [names = [], cells = []] = parseCsv(answer.text);
    const row = new Map(names.map((name, index) => [name, cells[index]]));
    for (const name of TEXTS.filter((each) => each !== 'merchantTransactionId')) {
      const expected = fieldOf(name).knownTo.includes('CSV') ? EXAMPLES[name] : undefined;
      assert.equal(row.get(name), expected, name);
    }
    for (const [name, { knownTo }] of Object.entries<Field>(PAYER_FIELDS)) {
      assert.equal(row.has(`payer.${name}`), knownTo.includes('CSV'), name);
    }
  });

  it('lets an erasure overwrite the columns of its fields, and no other', async () => {
    const { id } = (await calls.create(EXAMPLE_BODY)).json;
    const rowOf = async () => {
      const rows = await service.database.sql('SELECT * FROM payment_requests WHERE id = $1', [id]);
      return rows[0] ?? {};
    };
    const before = await rowOf();
    await erasePayerOf(service.database.db, [id]);
    const expected: Record<string, unknown> = { ...before, version: 2 };
    for (const { knownTo, columns, erasedTo } of [
      ...Object.values<Field>(FIELDS),
      ...Object.values<Field>(PAYER_FIELDS),
    ]) {
      if (!knownTo.includes('ERASURE')) continue;
      for (const column of Object.keys(columns)) expected[column] = erasedTo ?? null;
    }
    assert.deepEqual(await rowOf(), expected);
  });

  it('lets an erasure remove its fields from kept answers, and no other', () => {
    for (const { knownTo } of Object.values<Field>(PAYER_FIELDS)) {
      assert.ok(knownTo.includes('ERASURE'), 'an erasure replaces the payer whole');
    }
    const kept = Object.entries(EXAMPLES).filter(
      ([name]) => !fieldOf(name as keyof typeof FIELDS).knownTo.includes('ERASURE'),
    );
    const redacted = JSON.parse(redactPayer(JSON.stringify(EXAMPLE_BODY)));
    assert.deepEqual(redacted, { ...Object.fromEntries(kept), payer: ERASED_PAYER });
  });

  it('names the texts that the payer’s pages show', () => {
    const marks = Object.fromEntries(TEXTS.map((name) => [name, `mark-${name}-`]));
    const now = service.clock.now();
    const expiryDateTime = '2026-03-02T00:00:00Z';
    const body = { ...EXAMPLE_BODY, ...marks, expiryDateTime } as unknown as Parameters<
      typeof newPaymentRequest
    >[0];
    const identity = {
      id: 'id',
      shortCode: '',
      merchantId: '',
      requestId: null,
      traceparent: null,
    };
    const { messageSettings } = SHOP;
    const read = { amountCents: 1, now, times: CONTRACT_TIMES, messageSettings };
    const asked = newPaymentRequest(body, read);
    const { body: page } = paymentStatePage({
      state: 'CANCELLED',
      paymentRequest: createdPaymentRequest(SHOP, identity, asked),
      language: 'en',
      currency: 'CAD',
      simulatedNetwork: false,
      timeZone: 'UTC',
      cell: 1,
      path: '/pay/x',
      viewer: 'PAYER',
      profile: EMPTY_PROFILE,
      hasReturned: false,
      sendsReceipts: false,
      hasAskedReceipt: false,
    });
    const shown = TEXTS.filter((name) => page.includes(`mark-${name}-`));
    const named = TEXTS.filter((name) => fieldOf(name).knownTo.includes('PAGES'));
    assert.deepEqual(shown, named);
  });
});
