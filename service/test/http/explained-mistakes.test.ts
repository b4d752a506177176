import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Mistake, REQUESTS } from '../support/mistakes/mistake.ts';
import { ADDRESSES, NOTHING, PARAMETERS } from '../support/mistakes/names.ts';
import { TEXTS } from '../support/mistakes/texts.ts';
import { SMALLEST_BODY } from '../support/payment-requests/payment-requests.ts';
import { createPaid, newRefundId } from '../support/refunds/refund-calls.ts';
import {
  type Answer,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
let values: Readonly<Record<string, string>>;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
  const { headers } = merchant;
  const id = await createPaid(service, merchant);
  const { json } = await service.call('GET', `${REQUESTS}/${id}`, { headers });
  const open = await service.call('POST', REQUESTS, { headers, body: SMALLEST_BODY });
  values = { id, code: json.shortCode, ref: 'refund-7', open: open.json.id };
});
after(() => service.stop());

function filled(text: string): string {
  return text.replace(/\{(id|code|ref|open|new)\}/g, (_, name) =>
    name === 'new' ? newRefundId() : (values[name] ?? ''),
  );
}

async function send({ call: [method, path, body], headers }: Mistake): Promise<Answer> {
  const sent = typeof body === 'object' ? JSON.parse(filled(JSON.stringify(body))) : body;
  const all = { ...merchant.headers, ...headers };
  return service.call(method, filled(path), { headers: all, body: sent });
}

/** All that an answer says to a developer: a warning, faults, or the detail. */
function told({ json, headers, status }: Answer): string {
  if (status < 300) return headers.get('payment-requests-warning') ?? '';
  const faults = (json.errors ?? []).map(({ message }: { message: string }) => message);
  return faults.length > 0 ? faults.join(' ') : (json.detail ?? json.error_description);
}

const TABLES = { ADDRESSES, PARAMETERS, TEXTS };
for (const [table, mistakes] of Object.entries(TABLES)) {
  describe(`the answer alone explains the mistake (${table.toLowerCase()})`, () => {
    for (const [name, mistake] of Object.entries(mistakes)) {
      it(name, async () => {
        const answer = await send(mistake);
        assert.equal(answer.status, mistake.status ?? 404, answer.text);
        assert.match(told(answer), mistake.after);
        assert.notEqual(told(answer), mistake.before);
      });
    }
  });
}

describe('an answer about an unknown name', () => {
  it('has nothing of an address that was sent', async () => {
    for (const path of ['/v1/<script>', `/v1/${'x'.repeat(5_000)}`, `/v1${'/x'.repeat(900)}`]) {
      const { status, json } = await send({ call: ['GET', path], before: '', after: /^/ });
      assert.equal(status, 404);
      assert.equal(json.detail, `${NOTHING} All calls are listed at https://pay.test/docs.`);
    }
  });

  it('warns in ASCII, of a few names only', async () => {
    const strange = { 'a\nb': 1, é: 1, ...Object.fromEntries([...'abcdefgh'].map((c) => [c, 1])) };
    const body = { ...SMALLEST_BODY, ...strange };
    const answer = await send({ call: ['POST', REQUESTS, body], before: '', after: /^/ });
    assert.match(told(answer), /ignored: a, b, c, d, e, 5 more\./);
  });

  it('names a list once, however many of its values are unknown', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `S${index}`).join();
    const path = `${REQUESTS}?status=PAID,${many}`;
    const { status, json } = await send({ call: ['GET', path], before: '', after: /^/ });
    assert.deepEqual([status, json.errors.length, json.errors[0].field], [400, 1, 'status']);
  });
});
