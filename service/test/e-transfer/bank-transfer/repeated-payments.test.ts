import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setAccount } from '#merchants/accounts/set-account.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import type { EntryOptions, StatementOptions } from '../../support/bank/statement-options.ts';
import { writeStatement, writeStatementFile } from '../../support/bank/write-statement.ts';

type Kind = 'camt.052' | 'camt.053' | 'camt.054';
const OTHER_IBAN = 'AT611904300234573201';
const LATER_IBAN = 'DE02120300000000202051';
const MONTH_SECONDS = 30 * 86_400;

let bank: BankProduction;
let other: { merchantId: string };
let numbers = 0;
before(async () => {
  bank = await startBankProduction();
  other = await bank.service.createMerchant({ name: 'Other Shop' });
  const { clock, database } = bank.service;
  const deps = { db: database.db, clock, actor: 'test' };
  await setAccount(deps, other.merchantId, { holder: 'Other Shop', iban: OTHER_IBAN, bic: null });
});
after(() => bank.stop());

const unique = (): string => `NAMED-${++numbers}`;

async function send(
  entries: readonly EntryOptions[],
  kind: Kind = 'camt.053',
  statement: Partial<StatementOptions> = {},
): Promise<void> {
  const file = writeStatement({ iban: HARBOUR_IBAN, entries, ...statement }, { kind });
  const { state, reason } = await bank.deliver(file);
  assert.equal(state, 'COMPLETE', String(reason));
}

const kindsOf = async (id: string) =>
  (await bank.openCases()).flatMap((each) => (each.paymentRequestId === id ? each.kind : []));
/** The entries of a payment request, as `TYPE 12.34`. */
async function entriesOf(id: string): Promise<string[]> {
  const rows = await bank.service.database.sql<{ entry: string }>(
    `SELECT type || ' ' || amount_cents AS entry FROM ledger_entries
     WHERE payment_request_id = $1 ORDER BY position`,
    [id],
  );
  return rows.map(({ entry }) => entry);
}

describe('two equal real payments in one day', () => {
  it('are two with bank references, however often messages repeat them', async () => {
    const { id, reference } = await bank.show();
    const [one, two] = [unique(), unique()].map((bankReference) => ({
      amountCents: 10_000,
      reference,
      bankReference,
    })) as [EntryOptions, EntryOptions];
    await send([one], 'camt.054');
    await send([two], 'camt.054');
    await send([one, two], 'camt.052');
    await send([two, one]);
    assert.deepEqual(await entriesOf(id), ['PAYMENT 10000', 'SECOND_PAYMENT 10000']);
    assert.deepEqual(await kindsOf(id), ['SECOND_PAYMENT']);
  });

  it('are two parts without bank references, once the statement of the day has both', async () => {
    const { id, reference } = await bank.show();
    const part = { amountCents: 5_000, reference };
    await send([part], 'camt.054');
    await send([part], 'camt.054');
    assert.equal(await bank.receivedCents(id), 0);
    await send([part, part]);
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await entriesOf(id), ['PART_PAYMENT 5000', 'PAYMENT 5000']);
    await send([part, part], 'camt.052');
    assert.deepEqual(await kindsOf(id), []);
  });
});

describe('a payment in 054 and 053 without a bank reference', () => {
  for (const kinds of [
    ['camt.054', 'camt.053'],
    ['camt.053', 'camt.054'],
    ['camt.052', 'camt.054', 'camt.053', 'camt.053'],
  ] as const) {
    it(`is one payment: ${kinds.join(', ')}`, async () => {
      const { id, reference } = await bank.show();
      for (const kind of kinds) await send([{ amountCents: 10_000, reference }], kind);
      assert.deepEqual(await entriesOf(id), ['PAYMENT 10000']);
      assert.deepEqual(await kindsOf(id), []);
    });
  }

  it('is one payment when only the statement of the day has the reference', async () => {
    const { id, reference } = await bank.show();
    const money = { amountCents: 10_000, reference };
    await send([money], 'camt.054');
    await send([{ ...money, bankReference: unique() }]);
    await send([money], 'camt.052');
    assert.deepEqual(await entriesOf(id), ['PAYMENT 10000']);
    assert.deepEqual(await kindsOf(id), []);
  });

  it('is one part, for announced money that is booked later too', async () => {
    const { id, reference } = await bank.show();
    const money = { amountCents: 4_000, reference };
    await send([{ ...money, status: 'PDNG' }], 'camt.052');
    await send([money], 'camt.054');
    await send([money]);
    assert.equal(await bank.receivedCents(id), 4_000);
    assert.deepEqual(await entriesOf(id), ['PART_PAYMENT 4000']);
  });
});

describe('a merchant who pays into their own account with another merchant’s reference', () => {
  it('changes nothing of the payment request, and the real payment makes it PAID', async () => {
    const { id, reference } = await bank.show();
    const cent = { amountCents: 1, endToEndId: reference, bankReference: unique() };
    await send([cent], 'camt.053', { iban: OTHER_IBAN });
    assert.equal(await bank.receivedCents(id), 0);
    assert.deepEqual(await kindsOf(id), ['WRONG_ACCOUNT']);
    const owners = await bank.service.database.sql<{ merchant: string }>(
      `SELECT merchant_id AS merchant FROM operator_cases WHERE payment_request_id = $1`,
      [id],
    );
    assert.deepEqual(owners, [{ merchant: other.merchantId }]);
    await send([{ amountCents: 10_000, reference, bankReference: unique() }]);
    assert.deepEqual(await entriesOf(id), ['PAYMENT 10000']);
  });

  it('makes neither PAID with one reference in the text and one as EndToEndId', async () => {
    const [one, two] = [await bank.show(), await bank.show()];
    const money = { amountCents: 10_000, endToEndId: one.reference, text: two.reference };
    await send([{ ...money, bankReference: unique() }], 'camt.053', { iban: OTHER_IBAN });
    await send([{ ...money, bankReference: unique() }]);
    for (const { id } of [one, two]) assert.deepEqual(await entriesOf(id), []);
  });

  it('finds each account’s own money in one file of two accounts', async () => {
    const [right, wrong] = [await bank.show(), await bank.show()];
    const entryOf = (reference: string) => ({
      amountCents: 10_000,
      reference,
      bankReference: unique(),
    });
    const file = writeStatementFile({
      statements: [
        { iban: OTHER_IBAN, entries: [entryOf(wrong.reference)] },
        { iban: HARBOUR_IBAN, entries: [entryOf(right.reference)] },
      ],
    });
    assert.equal((await bank.deliver(file)).state, 'COMPLETE');
    assert.deepEqual(await entriesOf(right.id), ['PAYMENT 10000']);
    assert.deepEqual(await kindsOf(wrong.id), ['WRONG_ACCOUNT']);
  });

  it('takes one bank reference of two accounts for two payments', async () => {
    const { id, reference } = await bank.show();
    const money = { amountCents: 10_000, reference, bankReference: unique() };
    await send([money], 'camt.053', { iban: OTHER_IBAN });
    await send([money]);
    assert.deepEqual(await entriesOf(id), ['PAYMENT 10000']);
  });
});

describe('an account changed while requests are open', () => {
  it('takes a statement that arrives eight months late, on the former account', async () => {
    const [whole, parts, unpaid] = [await bank.show(), await bank.show(), await bank.show()];
    await send([{ amountCents: 3_000, reference: parts.reference, bankReference: unique() }]);
    await bank.setAccount(LATER_IBAN);
    await bank.service.advance(8 * MONTH_SECONDS);
    await send(
      [
        { amountCents: 10_000, reference: whole.reference, bankReference: unique() },
        { amountCents: 7_000, reference: parts.reference, bankReference: unique() },
      ],
      'camt.053',
      { date: '2026-03-03' },
    );
    for (const { id } of [whole, parts]) {
      const { status, paidLate } = await bank.read(id);
      assert.deepEqual({ status, paidLate }, { status: 'PAID', paidLate: true });
    }
    assert.equal(await bank.statusOf(unpaid.id), 'EXPIRED');
    assert.deepEqual(await entriesOf(whole.id), ['LATE_PAYMENT 10000']);
    assert.deepEqual(await entriesOf(parts.id), ['PART_PAYMENT 3000', 'LATE_PAYMENT 7000']);
    assert.deepEqual(await kindsOf(parts.id), []);
    // The present account takes no money of a request that shows the former one.
    const money = { amountCents: 10_000, reference: unpaid.reference, bankReference: unique() };
    await send([money], 'camt.053', { iban: LATER_IBAN });
    assert.deepEqual(await kindsOf(unpaid.id), ['WRONG_ACCOUNT']);
  });
});
