import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { parseCsv } from '../support/payment-requests/parse-csv.ts';
import { faultsOf } from '../support/payment-requests/payment-requests.ts';
import { createPaid, type RefundCalls, refundCalls } from '../support/refunds/refund-calls.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
let calls: RefundCalls;
let paymentRequestId: string;
/** Oldest first, a second apart; the last is of another payment request. */
const refunds: { id: string; merchantRefundId: string; createdDateTime: string }[] = [];

before(async () => {
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant();
  calls = refundCalls(service, merchant);
  paymentRequestId = await createPaid(service, merchant, 50);
  const members = { amount: 1, message: '=SUM(A1), "quoted"', reason: 'OTHER' };
  for (let n = 0; n < 5; n += 1) {
    refunds.push((await calls.created(paymentRequestId, members)).json);
    await service.advance(1);
  }
  refunds.push((await calls.created(await createPaid(service, merchant, 5))).json);
  const other = await service.createMerchant();
  await refundCalls(service, other).created(await createPaid(service, other));
  await service.database.sql(
    `UPDATE refunds SET status = 'FAILED', status_reason_code = 'NETWORK_REJECTED' WHERE id = $1`,
    [refunds[1]?.id],
  );
});
after(() => service?.stop());

const idsOf = (data: readonly { id: string }[]) => data.map(({ id }) => id);
const newestFirst = (from: number, to = refunds.length) => idsOf(refunds.slice(from, to)).reverse();
const CSV = { accept: 'text/csv' };

async function listed(query = ''): Promise<readonly string[]> {
  const answer = await calls.list(query);
  assert.equal(answer.status, 200, answer.text);
  return idsOf(answer.json.data);
}

describe('GET /refunds', () => {
  it('has the merchant’s own refunds, newest first', async () => {
    const { json } = await calls.list();
    assert.deepEqual(idsOf(json.data), newestFirst(0));
    assert.deepEqual(json.data.at(-1), refunds[0]);
  });

  it('filters by status, merchantRefundId, payment request and the time of creation', async () => {
    const [first, second, third] = refunds;
    assert.deepEqual(await listed('?status=FAILED'), [second?.id]);
    assert.deepEqual(await listed('?status=FAILED&status=CREATED'), newestFirst(0));
    assert.deepEqual(await listed('?status=COMPLETED'), []);
    assert.deepEqual(await listed(`?merchantRefundId=${first?.merchantRefundId}`), [first?.id]);
    const asked = `?paymentRequestId=${paymentRequestId.toUpperCase()}`;
    assert.deepEqual(await listed(asked), newestFirst(0, 5));
    assert.deepEqual(await listed(`?paymentRequestId=${randomUUID()}`), []);
    const between = `?createdFrom=${second?.createdDateTime}&createdTo=${third?.createdDateTime}`;
    assert.deepEqual(await listed(between), [second?.id]);
    assert.deepEqual(await listed(`?createdFrom=${third?.createdDateTime}`), newestFirst(2));
  });

  it('gives each refund once over its pages, with the filters of the first', async () => {
    const seen: string[] = [];
    let query: string | null = '?limit=2&status=CREATED';
    while (query !== null) {
      const { json } = await calls.list(query);
      seen.push(...idsOf(json.data));
      const { nextCursor } = json;
      query = nextCursor ? `?limit=2&status=CREATED&cursor=${nextCursor}` : null;
      assert.ok(seen.length <= 5);
    }
    assert.deepEqual(
      seen,
      newestFirst(0).filter((id) => id !== refunds[1]?.id),
    );
  });

  it('refuses the cursor of other filters and of another merchant', async () => {
    const { nextCursor: cursor } = (await calls.list('?limit=2')).json;
    const other = refundCalls(service, await service.createMerchant());
    for (const answer of [
      await calls.list(`?status=FAILED&cursor=${cursor}`),
      await calls.ofPayment(paymentRequestId, `?cursor=${cursor}`),
      await other.list(`?cursor=${cursor}`),
      await calls.list('?cursor=nothing'),
    ]) {
      assert.deepEqual([answer.status, faultsOf(answer)[0]?.[0]], [400, 'cursor']);
    }
  });

  it('names every fault of its parameters at once', async () => {
    const answer = await calls.list('?limit=0&status=PAID&createdFrom=yesterday&unknown=1');
    assert.equal(answer.status, 400);
    assert.deepEqual(
      faultsOf(answer)
        .map(([field]) => field)
        .sort(),
      ['createdFrom', 'limit', 'status', 'unknown'],
    );
    const turned = `?createdFrom=2026-03-02T00:00:00Z&createdTo=2026-03-01T00:00:00Z`;
    assert.deepEqual(faultsOf(await calls.list(turned)), [['createdTo', 'INVALID_VALUE']]);
  });

  it('streams all of them as CSV', async () => {
    const answer = await calls.list('?status=CREATED', CSV);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    const [header, ...rows] = parseCsv(answer.text);
    assert.deepEqual(header, [
      'id',
      'paymentRequestId',
      'merchantRefundId',
      'reason',
      'message',
      'amount',
      'currency',
      'status',
      'statusReason.code',
      'payment.networkReference',
      'payment.completedDateTime',
      'createdDateTime',
    ]);
    assert.deepEqual(
      rows.map(([id]) => id),
      newestFirst(0).filter((id) => id !== refunds[1]?.id),
    );
    const [first] = refunds;
    const cells = [first?.id, paymentRequestId, first?.merchantRefundId, 'OTHER'];
    assert.deepEqual(rows.at(-1)?.slice(0, 4), cells);
    // A spreadsheet must not take the text for a formula.
    assert.equal(rows.at(-1)?.[4], '\'=SUM(A1), "quoted"');
    assert.deepEqual(rows.at(-1)?.slice(5, 9), ['1.00', 'CAD', 'CREATED', '']);
    const [, failed] = parseCsv((await calls.list('?status=FAILED', CSV)).text);
    assert.equal(failed?.[8], 'NETWORK_REJECTED');
    assert.equal((await calls.list('?limit=5', CSV)).status, 400);
    assert.equal((await calls.list('', { accept: 'image/png' })).status, 406);
  });
});

describe('GET /payment-requests/{id}/refunds', () => {
  it('has the refunds of this payment request, page by page', async () => {
    const { json } = await calls.ofPayment(paymentRequestId, '?limit=3');
    assert.deepEqual(idsOf(json.data), newestFirst(2, 5));
    const rest = await calls.ofPayment(paymentRequestId, `?limit=3&cursor=${json.nextCursor}`);
    assert.deepEqual(idsOf(rest.json.data), newestFirst(0, 2));
    assert.equal(rest.json.nextCursor ?? null, null);
  });

  it('answers 404 for another merchant’s payment request', async () => {
    const other = refundCalls(service, await service.createMerchant());
    const { status, json } = await other.ofPayment(paymentRequestId);
    assert.deepEqual([status, json.code], [404, 'PAYMENT_REQUEST_NOT_FOUND']);
  });
});
