import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sharePages } from '#database/lists/read-pages.ts';
import { readPrimary } from '#database/replica/overview-reads.ts';
import { Problem } from '#lib/problem.ts';
import { paymentRequestList } from '#payment-requests/read/payment-request-list.ts';
import { PUBLIC_SETTINGS } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };

let service: TestService;
let merchant: TestMerchant;
let other: TestMerchant;

before(async () => {
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant();
  other = await service.createMerchant();
  for (const invoiceNumber of ['I-1', 'I-2', 'I-3']) await create(merchant, invoiceNumber);
  await create(other, 'I-1');
});
after(() => service?.stop());

async function create({ headers }: TestMerchant, invoiceNumber: string): Promise<string> {
  const body = { ...GOOD, invoiceNumber };
  const answer = await service.call('POST', '/v1/payment-requests', { headers, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.id;
}

/** Shared pages whose reads end when the test says so; `opened` counts them. */
function heldPages() {
  const primary = readPrimary(service.database.db);
  const held: { read: Promise<unknown>; end: () => void }[] = [];
  const readPage = sharePages(
    {
      async read(work) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const read = primary.read(work);
        held.push({ read, end: resolve });
        const result = await read;
        await promise;
        return result;
      },
    },
    paymentRequestList(service.clock, PUBLIC_SETTINGS),
  );
  return { readPage, held };
}

/** Lets everything happen that waits for no timer. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('equal calls of the list', () => {
  it('share one statement, which began after each of them', async () => {
    const { readPage, held } = heldPages();
    const read = () => readPage(merchant.merchantId, { limit: 2 }, []);
    const early = read();
    await held[0]?.read;
    const id = await create(merchant, 'I-4');
    const late = [read(), read()];
    held[0]?.end();
    const before = await early;
    await settle();
    held[1]?.end();
    const [one, two] = await Promise.all(late);
    assert.equal(held.length, 2);
    assert.equal(one, two);
    assert.equal(one?.result.data[0]?.id, id);
    assert.notEqual(before.result.data[0]?.id, id);
  });

  it('share nothing with another merchant, other parameters or faults', async () => {
    const { readPage, held } = heldPages();
    const faults = [{ field: 'limit', code: 'TOO_HIGH', message: 'Too high.' }] as const;
    const asked = [
      readPage(merchant.merchantId, {}, []),
      readPage(other.merchantId, {}, []),
      readPage(merchant.merchantId, { limit: 1 }, []),
      readPage(merchant.merchantId, { limit: 1, invoiceNumber: 'I-1' }, []),
    ];
    const faulty = readPage(merchant.merchantId, {}, faults);
    assert.equal(held.length, 5, 'different calls share a read');
    for (const { end } of held) end();
    await assert.rejects(faulty, Problem);
    const pages = await Promise.all(asked);
    const merchants = pages.map(({ result }) => result.data[0]?.merchant.id);
    const { merchantId } = merchant;
    assert.deepEqual(merchants, [merchantId, other.merchantId, merchantId, merchantId]);
  });

  it('answer each call as it is answered alone', async () => {
    const calls = [
      [merchant, ''],
      [merchant, '?limit=1'],
      [merchant, '?status=CREATED&status=EXPIRED'],
      [merchant, '?invoiceNumber=I-2'],
      [merchant, '?limit=0'],
      [merchant, '?createdFrom=2026-03-02T00:00:00Z&createdTo=2026-03-01T00:00:00Z'],
      [other, ''],
      [other, '?limit=1'],
    ] as const;
    const instances: string[] = [];
    const ask = async ([{ headers }, query]: (typeof calls)[number]) => {
      const answer = await service.call('GET', `/v1/payment-requests${query}`, { headers });
      const { instance, requestId, ...body } = answer.json;
      if (instance !== undefined) instances.push(instance, requestId);
      return [answer.status, body];
    };
    const alone = [];
    for (const call of calls) alone.push(await ask(call));
    const many = Array.from({ length: 8 }, () => calls).flat();
    const together = await Promise.all(many.map(ask));
    for (const [at, answer] of together.entries()) {
      assert.deepEqual(answer, alone[at % calls.length]);
    }
    assert.equal(new Set(instances).size, instances.length, 'two problems have one id');
    assert.equal(instances.length, 2 * 2 * 9);
  });
});
