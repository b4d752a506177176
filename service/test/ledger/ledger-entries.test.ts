import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { encodeCommitCursor } from '#database/commit-order/commit-cursor.ts';
import { encodeLedgerCursor } from '#ledger/entries/ledger-cursor.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
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
  service = await startTestService({ settings: { TIME_ZONE: 'America/Toronto' } });
});
after(() => service?.stop());
beforeEach(async () => {
  merchant = await service.createMerchant();
});

const read = (query = '', headers: Record<string, string> = {}) =>
  service.call('GET', `/v1/ledger-entries${query}`, {
    headers: { ...merchant.headers, ...headers },
  });
const csv = (query = '') => read(query, { accept: 'text/csv' });
const referencesOf = (entries: readonly { networkReference: string }[]) =>
  entries.map(({ networkReference }) => networkReference);
const write = (...entries: ReturnType<typeof entryOf>[]) => writeEntries(service, entries);

/** An entry whose transaction ends when the test says so. */
async function holdEntry(networkReference: string) {
  const written = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const over = service.database.db.transaction(async (tx) => {
    await insertLedgerEntries(tx, [entryOf(merchant, { networkReference })]);
    written.resolve();
    await release.promise;
  });
  await Promise.race([written.promise, over]);
  return async () => {
    release.resolve();
    await over;
  };
}

describe('the ledger of a merchant', () => {
  it('answers each entry with all its members, oldest first', async () => {
    const { id } = (await paymentRequestCalls(service, merchant).create()).json;
    const refundId = randomUUID();
    await write(
      entryOf(merchant, {
        amountCents: 1_234,
        paymentRequestId: id,
        networkReference: 'N-1',
        bankReference: 'B-1',
        bookingDate: '2026-02-27',
      }),
    );
    await write(
      entryOf(merchant, {
        type: 'REFUND',
        amountCents: -5,
        paymentRequestId: id,
        refundId,
        networkReference: null,
      }),
    );
    const { json, text } = await untilInLedger(read, 2);
    assert.deepEqual(
      json.data.map(({ id: _, ...entry }: { id: string }) => entry),
      [
        {
          type: 'PAYMENT',
          amount: 12.34,
          currency: 'CAD',
          paymentRequestId: id,
          refundId: null,
          networkReference: 'N-1',
          bankReference: 'B-1',
          bookingDate: '2026-02-27',
          createdDateTime: '2026-03-01T12:00:00.000Z',
        },
        {
          type: 'REFUND',
          amount: -0.05,
          currency: 'CAD',
          paymentRequestId: id,
          refundId,
          networkReference: null,
          bankReference: null,
          bookingDate: null,
          createdDateTime: '2026-03-01T12:00:00.000Z',
        },
      ],
    );
    assert.match(text, /"amount":-0\.05,/);
    assert.equal(json.hasMore, false);
  });

  it('gives every entry once to a caller that follows the cursor', async () => {
    const references = Array.from({ length: 7 }, () => randomUUID());
    for (const networkReference of references) await write(entryOf(merchant, { networkReference }));
    await untilInLedger(read, 7);
    const found: string[] = [];
    let cursor = '';
    for (let calls = 0; calls < 5; calls += 1) {
      const { json } = await read(`?limit=3${cursor && `&after=${cursor}`}`);
      found.push(...referencesOf(json.data));
      cursor = json.nextCursor;
      assert.equal(json.hasMore, found.length < 7);
    }
    assert.deepEqual(found, references);
  });

  it('gives an empty ledger a cursor that the first entry comes after', async () => {
    const { json } = await read();
    assert.deepEqual(json.data, []);
    await write(entryOf(merchant));
    await untilInLedger(() => read(`?after=${json.nextCursor}`), 1);
  });

  for (const filter of ['', '&type=PAYMENT', '&from=2026-03-01']) {
    it(`never skips an entry whose transaction commits late (${filter})`, async () => {
      const start = (await read()).json.nextCursor;
      const [late, early] = [randomUUID(), randomUUID()];
      const commit = await holdEntry(late);
      await write(entryOf(merchant, { networkReference: early }));
      const [{ committed } = { committed: 0 }] = await service.database.sql<{ committed: number }>(
        'SELECT count(*)::int AS committed FROM ledger_entries WHERE merchant_id = $1',
        [merchant.merchantId],
      );
      assert.equal(committed, 1);
      const held = (await read(`?after=${start}${filter}`)).json;
      assert.deepEqual(held.data, []);
      await commit();
      const next = () => read(`?after=${held.nextCursor}${filter}`);
      const { json } = await untilInLedger(next, 2);
      assert.deepEqual(referencesOf(json.data), [late, early]);
    });
  }

  it('shows no entry of another merchant, and refuses its cursor', async () => {
    const other = await service.createMerchant();
    await write(entryOf(other));
    const ofOther = () => service.call('GET', '/v1/ledger-entries', { headers: other.headers });
    const { json } = await untilInLedger(ofOther, 1);
    assert.deepEqual((await read()).json.data, []);
    const refused = await read(`?after=${json.nextCursor}`);
    assert.equal(refused.status, 400);
    assert.deepEqual(faultsOf(refused), [['after', 'INVALID_FORMAT']]);
  });

  it('refuses a cursor of the feed and a cursor ahead of the database', async () => {
    const place = { transactionId: '4000000000000000', position: '1' };
    const ofFeed = encodeCommitCursor(merchant.merchantId, place);
    assert.deepEqual(faultsOf(await read(`?after=${ofFeed}`)), [['after', 'INVALID_FORMAT']]);
    const ahead = encodeLedgerCursor(merchant.merchantId, place);
    assert.deepEqual(faultsOf(await read(`?after=${ahead}`)), [['after', 'INVALID_VALUE']]);
  });

  it('refuses the place of an entry that a restore has lost, in the report as well', async () => {
    // The number of the transaction comes again after the restore, with another entry.
    const lost = { transactionId: '3', position: '1' };
    const cursor = encodeLedgerCursor(merchant.merchantId, lost);
    assert.deepEqual(faultsOf(await read(`?after=${cursor}`)), [['after', 'INVALID_VALUE']]);
    const path = `/v1/reports/reconciliation?date=2026-03-01&since=${cursor}`;
    const report = await service.call('GET', path, { headers: merchant.headers });
    assert.deepEqual(faultsOf(report), [['since', 'INVALID_VALUE']]);
  });

  it('needs the scope report/read', async () => {
    const token = await buyToken(service.call, merchant, 'payment_request/read event/read');
    const refused = await read('', { authorization: `Bearer ${token}` });
    assert.equal(refused.json.code, 'INSUFFICIENT_SCOPE');
    const fitting = await buyToken(service.call, merchant, 'report/read');
    assert.equal((await read('', { authorization: `Bearer ${fitting}` })).status, 200);
  });
});

describe('the filters of the ledger', () => {
  it('choose days by booking date, else by creation in TIME_ZONE', async () => {
    const at = (text: string) => ({ createdAt: new Date(text) });
    await write(
      entryOf(merchant, { networkReference: 'last of 1 March', ...at('2026-03-02T04:59:59.999Z') }),
      entryOf(merchant, { networkReference: 'first of 2 March', ...at('2026-03-02T05:00:00Z') }),
      entryOf(merchant, {
        networkReference: 'booked on 1 March',
        bookingDate: '2026-03-01',
        ...at('2026-03-09T12:00:00Z'),
      }),
      entryOf(merchant, { networkReference: 'booked on 3 March', bookingDate: '2026-03-03' }),
    );
    await untilInLedger(read, 4);
    const found = async (query: string) => referencesOf((await read(query)).json.data);
    const ofFirst = ['last of 1 March', 'booked on 1 March'];
    assert.deepEqual(await found('?from=2026-03-01&to=2026-03-01'), ofFirst);
    assert.deepEqual(await found('?to=2026-03-01'), ofFirst);
    assert.deepEqual(await found('?from=2026-03-02'), ['first of 2 March', 'booked on 3 March']);
    assert.deepEqual(await found('?from=2026-03-02&to=2026-03-02'), ['first of 2 March']);
    assert.deepEqual(await found('?from=2026-03-04'), []);
  });

  it('choose types and the payment request', async () => {
    const { id } = (await paymentRequestCalls(service, merchant).create()).json;
    await write(
      entryOf(merchant, { networkReference: 'paid', paymentRequestId: id }),
      entryOf(merchant, { networkReference: 'unmatched', type: 'UNMATCHED' }),
      entryOf(merchant, { networkReference: 'returned', type: 'RETURN', amountCents: -1 }),
    );
    await untilInLedger(read, 3);
    const found = async (query: string) => referencesOf((await read(query)).json.data);
    assert.deepEqual(await found('?type=RETURN&type=UNMATCHED'), ['unmatched', 'returned']);
    assert.deepEqual(await found('?type=PAYMENT&limit=1'), ['paid']);
    assert.deepEqual(await found(`?paymentRequestId=${id}`), ['paid']);
    assert.deepEqual(await found(`?paymentRequestId=${id}&type=RETURN`), []);
  });

  it('find rare entries far behind the place, in the order of the pages', async () => {
    // More than a page of 2 scans before it uses the indexes.
    const common = Array.from({ length: 350 }, () => entryOf(merchant));
    const rare = ['a', 'b', 'c', 'd'].map((networkReference) =>
      entryOf(merchant, { networkReference, type: 'RETURN', amountCents: -1 }),
    );
    await write(...rare.slice(0, 1), ...common, ...rare.slice(1));
    await eventually(async () => (await read('?type=RETURN')).json.data.length === 4, 'entries');
    const first = (await read('?type=RETURN&limit=2')).json;
    assert.deepEqual(referencesOf(first.data), ['a', 'b']);
    assert.equal(first.hasMore, true);
    const second = (await read(`?type=RETURN&limit=2&after=${first.nextCursor}`)).json;
    assert.deepEqual(referencesOf(second.data), ['c', 'd']);
    assert.equal(second.hasMore, false);
  });

  it('name every fault at once', async () => {
    const refused = await read('?from=2026-02-30&to=1&type=MONEY&limit=0&after=x&colour=red');
    assert.equal(refused.status, 400);
    assert.deepEqual(
      faultsOf(refused)
        .map(([field]) => field)
        .sort(),
      ['after', 'colour', 'from', 'limit', 'to', 'type'],
    );
    const order = await read('?from=2026-03-02&to=2026-03-01');
    assert.deepEqual(faultsOf(order), [['to', 'INVALID_VALUE']]);
  });
});

describe('the ledger as CSV', () => {
  it('has all matches, and the cursor of the last row goes on behind it', async () => {
    const common = Array.from({ length: 1_100 }, () => entryOf(merchant));
    await write(...common, entryOf(merchant, { type: 'RETURN', amountCents: -250 }));
    await untilInLedger(() => read('?type=RETURN'), 1);
    const answer = await csv();
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    const rows = parseCsv(answer.text);
    const header = rows[0] ?? [];
    assert.equal(rows.length, 1_102);
    const last = Object.fromEntries(header.map((name, at) => [name, rows.at(-1)?.[at]]));
    assert.equal(last.amount, '-2.50');
    assert.equal(last.type, 'RETURN');
    await write(entryOf(merchant, { networkReference: 'later' }));
    const next = await untilInLedger(() => read(`?after=${last.cursor}`), 1);
    assert.deepEqual(referencesOf(next.json.data), ['later']);
  });

  it('refuses limit and other media types', async () => {
    assert.deepEqual(faultsOf(await csv('?limit=5')), [['limit', 'INVALID_VALUE']]);
    assert.equal((await read('', { accept: 'text/html' })).status, 406);
  });
});
