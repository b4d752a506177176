import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import { setAccount } from '#merchants/accounts/set-account.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import type {
  EntryOptions,
  FileOptions,
  StatementOptions,
} from '../../support/bank/statement-options.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import { eventually } from '../../support/eventually.ts';

let bank: BankProduction;
let references = 0;
/** The account of another merchant. */
const other = 'AT611904300234573201';
const LATER_IBAN = 'DE02120300000000202051';

before(async () => {
  bank = await startBankProduction({ settings: { BANK_MAX_AUTOMATIC: '500' } });
  const merchant = await bank.service.createMerchant({ name: 'Other Shop' });
  await setAccount(
    { db: bank.service.database.db, clock: bank.service.clock, actor: 'test' },
    merchant.merchantId,
    { holder: 'Other Shop', iban: other, bic: null },
  );
});
after(() => bank.stop());

/** Delivers entries of the merchant's account; each has a bank reference of its own. */
async function deliver(
  entries: readonly EntryOptions[],
  { iban = HARBOUR_IBAN, date, kind }: Partial<StatementOptions & FileOptions> = {},
) {
  const named = entries.map((entry) => ({
    bankReference: `BANK-${++references}`,
    debtorAgent: 'DEUTDEFFXXX',
    ...entry,
  }));
  return bank.deliver(
    writeStatement({ iban, entries: named, ...(date && { date }) }, { ...(kind && { kind }) }),
  );
}

const casesOf = async (id: string) =>
  (await bank.openCases()).filter(({ paymentRequestId }) => paymentRequestId === id);
const kindsOf = async (id: string) => (await casesOf(id)).map(({ kind }) => kind);
async function entriesOf(id: string): Promise<string[]> {
  const rows = await bank.service.database.sql<{ entry: string }>(
    `SELECT type || ' ' || amount_cents AS entry FROM ledger_entries
     WHERE payment_request_id = $1 ORDER BY position`,
    [id],
  );
  return rows.map(({ entry }) => entry);
}

describe('money in a bank statement', () => {
  it('makes a payment request PAID by its structured reference and exact amount', async () => {
    const { id, reference } = await bank.show();
    const { state } = await deliver([{ amountCents: 10_000, reference, bankReference: 'ACCT-77' }]);
    assert.equal(state, 'COMPLETE');
    const { status, payment } = await bank.read(id);
    assert.equal(status, 'PAID');
    assert.equal(payment.networkReference, 'ACCT-77');
    assert.equal(payment.institution, 'DEUTDEFFXXX');
    assert.deepEqual(await entriesOf(id), ['PAYMENT 10000']);
  });

  it('finds the reference in the text, with blanks, dashes, small letters and line breaks', async () => {
    const { id, reference } = await bank.show();
    const spelled = reference
      .toLowerCase()
      .replaceAll(/(.{4})/g, '$1 ')
      .replace(' ', '-');
    const text = [`thanks! ${spelled.slice(0, 12)}`, `${spelled.slice(12)} 2026`];
    await deliver([{ amountCents: 10_000, text }]);
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('finds the reference as EndToEndId', async () => {
    const { id, reference } = await bank.show();
    await deliver([{ amountCents: 10_000, endToEndId: reference }]);
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('reports nothing while pending, and matches the entry once it is booked', async () => {
    const { id, reference } = await bank.show();
    const entry = { amountCents: 10_000, reference, bankReference: 'PENDING-1' };
    for (const status of ['PDNG', 'INFO', 'FUTR']) await deliver([{ ...entry, status }]);
    assert.equal(await bank.statusOf(id), 'CREATED');
    const [row] = await bank.service.database.sql<{ announced: boolean }>(
      `SELECT announced_at IS NOT NULL AS announced FROM bank_transfer_requests
       WHERE payment_request_id = $1`,
      [id],
    );
    assert.equal(row?.announced, true);
    await deliver([entry]);
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await entriesOf(id), ['PAYMENT 10000']);
  });

  it('keeps the sum of parts, and makes PAID with the last one', async () => {
    const { id, reference } = await bank.show();
    await deliver([{ amountCents: 6_000, reference }]);
    assert.equal(await bank.statusOf(id), 'CREATED');
    assert.equal(await bank.receivedCents(id), 6_000);
    await deliver([{ amountCents: 4_000, reference }]);
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await entriesOf(id), ['PART_PAYMENT 6000', 'PAYMENT 4000']);
  });

  it('opens a case for parts at the expiry, and makes PAID late with the rest', async () => {
    const { id, reference } = await bank.show();
    await deliver([{ amountCents: 6_000, reference }]);
    await bank.service.advance(8 * 86_400);
    // A read knows the expiry before the timer writes it with the case.
    const found = await eventually(async () => (await casesOf(id))[0], 'the case');
    assert.equal(await bank.statusOf(id), 'EXPIRED');
    assert.equal(found.kind, 'PART_PAYMENT');
    assert.equal(found.details.receivedCents, 6_000);
    await deliver([{ amountCents: 4_000, reference }], { date: '2026-03-08' });
    const { status, paidLate } = await bank.read(id);
    assert.deepEqual({ status, paidLate }, { status: 'PAID', paidLate: true });
    assert.deepEqual(await kindsOf(id), []);
  });

  it('opens a case with the true sum for more than the amount, and makes nothing PAID', async () => {
    const { id, reference } = await bank.show();
    await deliver([
      { amountCents: 6_000, reference },
      { amountCents: 6_000, reference },
    ]);
    assert.equal(await bank.statusOf(id), 'CREATED');
    const [found] = await casesOf(id);
    assert.equal(found?.kind, 'AMOUNT_MISMATCH');
    assert.equal(found?.details.arrivedCents, 12_000);
  });

  it('opens a case for a second payment', async () => {
    const { id, reference } = await bank.show();
    await deliver([{ amountCents: 10_000, reference }]);
    await deliver([{ amountCents: 10_000, reference }]);
    assert.deepEqual(await kindsOf(id), ['SECOND_PAYMENT']);
    assert.deepEqual(await entriesOf(id), ['PAYMENT 10000', 'SECOND_PAYMENT 10000']);
  });

  it('opens a case for another currency', async () => {
    const { id, reference } = await bank.show();
    await deliver([{ amountCents: 10_000, currency: 'USD', reference }]);
    assert.equal(await bank.statusOf(id), 'CREATED');
    assert.deepEqual(await kindsOf(id), ['CURRENCY_MISMATCH']);
  });

  it('opens a case when a merchant pays itself with the reference of another', async () => {
    const { id, reference } = await bank.show();
    await deliver([{ amountCents: 10_000, reference, bankReference: 'SELF-1' }], { iban: other });
    assert.equal(await bank.statusOf(id), 'CREATED');
    assert.deepEqual(await kindsOf(id), ['WRONG_ACCOUNT']);
  });

  it('opens a case for two known references in one entry, and matches neither', async () => {
    const [one, two] = [await bank.show(), await bank.show()];
    await deliver([{ amountCents: 10_000, reference: one.reference, text: two.reference }]);
    assert.equal(await bank.statusOf(one.id), 'CREATED');
    assert.equal(await bank.statusOf(two.id), 'CREATED');
    const found = (await bank.openCases()).find(({ kind }) => kind === 'AMBIGUOUS_REFERENCE');
    const candidates = (found?.details.candidates ?? []) as string[];
    assert.deepEqual([...candidates].sort(), [one.id, two.id].sort());
  });

  it('opens a case above BANK_MAX_AUTOMATIC, also for a sum of parts', async () => {
    const whole = await bank.show({ amount: 900 });
    const parts = await bank.show({ amount: 900 });
    await deliver([
      { amountCents: 90_000, reference: whole.reference },
      { amountCents: 45_000, reference: parts.reference },
      { amountCents: 45_000, reference: parts.reference },
    ]);
    for (const { id } of [whole, parts]) {
      assert.equal(await bank.statusOf(id), 'CREATED');
      assert.deepEqual(await kindsOf(id), ['AMOUNT_ABOVE_LIMIT']);
    }
  });

  it('opens a case with hints for a reference of ours that fits nothing', async () => {
    const open = await bank.show({ amount: 41.07 });
    const reference = creditorReferenceOf('123451234512345');
    await deliver([{ amountCents: 4_107, text: `invoice ${reference}` }]);
    const found = (await bank.openCases()).find(({ kind }) => kind === 'UNMATCHED_MONEY');
    assert.equal(found?.paymentRequestId, null);
    assert.deepEqual(found?.details.candidates, [open.id]);
    assert.equal(await bank.statusOf(open.id), 'CREATED');
  });

  it('counts any other entry, and keeps no name and no text of it', async () => {
    await deliver([
      {
        amountCents: 777,
        text: 'Birthday present',
        debtorName: 'Grace Hopper',
        debtorIban: 'FR1420041010050500013M02606',
      },
    ]);
    const rows = await bank.service.database.sql<{ whole: string }>(
      `SELECT row_to_json(e)::text AS whole FROM bank_entries e WHERE amount_cents = 777`,
    );
    assert.equal(rows.length, 1);
    const whole = rows[0]?.whole ?? '';
    assert.match(whole, /"outcome":"ORDINARY"/);
    assert.match(whole, /"party_box":null/);
    assert.doesNotMatch(whole, /Grace|Birthday|FR1420/);
  });

  it('reports a return of money that made PAID, and the status stays', async () => {
    const { id, reference } = await bank.show();
    await deliver([{ amountCents: 10_000, reference, bankReference: 'IN-9' }]);
    await deliver([{ amountCents: 10_000, direction: 'DEBIT', reference, returned: 'AC04' }]);
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await kindsOf(id), ['MONEY_RETURNED']);
    assert.deepEqual(await entriesOf(id), ['PAYMENT 10000', 'RETURN -10000']);
  });

  it('lowers the sum by a part that is returned', async () => {
    const { id, reference } = await bank.show();
    await deliver([{ amountCents: 6_000, reference }]);
    await deliver([{ amountCents: 6_000, direction: 'DEBIT', reference, isReversal: true }]);
    assert.equal(await bank.receivedCents(id), 0);
    await deliver([{ amountCents: 10_000, reference }]);
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('opens a case for a debit with our reference and without a return code', async () => {
    const { id, reference } = await bank.show();
    await deliver([{ amountCents: 10_000, reference }]);
    await deliver([{ amountCents: 10_000, direction: 'DEBIT', reference }]);
    assert.deepEqual(await kindsOf(id), ['REFUNDED_OUTSIDE']);
  });

  it('takes no debit of a merchant who pays another one for a refund', async () => {
    const { id, reference } = await bank.show();
    await deliver([{ amountCents: 10_000, direction: 'DEBIT', reference }], { iban: other });
    await deliver([{ amountCents: 10_000, reference }]);
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await kindsOf(id), []);
  });

  it('matches on the account that the payment request shows, after a change too', async () => {
    const before = await bank.show();
    await bank.setAccount(LATER_IBAN);
    const later = await bank.show();
    await deliver([
      { amountCents: 10_000, reference: before.reference },
      { amountCents: 10_000, reference: later.reference, bankReference: 'OLD-ACCOUNT' },
    ]);
    assert.equal(await bank.statusOf(before.id), 'PAID');
    assert.equal(await bank.statusOf(later.id), 'CREATED');
    assert.deepEqual(await kindsOf(later.id), ['WRONG_ACCOUNT']);
    await deliver([{ amountCents: 10_000, reference: later.reference }], { iban: LATER_IBAN });
    assert.equal(await bank.statusOf(later.id), 'PAID');
    await bank.setAccount(HARBOUR_IBAN);
  });

  it('keeps names, accounts and texts of payers out of the log', () => {
    const lines = JSON.stringify(bank.service.logLines);
    assert.doesNotMatch(lines, /Grace|Birthday|AT6119|DE8937|RF\d{2}\d/);
  });
});
