import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeDay } from '#e-transfer/bank-transfer/reconciliation/close-day.ts';
import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import { foreignStatement, type OurMoney } from '../../support/bank/foreign-statement.ts';
import { oracleFiles, WITHOUT_ORACLES } from '../../support/bank/oracles.ts';
import { type ConsoleClient, signIn } from '../../support/console/console-client.ts';
import { untilAllInLedger } from '../../support/ledger/ledger-entries.ts';

/** The version that the bank of the test sends, for each row of the table (bank-transfer §4). */
const FILES = [
  'camt053.v2.minimal.xml',
  'camt053.v3.xml',
  'camt053.v4.xml',
  'camt052.v4.xml',
  'camt052.v6.xml',
  'camt054.v2.xml',
  'camt054.v4.xml',
] as const;

/** A valid IBAN of an account without a bank. */
function germanIban(account: number): string {
  const number = String(account).padStart(18, '0');
  // DE00 as digits, after the number (ISO 13616).
  const check = 98n - (BigInt(`${number}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${number}`;
}

describe('our money in foreign statements', { skip: WITHOUT_ORACLES }, () => {
  let bank: BankProduction;
  let sent = 0;
  let operator: ConsoleClient | null = null;
  before(async () => {
    bank = await startBankProduction();
  });
  after(() => bank?.stop());

  /** Each delivery is of another bank's program, in turn. */
  async function deliver(money: Partial<OurMoney>, file = FILES[sent % FILES.length]) {
    sent += 1;
    const bankReference = `FOREIGN-${sent}`;
    const bytes = foreignStatement(file ?? FILES[0], {
      iban: HARBOUR_IBAN,
      amountCents: 10_000,
      bankReference,
      ...money,
    });
    const { state, reason } = await bank.deliver(bytes);
    assert.equal(state, 'COMPLETE', `${file}: ${reason}`);
    return money.bankReference ?? bankReference;
  }

  const kindsOf = async (id: string) =>
    (await bank.openCases())
      .filter(({ paymentRequestId }) => paymentRequestId === id)
      .map(({ kind }) => kind);

  for (const file of FILES) {
    it(`the exact amount makes PAID: ${file}`, async () => {
      const { id, reference } = await bank.show();
      const bankReference = await deliver({ reference }, file);
      const { status, payment } = await bank.read(id);
      assert.equal(status, 'PAID');
      assert.equal(payment.networkReference.includes(bankReference), true);
    });
  }

  /** All but the one without a statement. */
  const READ = oracleFiles('files').filter(
    (name) => name.endsWith('.xml') && name !== 'camt053.v2.wrong.xml',
  );

  /** The reports count an entry once no older transaction is open. */
  const reportOf = async (date: string) => {
    await untilAllInLedger(bank.service.database);
    const path = `/v1/reports/reconciliation?date=${date}`;
    return (await bank.service.call('GET', path, { headers: bank.merchant.headers })).json;
  };

  for (const [n, file] of READ.entries()) {
    it(`statement, ledger, report and console agree: ${file}`, async () => {
      // Each bank has its own numbers of statements: the account is another one, too.
      const iban = germanIban(n);
      await bank.setAccount(iban);
      const { id, reference } = await bank.show();
      await deliver({ reference, iban }, file as (typeof FILES)[number]);
      await bank.setAccount(HARBOUR_IBAN);
      assert.equal(await bank.statusOf(id), 'PAID');
      const { db, sql } = bank.service.database;
      const entries = await sql<{ day: string; cents: number; type: string }>(
        `SELECT booking_date::text AS day, amount_cents::int AS cents, type FROM ledger_entries
         WHERE payment_request_id = $1`,
        [id],
      );
      assert.deepEqual(
        entries.map(({ cents, type }) => [type, cents]),
        [['PAYMENT', 10_000]],
      );
      const [{ day = '' } = {}] = entries;
      const [sum] = await sql<{ cents: number }>(
        'SELECT sum(amount_cents)::int AS cents FROM ledger_entries WHERE booking_date = $1',
        [day],
      );
      const { closingSum, openingSum } = await reportOf(day);
      assert.equal(Math.round((closingSum - openingSum) * 100), sum?.cents);
      const startsAt = new Date(`${day}T00:00:00Z`);
      const endsAt = new Date(startsAt.getTime() + 86_400_000);
      const asked = { date: day, startsAt, endsAt, merchantId: null };
      const { money, statements } = await closeDay(db, asked, 999);
      const own = money.filter(({ paymentRequestId }) => paymentRequestId === id);
      const isOfDay = file.startsWith('camt053') || file === 'abn-amro.xml';
      assert.deepEqual(
        own.map(({ isOnStatement, type, amountCents }) => [isOnStatement, type, amountCents]),
        [[isOfDay, 'PAYMENT', 10_000]],
      );
      const ours = statements.filter(({ account }) => account === iban);
      assert.equal(
        ours.reduce((total, { oursCents }) => total + oursCents, 0),
        isOfDay ? 10_000 : 0,
      );
      operator ??= await signIn(bank.service, { role: 'operator' });
      const { html } = await operator.get(`/console/operator/report?date=${day}`);
      assert.ok(html.includes(id));
    });
  }

  it('the reference in the text makes PAID, as payers type it', async () => {
    const { id, reference } = await bank.show();
    const typed = reference.toLowerCase().replace(/(.{4})/g, '$1 ');
    await deliver({ text: `Order 7, ref. ${typed}- thank you` });
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('the reference as EndToEndId makes PAID', async () => {
    const { id, reference } = await bank.show();
    await deliver({ endToEndId: reference });
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('announced money changes nothing until it is booked', async () => {
    const { id, reference } = await bank.show();
    const bankReference = 'FOREIGN-PENDING';
    await deliver({ reference, bankReference, status: 'PDNG' }, 'camt053.v4.xml');
    assert.notEqual(await bank.statusOf(id), 'PAID');
    await deliver({ reference, bankReference }, 'camt053.v4.xml');
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('parts make PAID with the last one', async () => {
    const { id, reference } = await bank.show();
    await deliver({ reference, amountCents: 4_000 }, 'camt053.v2.minimal.xml');
    assert.notEqual(await bank.statusOf(id), 'PAID');
    await deliver({ reference, amountCents: 6_000 }, 'camt053.v4.xml');
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('more than the amount is a case', async () => {
    const { id, reference } = await bank.show();
    await deliver({ reference, amountCents: 10_001 });
    assert.notEqual(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await kindsOf(id), ['AMOUNT_MISMATCH']);
  });

  it('another currency is a case', async () => {
    const { id, reference } = await bank.show();
    await deliver({ reference, currency: 'CHF' });
    assert.notEqual(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await kindsOf(id), ['CURRENCY_MISMATCH']);
  });

  it('money for a paid request is a case', async () => {
    const { id, reference } = await bank.show();
    await deliver({ reference }, 'camt053.v3.xml');
    await deliver({ reference }, 'camt053.v4.xml');
    assert.deepEqual(await kindsOf(id), ['SECOND_PAYMENT']);
  });

  it('two references in one entry are a case, and no match', async () => {
    const [first, second] = [await bank.show(), await bank.show()];
    await deliver({ text: `${first.reference} ${second.reference}` });
    assert.notEqual(await bank.statusOf(first.id), 'PAID');
    assert.notEqual(await bank.statusOf(second.id), 'PAID');
    const kinds = (await bank.openCases()).map(({ kind }) => kind);
    assert.ok(kinds.includes('AMBIGUOUS_REFERENCE'));
  });

  it('a reference of ours that fits nothing is a case', async () => {
    await deliver({ reference: creditorReferenceOf('123456789012345') });
    const kinds = (await bank.openCases()).map(({ kind }) => kind);
    assert.ok(kinds.includes('UNMATCHED_MONEY'));
  });

  it('a debit that returns the payment keeps PAID and opens a case', async () => {
    const { id, reference } = await bank.show();
    await deliver({ reference }, 'camt053.v4.xml');
    await deliver({ reference, direction: 'DEBIT', returned: 'AC06' }, 'camt053.v4.xml');
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await kindsOf(id), ['MONEY_RETURNED']);
  });

  it('a debit with our reference and no return code is a case', async () => {
    const { id, reference } = await bank.show();
    await deliver({ reference }, 'camt053.v4.xml');
    await deliver({ reference, direction: 'DEBIT' }, 'camt053.v4.xml');
    assert.deepEqual(await kindsOf(id), ['REFUNDED_OUTSIDE']);
  });

  it('the entries of the foreign account itself match nothing', async () => {
    const before = await bank.ledger();
    await deliver({ text: 'Rent of March' });
    assert.deepEqual(await bank.ledger(), before);
  });
});
