import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SMALLEST_BODY } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
});
after(() => service.stop());

const post = (members: object) =>
  service.call('POST', '/v1/payment-requests', {
    headers: { ...merchant.headers, prefer: 'handling=strict' },
    body: { ...SMALLEST_BODY, ...members },
  });

const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`, 1]));

describe('a body with more faults than any call has fields', () => {
  it('is answered with the first hundred, and their count', async () => {
    const { status, json, text } = await post(unknown(900));
    assert.equal(status, 400);
    assert.equal(json.detail, '900 fields are invalid; the first 100 are listed.');
    assert.equal(json.errors.length, 100);
    assert.equal(json.errors[0].field, 'u0');
    assert.ok(text.length < 16_384, `${text.length}`);
  });

  it('is answered with all of a hundred', async () => {
    const { json } = await post(unknown(100));
    assert.equal(json.detail, '100 fields are invalid.');
    assert.equal(json.errors.length, 100);
  });

  it('is not answered with names that are longer than those of any field', async () => {
    const { status, json, text } = await post({ ['n'.repeat(50_000)]: 1 });
    assert.equal(status, 400);
    assert.deepEqual(json.errors[0], {
      field: `${'n'.repeat(256)}…`,
      pointer: `/${'n'.repeat(255)}…`,
      code: 'UNKNOWN_FIELD',
      message: `${'n'.repeat(512)}…`,
    });
    assert.ok(text.length < 2_048, `${text.length}`);
  });

  it('counts faults of metadata likewise', async () => {
    const { status, json } = await post({ metadata: unknown(900) });
    assert.equal(status, 400);
    assert.match(json.detail, /^\d{3} fields are invalid; the first 100 are listed\.$/);
  });

  it('is refused whole beyond a thousand members, wherever they stand', async () => {
    for (const members of [unknown(5_000), { metadata: unknown(4_000) }]) {
      const { status, json } = await post(members);
      assert.equal(status, 400);
      assert.equal(json.detail, 'The body has more than 1000 members and list items.');
    }
  });
});
