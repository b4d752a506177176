import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { lockSettlementFacts } from '#cases/lock-settlement-facts.ts';
import { auditMoney } from '#commands/doctor/consistency/money-store.ts';
import { closeDay } from '#e-transfer/bank-transfer/reconciliation/close-day.ts';
import { runCli } from '../../commands/run-cli.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import type { EntryOptions } from '../../support/bank/statement-options.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import { eventually } from '../../support/eventually.ts';
import { refundCalls } from '../../support/refunds/refund-calls.ts';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const MOST = 1_000;

interface Sent {
  readonly paymentRequestId: string;
  readonly refundId: string;
  readonly endToEndId: string;
}

describe('charges of a bank beside a refund', () => {
  let bank: BankProduction;
  let folder: string;
  let days = 0;
  let numbers = 0;
  before(async () => {
    bank = await startBankProduction();
    folder = mkdtempSync(join(tmpdir(), 'bank-charges-'));
  });
  after(async () => {
    await bank?.stop();
    rmSync(folder, { recursive: true });
  });

  const unique = (): string => `CHARGE-${++numbers}`;
  const pay = (...args: string[]) => runCli(args, bank.service.env);

  async function deliver(date: string, ...entries: EntryOptions[]): Promise<void> {
    const file = writeStatement({ iban: HARBOUR_IBAN, date, entries });
    assert.equal((await bank.deliver(file)).state, 'COMPLETE');
  }

  /** Refunds of 100.00 that stand in a payment file, and the days after their payments. */
  async function send(count: number): Promise<{ sent: Sent[]; messageId: string }> {
    const sent: Sent[] = [];
    for (let n = 0; n < count; n += 1) {
      const { id, reference } = await bank.show();
      const debtorIban = 'FR1420041010050500013M02606';
      const money = { amountCents: 10_000, reference, debtorIban, bankReference: unique() };
      await deliver('2026-01-01', money);
      const { json } = await refundCalls(bank, bank.merchant).created(id, {});
      const endToEndId = json.id.replaceAll('-', '');
      sent.push({ paymentRequestId: id, refundId: json.id, endToEndId });
    }
    const text = await writeFile(count);
    const [, messageId = ''] = /<MsgId>([^<]+)/.exec(text) ?? [];
    return { sent, messageId };
  }

  /** The payment file of the refunds that wait. */
  async function writeFile(count: number): Promise<string> {
    await eventually(async () => {
      await bank.service.advance(1_000);
      const [row] = await bank.service.database.sql<{ n: number }>(
        "SELECT count(*)::int AS n FROM bank_refunds WHERE state = 'QUEUED'",
      );
      return row?.n === count ? row : undefined;
    }, 'the queue of refunds');
    const known = new Set(readdirSync(folder));
    assert.equal((await pay('bank', 'refunds', '--out', folder)).exitCode, 0);
    const name = readdirSync(folder).find((each) => each.endsWith('.xml') && !known.has(each));
    return readFileSync(join(folder, name ?? ''), 'utf8');
  }

  /** A refund that the bank has executed without charges. */
  async function execute() {
    const { sent } = await send(1);
    const [kept] = sent;
    assert.ok(kept);
    const date = nextDay();
    const { endToEndId } = kept;
    const debit = { direction: 'DEBIT', amountCents: 10_000, bankReference: unique() } as const;
    await deliver(date, { ...debit, endToEndId });
    return { kept, date, endToEndId, debit };
  }

  const nextDay = (): string => `2026-01-${String(++days + 1).padStart(2, '0')}`;

  const refundOf = ({ refundId }: Sent) => refundCalls(bank, bank.merchant).read(refundId);

  async function ledgerOf(date: string): Promise<string[]> {
    const rows = await bank.service.database.sql<{ type: string; cents: number }>(
      `SELECT type, amount_cents::int AS cents FROM ledger_entries
       WHERE booking_date = $1::date ORDER BY position`,
      [date],
    );
    return rows.map(({ type, cents }) => `${type} ${cents}`);
  }

  const openCases = () =>
    bank.service.database.sql<{ id: string; kind: string; refund: string }>(
      `SELECT id, kind, details ->> 'refundId' AS refund FROM operator_cases
       WHERE closed_at IS NULL`,
    );

  async function accept(id = ''): Promise<{ outcome: string }> {
    const accepted = await pay('cases', 'accept', id, '--json');
    assert.equal(accepted.exitCode, 0, accepted.stderr);
    return accepted.json() as { outcome: string };
  }

  /** Statements, ledger and the sums of payment requests and refunds agree. */
  async function mustAgree(date: string): Promise<void> {
    const { db } = bank.service.database;
    const startsAt = new Date(`${date}T00:00:00Z`);
    const endsAt = new Date(startsAt.getTime() + 86_400_000);
    const asked = { date, startsAt, endsAt, merchantId: null };
    const { verdict, differences, currencies } = await closeDay(db, asked, MOST);
    assert.deepEqual({ verdict, differences }, { verdict: 'CLOSES', differences: 0 });
    assert.deepEqual(
      currencies.map(({ differenceCents }) => differenceCents),
      [0],
    );
    const { examined: _, last: __, ...faults } = await auditMoney(db, FIRST_ID, MOST);
    for (const [name, found] of Object.entries(faults)) assert.deepEqual(found, [], name);
  }

  it('complete it, stand in the ledger as FEE, and leave the sums as they are', async () => {
    const { sent } = await send(2);
    const [stated, transaction] = sent;
    assert.ok(stated && transaction);
    const date = nextDay();
    const debit = { direction: 'DEBIT', amountCents: 10_035 } as const;
    await deliver(
      date,
      {
        ...debit,
        bankReference: unique(),
        payments: [{ amountCents: 10_000, endToEndId: stated.endToEndId, detailChargeCents: 35 }],
      },
      {
        ...debit,
        bankReference: unique(),
        payments: [{ instructedCents: 10_000, endToEndId: transaction.endToEndId }],
      },
    );
    for (const each of sent) {
      assert.equal((await refundOf(each)).json.status, 'COMPLETED');
      const { refundSummary } = await bank.read(each.paymentRequestId);
      assert.equal(refundSummary.amountRefunded, 100);
    }
    const booked = ['REFUND -10000', 'FEE -35'];
    assert.deepEqual(await ledgerOf(date), [...booked, ...booked]);
    await mustAgree(date);

    const later = nextDay();
    await deliver(later, {
      amountCents: 9_750,
      bankReference: unique(),
      payments: [
        {
          amountCents: 10_000,
          endToEndId: stated.endToEndId,
          detailChargeCents: 250,
          returned: 'AC04',
        },
      ],
    });
    const { json } = await refundOf(stated);
    assert.deepEqual([json.status, json.statusReason.code], ['FAILED', 'REFUND_RETURNED']);
    assert.deepEqual(await ledgerOf(later), ['REFUND_RETURN 10000', 'FEE -250']);
    const { refundSummary } = await bank.read(stated.paymentRequestId);
    assert.equal(refundSummary.amountAvailable, 100);
    await mustAgree(later);
    assert.deepEqual(await bank.openCases(), []);
  });

  it('are a case that names the refund when nothing explains them, until a person accepts', async () => {
    const { sent } = await send(2);
    const [kept, returned] = sent;
    assert.ok(kept && returned);
    const date = nextDay();
    const entry = {
      direction: 'DEBIT',
      bankReference: unique(),
      amountCents: 10_035,
      endToEndId: kept.endToEndId,
    } as const;
    const money = { ...entry, bankReference: unique(), endToEndId: returned.endToEndId };
    await deliver(date, entry, { ...money, amountCents: 10_000 });
    assert.equal((await refundOf(kept)).json.status, 'PROCESSING');
    const cases = await openCases();
    assert.deepEqual(
      cases.map(({ kind, refund }) => [kind, refund]),
      [['REFUND_AMOUNT', kept.refundId]],
    );
    assert.equal((await accept(cases[0]?.id)).outcome, 'REFUND_COMPLETED');
    assert.equal((await refundOf(kept)).json.status, 'COMPLETED');
    assert.deepEqual(await ledgerOf(date), ['REFUND -10000', 'REFUND -10000', 'FEE -35']);
    await mustAgree(date);

    const later = nextDay();
    await deliver(later, {
      ...money,
      direction: 'CREDIT',
      bankReference: unique(),
      amountCents: 9_750,
      returned: 'AC04',
    });
    assert.equal((await refundOf(returned)).json.status, 'FAILED');
    assert.deepEqual(await ledgerOf(later), ['REFUND_RETURN 10000', 'FEE -250']);
    const [open] = await openCases();
    assert.deepEqual([open?.kind, open?.refund], ['REFUND_AMOUNT', returned.refundId]);
    await mustAgree(later);
    assert.equal((await accept(open?.id)).outcome, 'CHARGES_ACCEPTED');
    assert.deepEqual(await ledgerOf(later), ['REFUND_RETURN 10000', 'FEE -250']);
    assert.deepEqual(await openCases(), []);
  });

  it('are booked when the debit follows the return of its money', async () => {
    const { sent } = await send(2);
    const [stated, unclear] = sent;
    assert.ok(stated && unclear);
    const back = nextDay();
    const debitDay = nextDay();
    const debitOf = ({ endToEndId }: Sent, bankReference: string) => ({
      direction: 'DEBIT' as const,
      amountCents: 10_035,
      bankReference,
      endToEndId,
    });
    for (const each of sent) {
      const { endToEndId } = each;
      const credit = { amountCents: 10_000, bankReference: unique(), returned: 'AC04', endToEndId };
      await deliver(back, credit);
      assert.equal((await refundOf(each)).json.status, 'FAILED');
    }
    const payments = [{ amountCents: 10_000, endToEndId: stated.endToEndId }];
    // Two messages carry the debit, with references of their own.
    await deliver(debitDay, { ...debitOf(stated, unique()), payments });
    await deliver(debitDay, { ...debitOf(stated, unique()), payments });
    assert.deepEqual(await ledgerOf(debitDay), ['FEE -35']);
    await deliver(debitDay, debitOf(unclear, unique()));
    const [open] = await openCases();
    assert.deepEqual([open?.kind, open?.refund], ['REFUND_AMOUNT', unclear.refundId]);
    assert.equal((await accept(open?.id)).outcome, 'REFUND_COMPLETED');
    assert.deepEqual(await ledgerOf(debitDay), ['FEE -35', 'FEE -35']);
    for (const each of sent) {
      const { refundSummary } = await bank.read(each.paymentRequestId);
      assert.equal(refundSummary.amountAvailable, 100);
    }
  });

  it('do not hide a payer who writes the EndToEndId of a refund', async () => {
    const { kept, endToEndId } = await execute();
    const later = nextDay();
    for (const money of [
      { amountCents: 1 },
      { amountCents: 25_000 },
      // Payers choose the amount that they instruct.
      { amountCents: 1, instructedCents: 10_000 },
      { amountCents: 1, transactionCents: 10_000 },
    ]) {
      await deliver(later, { ...money, bankReference: unique(), endToEndId });
      assert.equal((await refundOf(kept)).json.status, 'COMPLETED');
      assert.deepEqual(await ledgerOf(later), []);
      const [open] = await openCases();
      assert.deepEqual([open?.kind, open?.refund], ['REFUND_AMOUNT', kept.refundId]);
      assert.equal((await pay('cases', 'close', open?.id ?? '', '--note', 'paid')).exitCode, 0);
    }
    await deliver(later, { amountCents: 9_750, bankReference: unique(), endToEndId });
    const [open] = await openCases();
    // A second person approves the booked amount, too.
    const { facts } = await bank.service.database.db.transaction((tx) =>
      lockSettlementFacts(tx, open?.id ?? '', null),
    );
    assert.deepEqual([facts.refundCents, facts.bookedCents], [10_000, 9_750]);
    assert.equal((await accept(open?.id)).outcome, 'REFUND_RETURNED');
    assert.equal((await refundOf(kept)).json.status, 'FAILED');
    assert.deepEqual(await ledgerOf(later), ['REFUND_RETURN 10000', 'FEE -250']);
  });

  it('leave a payment its payment request when it has the EndToEndId of a refund', async () => {
    const { sent } = await send(1);
    const [kept] = sent;
    assert.ok(kept);
    const { endToEndId } = kept;
    const { id, reference } = await bank.show({ amount: 250 });
    const money = { amountCents: 25_000, reference, endToEndId, bankReference: unique() };
    await deliver(nextDay(), money);
    assert.equal((await refundOf(kept)).json.status, 'PROCESSING');
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await openCases(), []);
  });

  it('make `refund fail` warn of an unmatched debit of nearly the amount', async () => {
    const { sent } = await send(1);
    const [kept] = sent;
    assert.ok(kept);
    const bankReference = unique();
    const money = { direction: 'DEBIT', amountCents: 10_035 } as const;
    const rehearse = () =>
      pay('refund', 'fail', kept.refundId, '--note', 'refused', '--dry-run', '--json');
    assert.deepEqual((await rehearse()).json().warnings, []);
    await deliver(nextDay(), { ...money, bankReference }, { ...money, amountCents: 23_201 });
    const { warnings } = (await rehearse()).json();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], new RegExp(`100\\.35 EUR of .*${bankReference}`));
    const { stderr } = await pay('refund', 'fail', kept.refundId, '--note', 'refused', '--yes');
    assert.match(stderr, /^warning: the bank has booked a debit of 100\.35 EUR/);
  });

  it('that nobody explains leave each detail its sender, to whom its refund goes', async () => {
    const [one, two] = [await bank.show({ amount: 50 }), await bank.show({ amount: 49 })];
    const ofOne = { reference: one.reference, debtorIban: 'FR1420041010050500013M02606' };
    const ofTwo = { reference: two.reference, debtorIban: 'NL91ABNA0417164300' };
    const payments = [
      { amountCents: 5_000, ...ofOne },
      { amountCents: 5_000, ...ofTwo },
    ];
    await deliver(nextDay(), { amountCents: 9_900, bankReference: unique(), payments });
    const [open] = await openCases();
    assert.equal(open?.kind, 'AMBIGUOUS_REFERENCE');
    const parts = ['--part', `${one.id}=50.00`, '--part', `${two.id}=49.00`];
    const split = await pay('cases', 'split', open?.id ?? '', ...parts);
    assert.equal(split.exitCode, 0, split.stderr);
    const refunds = refundCalls(bank, bank.merchant);
    await refunds.created(one.id, { amount: 30 });
    await refunds.created(two.id, { amount: 20 });
    const text = await writeFile(2);
    const paid = [
      ...text.matchAll(/<InstdAmt[^>]*>([^<]+)[\s\S]*?<CdtrAcct>\s*<Id>\s*<IBAN>([^<]+)/g),
    ];
    assert.deepEqual(paid.map(([, amount, iban]) => [amount, iban]).sort(), [
      ['20.00', ofTwo.debtorIban],
      ['30.00', ofOne.debtorIban],
    ]);
  });

  it('stand beside a payment file that the bank books as one debit', async () => {
    const { sent, messageId } = await send(3);
    const date = nextDay();
    const entry = {
      direction: 'DEBIT',
      amountCents: 30_060,
      chargeCents: 60,
      transactionCents: 30_000,
      bankReference: unique(),
      batchReference: messageId,
      hasNoDetails: true,
    } as const;
    await deliver(date, entry);
    for (const each of sent) assert.equal((await refundOf(each)).json.status, 'COMPLETED');
    const booked = ['REFUND -10000', 'REFUND -10000', 'REFUND -10000', 'FEE -60'];
    assert.deepEqual([...(await ledgerOf(date))].sort(), booked.sort());
    await mustAgree(date);
  });

  it('are a case when they are of a second debit, and it records a second refund', async () => {
    const { kept, date, endToEndId, debit } = await execute();
    assert.equal((await refundOf(kept)).json.status, 'COMPLETED');
    // A repetition of the booking without the details that explained it is no second debit.
    await deliver(date, { ...debit, amountCents: 10_035, endToEndId });
    assert.deepEqual(await openCases(), []);
    await deliver(date, { ...debit, amountCents: 10_035, bankReference: unique(), endToEndId });
    const [open] = await openCases();
    assert.deepEqual([open?.kind, open?.refund], ['REFUNDED_OUTSIDE', kept.refundId]);
    assert.equal((await accept(open?.id)).outcome, 'REFUND_RECORDED');
    assert.deepEqual(await ledgerOf(date), ['REFUND -10000', 'REFUND -10035']);
  });
});
