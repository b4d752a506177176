import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { entryOf, untilInLedger, writeEntries } from '../support/ledger/ledger-entries.ts';
import { parseCsv } from '../support/payment-requests/parse-csv.ts';
import { faultsOf, paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import {
  buyToken,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService({
    settings: { TIME_ZONE: 'America/Toronto' },
    roles: ['api'],
  });
});
after(() => service?.stop());
beforeEach(async () => {
  merchant = await service.createMerchant();
});

const call = (path: string, headers: Record<string, string> = {}) =>
  service.call('GET', path, { headers: { ...merchant.headers, ...headers } });
const report = (query: string, headers: Record<string, string> = {}) =>
  call(`/v1/reports/reconciliation${query}`, headers);

/** Writes entries, and waits until the report can count them. */
async function write(...entries: ReturnType<typeof entryOf>[]): Promise<string> {
  const { json } = await call('/v1/ledger-entries?limit=100');
  await writeEntries(service, entries);
  const path = `/v1/ledger-entries?limit=100&after=${json.nextCursor}`;
  const after = await untilInLedger(() => call(path), entries.length);
  return after.json.nextCursor;
}

const ON_1_MARCH = { createdAt: new Date('2026-03-01T12:00:00Z') };
const ON_2_MARCH = { createdAt: new Date('2026-03-02T12:00:00Z') };

describe('the reconciliation report of a day', () => {
  it('has the sums before and after the day, and its entries by type', async () => {
    await write(
      entryOf(merchant, { amountCents: 700, bookingDate: '2026-02-27' }),
      entryOf(merchant, { amountCents: 1_000, ...ON_1_MARCH }),
      entryOf(merchant, { amountCents: 2_000, bookingDate: '2026-03-01', ...ON_2_MARCH }),
      entryOf(merchant, { amountCents: -300, type: 'REFUND', ...ON_1_MARCH }),
      entryOf(merchant, { amountCents: 55, ...ON_2_MARCH }),
    );
    const { json } = await report('?date=2026-03-01');
    assert.equal(json.timeZone, 'America/Toronto');
    assert.equal(json.currency, 'CAD');
    assert.equal(json.openingSum, 7);
    assert.equal(json.closingSum, 34);
    assert.deepEqual(json.otherCurrencies, []);
    assert.deepEqual(json.totals, [
      { type: 'PAYMENT', currency: 'CAD', count: 2, amount: 30 },
      { type: 'REFUND', currency: 'CAD', count: 1, amount: -3 },
    ]);
    assert.equal((await report('?date=2026-03-02')).json.openingSum, 34);
    assert.equal((await report('?date=2026-02-26')).json.closingSum, 0);
  });

  it('keeps money of another currency apart', async () => {
    const foreign = { type: 'UNMATCHED', currency: 'EUR', ...ON_1_MARCH } as const;
    await write(entryOf(merchant, ON_1_MARCH), entryOf(merchant, { amountCents: 99, ...foreign }));
    const { json } = await report('?date=2026-03-01');
    assert.equal(json.closingSum, 10);
    assert.deepEqual(json.otherCurrencies, [{ currency: 'EUR', openingSum: 0, closingSum: 0.99 }]);
  });

  it('lists money without a payment request', async () => {
    const { id } = (await paymentRequestCalls(service, merchant).create()).json;
    const networkReference = randomUUID();
    await write(
      entryOf(merchant, { paymentRequestId: id, ...ON_1_MARCH }),
      entryOf(merchant, { type: 'UNMATCHED', networkReference, ...ON_1_MARCH }),
      entryOf(merchant, { type: 'UNMATCHED', ...ON_2_MARCH }),
    );
    const { moneyWithoutPaymentRequest: money } = (await report('?date=2026-03-01')).json;
    assert.equal(money.count, 1);
    assert.equal(money.hasMore, false);
    assert.equal(money.data[0].networkReference, networkReference);
  });

  it('lists payment requests that became PAID on the day without money', async () => {
    const { create, simulate } = paymentRequestCalls(service, merchant);
    const ids: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { id } = (await create()).json;
      await simulate(id, { outcome: 'PAID' });
      ids.push(id);
    }
    // Payment requests from before the ledger have no entry: these two are made so.
    const { sql } = service.database;
    await sql('ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_append_only');
    await sql('DELETE FROM ledger_entries WHERE payment_request_id = ANY ($1::uuid[])', [ids]);
    await sql('ALTER TABLE ledger_entries ENABLE TRIGGER ledger_entries_append_only');
    await write(entryOf(merchant, { paymentRequestId: ids[1] ?? null, ...ON_1_MARCH }));
    const { paidWithoutMoney: paid } = (await report('?date=2026-03-01')).json;
    assert.equal(paid.count, 1);
    assert.equal(paid.data[0].paymentRequestId, ids[0]);
    assert.equal(paid.data[0].amount, 12.34);
    assert.equal((await report('?date=2026-03-02')).json.paidWithoutMoney.count, 0);
  });

  it('shows entries that came after an earlier report, of all days', async () => {
    await write(entryOf(merchant, { amountCents: 1_000, bookingDate: '2026-03-01' }));
    const first = (await report('?date=2026-03-01')).json;
    assert.equal(first.since, undefined);
    const late = entryOf(merchant, { amountCents: 77, bookingDate: '2026-02-01' });
    await write(late);
    const second = (await report(`?date=2026-03-01&since=${first.nextCursor}`)).json;
    assert.equal(second.openingSum, 0.77);
    assert.equal(second.since.hasMore, false);
    assert.deepEqual(
      second.since.data.map((entry: { networkReference: string }) => entry.networkReference),
      [late.networkReference],
    );
    const third = (await report(`?date=2026-03-01&since=${second.nextCursor}`)).json;
    assert.deepEqual(third.since.data, []);
    assert.equal(third.nextCursor, second.nextCursor);
  });

  it('counts no entry that its cursor cannot pass yet', async () => {
    await write(entryOf(merchant, ON_1_MARCH));
    const release = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const open = service.database.db.transaction(async (tx) => {
      await tx.query({ name: '', text: 'SELECT pg_current_xact_id()' });
      held.resolve();
      await release.promise;
    });
    await held.promise;
    await writeEntries(service, [entryOf(merchant, ON_1_MARCH)]);
    const before = (await report('?date=2026-03-01')).json;
    release.resolve();
    await open;
    assert.equal(before.closingSum, 10);
    await eventually(async () => {
      const { json } = await report(`?date=2026-03-01&since=${before.nextCursor}`);
      return json.closingSum === 20 && json.since.data.length === 1;
    }, 'the entry in the report');
  });

  it('answers CSV with a row for each sum and item', async () => {
    await write(
      entryOf(merchant, { amountCents: 1_000, ...ON_1_MARCH }),
      entryOf(merchant, { amountCents: -300, type: 'RETURN', ...ON_1_MARCH }),
    );
    const answer = await report('?date=2026-03-01', { accept: 'text/csv' });
    const [header = [], ...rows] = parseCsv(answer.text);
    const cells = rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at]])));
    assert.deepEqual(
      cells.map(({ section, type, count, amount }) => [section, type, count, amount]),
      [
        ['openingSum', '', '', '0.00'],
        ['closingSum', '', '', '7.00'],
        ['totals', 'PAYMENT', '1', '10.00'],
        ['totals', 'RETURN', '1', '-3.00'],
        ['moneyWithoutPaymentRequest', 'PAYMENT', '', '10.00'],
        ['moneyWithoutPaymentRequest', 'RETURN', '', '-3.00'],
        ['nextCursor', '', '', ''],
      ],
    );
    assert.match(answer.headers.get('content-disposition') ?? '', /reconciliation-2026-03-01-/);
  });

  it('is of yesterday in TIME_ZONE without a date', async () => {
    // The service's clock stands at seven in the morning of 1 March in Toronto.
    assert.equal((await report('')).json.date, '2026-02-28');
  });

  it('refuses a false date, a foreign cursor and other media types', async () => {
    assert.deepEqual(faultsOf(await report('?date=2026-02-30&since=x')), [
      ['date', 'INVALID_FORMAT'],
      ['since', 'INVALID_FORMAT'],
    ]);
    assert.deepEqual(faultsOf(await report('?date=01.03.2026')), [['date', 'INVALID_FORMAT']]);
    assert.equal((await report('?date=2026-03-01', { accept: 'image/png' })).status, 406);
  });

  it('needs the scope report/read', async () => {
    const token = await buyToken(service.call, merchant, 'payment_request/read');
    const refused = await report('?date=2026-03-01', { authorization: `Bearer ${token}` });
    assert.equal(refused.json.code, 'INSUFFICIENT_SCOPE');
  });
});
