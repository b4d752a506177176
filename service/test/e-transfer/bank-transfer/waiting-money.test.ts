import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../../commands/run-cli.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import type { EntryOptions } from '../../support/bank/statement-options.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import { eventually } from '../../support/eventually.ts';

const PAYER_IBAN = 'DE02120300000000202051';

let bank: BankProduction;
let numbers = 0;
before(async () => {
  bank = await startBankProduction();
});
after(() => bank.stop());

const unique = () => `WAITING-${++numbers}`;

async function book(entry: EntryOptions): Promise<string> {
  const bankReference = unique();
  const entries = [{ bankReference, debtorIban: PAYER_IBAN, debtorName: 'Ada', ...entry }];
  const file = writeStatement({ iban: HARBOUR_IBAN, entries });
  assert.equal((await bank.deliver(file)).state, 'COMPLETE');
  return bankReference;
}

const pay = (reference: string, amountCents: number, changes: Partial<EntryOptions> = {}) =>
  book({ reference, amountCents, ...changes });

/** The bank takes this money back. */
const takeBack = (reference: string, endToEndId: string, amountCents: number) =>
  book({ direction: 'DEBIT', returned: 'AC04', reference, endToEndId, amountCents });

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly sum: number;
  readonly movements: number;
}

/** The open cases of a payment request about money that has arrived, oldest first. */
function openCases(id: string): Promise<Case[]> {
  return bank.service.database.sql<Case>(
    `SELECT id::text, kind, coalesce(details ->> 'arrivedCents', details ->> 'receivedCents')::int
       AS sum, coalesce(jsonb_array_length(details -> 'networkReferences'), 1) AS movements
     FROM operator_cases
     WHERE payment_request_id = $1 AND closed_at IS NULL AND kind <> 'MONEY_RETURNED'
     ORDER BY opened_at, id`,
    [id],
  );
}

async function sums(id: string): Promise<number[]> {
  return (await openCases(id)).map(({ sum }) => sum);
}

const act = (...args: string[]) => runCli(['cases', ...args], bank.service.env);

async function settle(...args: string[]): Promise<void> {
  const ran = await act(...args);
  assert.equal(ran.exitCode, 0, ran.stderr);
}

async function onlyCase(id: string): Promise<string> {
  const [found, ...others] = await openCases(id);
  assert.ok(found && others.length === 0, 'a single open case');
  return found.id;
}

/** The cents of the refunds of a payment request that did not fail. */
async function refunded(id: string): Promise<number[]> {
  const rows = await bank.service.database.sql<{ cents: number }>(
    `SELECT amount_cents::int AS cents FROM refunds
     WHERE payment_request_id = $1 AND status <> 'FAILED' ORDER BY created_at, id`,
    [id],
  );
  return rows.map(({ cents }) => cents);
}

describe('money that was given back', () => {
  it('does not hold up the right payment', async () => {
    const { id, reference } = await bank.show();
    await pay(reference, 15_000);
    assert.equal(await bank.receivedCents(id), 15_000);
    await settle('refund', await onlyCase(id));
    assert.equal(await bank.receivedCents(id), 0, 'the page asks for the whole amount again');
    await pay(reference, 10_000);
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await openCases(id), []);
    const { refundSummary } = await bank.read(id);
    assert.equal(refundSummary.amountReceived, 100);
  });

  it('lets the right payment pay a cancelled payment request late', async () => {
    const { id, reference } = await bank.show({ amount: 7 });
    await pay(reference, 899);
    await bank.cancel(id);
    await settle('refund', await onlyCase(id));
    await pay(reference, 700);
    const { status, paidLate } = await bank.read(id);
    assert.deepEqual([status, paidLate], ['PAID', true]);
  });

  it('leaves a second wrong amount that can be accepted or given back', async () => {
    for (const way of ['accept', 'refund']) {
      const { id, reference } = await bank.show({ amount: 5 });
      await bank.cancel(id);
      await pay(reference, 510);
      await settle('refund', await onlyCase(id));
      await pay(reference, 512);
      assert.deepEqual(await sums(id), [512]);
      await settle(way, await onlyCase(id));
      assert.deepEqual(await openCases(id), []);
      assert.equal(await bank.statusOf(id), way === 'accept' ? 'PAID' : 'CANCELLED');
      const given = (await refunded(id)).sort((one, other) => one - other);
      assert.deepEqual(given, way === 'accept' ? [510] : [510, 512]);
    }
  });

  it('lets later parts add up to the amount', async () => {
    const { id, reference } = await bank.show();
    await pay(reference, 15_000);
    await settle('refund', await onlyCase(id));
    await pay(reference, 6_000);
    assert.deepEqual([await bank.statusOf(id), await openCases(id)], ['CREATED', []]);
    assert.equal(await bank.receivedCents(id), 6_000);
    await pay(reference, 4_000);
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.equal((await bank.read(id)).refundSummary.amountReceived, 100);
  });

  it('waits again in its case when the refund fails', async () => {
    const { id, reference } = await bank.show();
    await pay(reference, 15_000, { debtorIban: '' });
    const caseId = await onlyCase(id);
    await settle('refund', caseId);
    assert.deepEqual(await openCases(id), []);
    await bank.service.advance(5);
    await eventually(async () => (await openCases(id)).length > 0, 'the case is open again');
    assert.equal(await onlyCase(id), caseId);
    assert.equal(await bank.receivedCents(id), 15_000);
    await settle('accept', caseId);
    assert.equal(await bank.statusOf(id), 'PAID');
  });
});

describe('two payments above the amount', () => {
  it('are given back one after the other, each once', async () => {
    const { id, reference } = await bank.show();
    await pay(reference, 15_000);
    await pay(reference, 12_000);
    assert.deepEqual(await sums(id), [15_000, 27_000]);
    const [first, both] = await openCases(id);
    await settle('refund', first?.id ?? '');
    assert.deepEqual(await sums(id), [27_000]);
    const shown = (await act('show', both?.id ?? '', '--json')).json();
    assert.equal(shown.leftCents, 12_000);
    await settle('refund', both?.id ?? '');
    assert.deepEqual((await refunded(id)).sort(), [12_000, 15_000]);
    await pay(reference, 10_000);
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('leave no case open when the case of both is settled', async () => {
    const { id, reference } = await bank.show();
    await pay(reference, 15_000);
    await pay(reference, 12_000);
    const both = (await openCases(id)).find(({ movements }) => movements === 2);
    await settle('accept', both?.id ?? '');
    assert.deepEqual(await openCases(id), []);
    assert.equal((await bank.read(id)).refundSummary.amountReceived, 270);
  });

  it('are given back once by two operators at once', async () => {
    const { id, reference } = await bank.show();
    await pay(reference, 15_000);
    await pay(reference, 12_000);
    const open = await openCases(id);
    await Promise.all(open.map((each) => act('refund', each.id)));
    const given = await refunded(id);
    assert.deepEqual(given.sort(), [12_000, 15_000]);
    assert.deepEqual(await openCases(id), []);
  });

  it('leave the other one to settle when the bank takes one back', async () => {
    for (const way of ['accept', 'refund']) {
      const { id, reference } = await bank.show({ amount: 2 });
      const endToEndId = `TAKEN-${way}`;
      await pay(reference, 293, { endToEndId });
      await pay(reference, 53);
      await takeBack(reference, endToEndId, 293);
      assert.equal(await bank.receivedCents(id), 53);
      await settle(way, await onlyCase(id));
      assert.deepEqual(await refunded(id), way === 'refund' ? [53] : []);
      assert.equal(await bank.statusOf(id), way === 'accept' ? 'PAID' : 'CREATED');
    }
  });
});

describe('money of which a bank takes a part back', () => {
  it('waits with the rest, also when a refund of the whole was on its way', async () => {
    const { id, reference } = await bank.show();
    await pay(reference, 15_000, { endToEndId: 'PARTLY' });
    const caseId = await onlyCase(id);
    await settle('refund', caseId);
    await takeBack(reference, 'PARTLY', 5_000);
    assert.deepEqual(await refunded(id), [], 'the refund was not at the bank yet');
    assert.equal(await onlyCase(id), caseId);
    assert.equal(await bank.receivedCents(id), 10_000);
    await settle('accept', caseId);
    const { status, refundSummary } = await bank.read(id);
    assert.deepEqual([status, refundSummary.amountReceived], ['PAID', 100]);
  });
});

describe('a booking that was corrected to a larger amount', () => {
  /** Pays these sums; the statement has 191.00 in place of the last. */
  async function correct(...cents: readonly number[]) {
    const link = await bank.show();
    const name = unique();
    const booking = { endToEndId: name, bankReference: name };
    for (const each of cents) await pay(link.reference, each, each === cents.at(-1) ? booking : {});
    await pay(link.reference, 19_100, booking);
    const [found] = await bank.service.database.sql<{ id: string }>(
      `SELECT id::text FROM operator_cases WHERE details -> 'correctedReferences' ? $1`,
      [name],
    );
    assert.ok(found, 'the case of the correction');
    return { ...link, caseId: found.id, takeBack: () => takeBack(link.reference, name, 19_100) };
  }

  async function receivedAndReturned(id: string) {
    const [row] = await bank.service.database.sql<{ received: number; returned: number }>(
      `SELECT received_cents::int AS received, returned_cents::int AS returned
       FROM payment_requests WHERE id = $1`,
      [id],
    );
    return [row?.received, row?.returned];
  }

  for (const [title, cents, received] of [
    ['beside a payment', [10_000, 5_800], 10_000],
    ['beside a payment of the same sum', [10_000, 19_100, 5_800], 10_000],
    ['above the amount', [15_000], 0],
  ] as const) {
    it(`lowers no sums when the bank takes it back: ${title}`, async () => {
      const { id, caseId, ...corrected } = await correct(...cents);
      await settle('replace', caseId);
      const before = await sums(id);
      assert.equal(before.at(-1), 19_100);
      await corrected.takeBack();
      assert.deepEqual(await receivedAndReturned(id), [received, 0]);
      assert.deepEqual(await sums(id), before.slice(0, -1), 'nothing of it is left');
    });
  }

  it('lowers the sums while no operator has replaced the earlier booking', async () => {
    const { id, caseId, ...corrected } = await correct(10_000, 5_800);
    await corrected.takeBack();
    assert.deepEqual(await receivedAndReturned(id), [10_000, 19_100]);
    assert.deepEqual(await sums(id), [5_800]);
    await settle('close', caseId, '--note', 'taken back');
  });
});

describe('money that an operator has assigned', () => {
  it('is completed by the part that the bank books', async () => {
    const { id, reference } = await bank.show();
    const other = await bank.show();
    await book({ amountCents: 4_000, text: [reference, other.reference] });
    const [found] = await bank.service.database.sql<{ id: string }>(
      `SELECT id::text FROM operator_cases
       WHERE kind = 'AMBIGUOUS_REFERENCE' AND closed_at IS NULL`,
    );
    await settle('assign', found?.id ?? '', '--payment-request', id);
    assert.equal(await bank.receivedCents(id), 4_000);
    await pay(reference, 6_000);
    assert.equal(await bank.statusOf(id), 'PAID');
  });
});

describe('payreq doctor', () => {
  it('finds that every open case has money, and all money that waits a case', async () => {
    const { id, reference } = await bank.show();
    await pay(reference, 15_000);
    const checkMoney = async () => {
      const { checks } = (await runCli(['doctor', '--json'], bank.service.env)).json();
      return checks.find(({ name }: { name: string }) => name === 'cases');
    };
    const fine = await checkMoney();
    assert.deepEqual([fine.ok, fine.warning], [true, undefined], fine.message);
    const { sql } = bank.service.database;
    await sql('UPDATE operator_cases SET closed_at = opened_at WHERE id = $1', [
      await onlyCase(id),
    ]);
    const lost = await checkMoney();
    assert.equal(lost.ok, false);
    assert.match(lost.message, /Money waits without an open case: WAITING-/);
    await sql(
      `UPDATE operator_cases SET closed_at = NULL, settlement = NULL
       WHERE settlement = 'ACCEPTED' AND kind = 'AMOUNT_MISMATCH'`,
    );
    assert.match((await checkMoney()).message, /Cases are open about settled money: [0-9a-f-]{36}/);
  });
});
