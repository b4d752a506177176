import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
  type TransferLink,
} from '../support/bank/bank-production.ts';
import type { EntryOptions } from '../support/bank/statement-options.ts';
import { writeStatement } from '../support/bank/write-statement.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { eventually } from '../support/eventually.ts';
import { refundCalls } from '../support/refunds/refund-calls.ts';

let bank: BankProduction;
let numbers = 0;
before(async () => {
  bank = await startBankProduction();
});
after(() => bank?.stop());

const unique = () => `REPLACE-${++numbers}`;
const sql = <Row>(text: string, values?: unknown[]) => bank.service.database.sql<Row>(text, values);
const cases = (...args: string[]) => runCli(['cases', ...args, '--json'], bank.service.env);

async function send(...entries: EntryOptions[]): Promise<void> {
  const file = writeStatement({ iban: HARBOUR_IBAN, entries }, { kind: 'camt.053' });
  assert.equal((await bank.deliver(file)).state, 'COMPLETE');
}

/** The case whose corrected booking names the bank's reference; the newest. */
async function correctionOf(bankReference: string): Promise<string> {
  const [found] = await sql<{ id: string }>(
    `SELECT id FROM operator_cases
     WHERE closed_at IS NULL AND details -> 'correctedReferences' ? $1 ORDER BY id DESC`,
    [bankReference],
  );
  return found?.id ?? assert.fail(`a case that corrects ${bankReference}`);
}

/** A booking, and the same booking with another amount in a later statement. */
async function corrected(link: TransferLink, ...amounts: number[]) {
  const bankReference = unique();
  const debtorIban = 'DE75512108001245126199';
  const names = { reference: link.reference, bankReference, endToEndId: bankReference };
  const money = { ...names, debtorIban };
  for (const amountCents of amounts) await send({ ...money, amountCents });
  return { bankReference, caseId: await correctionOf(bankReference) };
}

async function replace(...args: string[]): Promise<string> {
  const ran = await cases('replace', ...args);
  assert.equal(ran.exitCode, 0, ran.stderr);
  return ran.json().outcome;
}

async function refused(...args: string[]): Promise<string> {
  const ran = await cases('replace', ...args);
  assert.equal(ran.exitCode, 1, ran.stdout);
  return ran.stderr;
}

async function stateOf({ id }: TransferLink) {
  const [row] = await sql<{ status: string; received: number }>(
    'SELECT status, received_cents::int AS received FROM payment_requests WHERE id = $1',
    [id],
  );
  const kinds = (await bank.openCases()).filter((each) => each.paymentRequestId === id);
  const open = kinds.map(({ kind }) => kind).sort();
  return [row?.status, row?.received, open.join()];
}

/** All money in the ledger under the bank's reference. */
async function ledgerUnder(bankReference: string): Promise<number> {
  const [row] = await sql<{ n: number }>(
    'SELECT sum(amount_cents)::int AS n FROM ledger_entries WHERE bank_reference = $1',
    [bankReference],
  );
  return row?.n ?? 0;
}

async function assertBooksAreRight(): Promise<void> {
  const ran = await runCli(['doctor', '--json'], bank.service.env);
  const { checks } = ran.json();
  const money = checks.find(({ name }: { name: string }) => name === 'money');
  assert.equal(money?.ok, true, money?.message);
}

/** Each payment request asks for 100.00. */
const TABLE: readonly {
  readonly old: number;
  readonly now: number;
  readonly outcome: string;
  readonly state: readonly unknown[];
  readonly events: readonly string[];
}[] = [
  // Before PAID, beside a part: the table of bank-transfer §4 with the corrected sum.
  { old: 9_000, now: 6_000, outcome: 'PART', state: ['CREATED', 6_000, ''], events: [] },
  {
    old: 9_000,
    now: 10_000,
    outcome: 'PAID',
    state: ['PAID', 10_000, ''],
    events: ['PAYMENT-COMPLETED'],
  },
  {
    old: 9_000,
    now: 12_000,
    outcome: 'MISMATCH',
    state: ['CREATED', 0, 'AMOUNT_MISMATCH'],
    events: [],
  },
  // Before PAID, while too much waits.
  { old: 15_000, now: 6_000, outcome: 'PART', state: ['CREATED', 6_000, ''], events: [] },
  {
    old: 15_000,
    now: 10_000,
    outcome: 'PAID',
    state: ['PAID', 10_000, ''],
    events: ['PAYMENT-COMPLETED'],
  },
  {
    old: 15_000,
    now: 12_000,
    outcome: 'MISMATCH',
    state: ['CREATED', 0, 'AMOUNT_MISMATCH'],
    events: [],
  },
  // After PAID: PAID stays, and the difference is a case.
  {
    old: 10_000,
    now: 9_000,
    outcome: 'REDUCED',
    state: ['PAID', 9_000, 'MONEY_RETURNED'],
    events: ['PAYMENT-COMPLETED', 'PAYMENT-RETURNED'],
  },
  {
    old: 10_000,
    now: 12_000,
    outcome: 'SECOND',
    state: ['PAID', 10_000, 'SECOND_PAYMENT'],
    events: ['PAYMENT-COMPLETED'],
  },
];

describe('payreq cases replace', () => {
  for (const { old, now, outcome, state, events } of TABLE) {
    it(`takes ${now} cents for ${old} cents: ${outcome}, and the books have the bank’s sum`, async () => {
      const link = await bank.show();
      const { bankReference, caseId } = await corrected(link, old, now);
      assert.equal(await replace(caseId), outcome);
      assert.deepEqual(await stateOf(link), state);
      assert.equal(await ledgerUnder(bankReference), now);
      const stored = await sql<{ type: string }>(
        `SELECT event_type AS type FROM webhook_events WHERE payment_request_id = $1
         ORDER BY sequence`,
        [link.id],
      );
      assert.deepEqual(
        stored.map(({ type }) => type),
        events,
      );
      assert.match(await refused(caseId), /settled before \(REPLACED\)/);
    });
  }

  it('gives nothing back that the bank took back with the corrected booking', async () => {
    const link = await bank.show();
    const { caseId, bankReference: endToEndId } = await corrected(link, 10_000, 12_000);
    assert.equal(await replace(caseId), 'SECOND');
    const back = { direction: 'DEBIT', returned: 'AC04', bankReference: unique() } as const;
    await send({ ...back, amountCents: 11_500, endToEndId, reference: link.reference });
    const [second] = await sql<{ id: string }>(
      `SELECT id FROM operator_cases WHERE kind = 'SECOND_PAYMENT' AND payment_request_id = $1`,
      [link.id],
    );
    const refunded = await cases('refund', second?.id ?? '');
    assert.equal(refunded.exitCode, 0, refunded.stderr);
    const refunds = await sql(
      'SELECT amount_cents::int AS cents FROM refunds WHERE payment_request_id = $1',
      [link.id],
    );
    assert.deepEqual(refunds, [{ cents: 500 }]);
    const again = await cases('refund', second?.id ?? '');
    assert.match(again.stderr, /went back already: close the case/);
    const closed = await cases('close', second?.id ?? '', '--note', 'taken back');
    assert.equal(closed.exitCode, 0, closed.stderr);
  });

  it('leaves no refund to the earlier booking of a case that names it', async () => {
    const link = await bank.show();
    const [kept, wrong] = [unique(), unique()];
    const { reference } = link;
    const half = { reference, amountCents: 5_000 };
    await send({ ...half, bankReference: kept, debtorIban: 'DE75512108001245126199' });
    const other = { ...half, bankReference: wrong, debtorIban: 'FR1420041010050500013M02606' };
    await send(other);
    const { json } = await refundCalls(bank, bank.merchant).created(link.id, { amount: 50 });
    const unclear = await eventually(async () => {
      await bank.service.advance(1_000);
      const [found] = await sql<{ id: string }>(
        `SELECT id FROM operator_cases
         WHERE kind = 'REFUND_ACCOUNT_UNCLEAR' AND details ->> 'refundId' = $1`,
        [json.id],
      );
      return found?.id;
    }, 'the case of the refund');
    await send({ ...other, amountCents: 1_000 });
    assert.equal(await replace(await correctionOf(wrong)), 'REDUCED');
    const ran = await cases('refund', unclear, '--movement', wrong);
    assert.match(ran.stderr, /A corrected booking has taken the place of/);
    assert.equal((await cases('refund', unclear, '--movement', kept)).exitCode, 0);
  });

  it('leaves sums that the doctor finds right', assertBooksAreRight);

  it('can be settled further: what waits is accepted, or given back in part', async () => {
    const [more, second] = [await bank.show(), await bank.show()];
    const waits = await corrected(more, 9_000, 12_000);
    await replace(waits.caseId);
    const [mismatch] = (await bank.openCases()).filter((each) => each.paymentRequestId === more.id);
    assert.equal(mismatch?.details.arrivedCents, 12_000);
    assert.equal((await settle('accept', more)).exitCode, 0);
    assert.deepEqual(await stateOf(more), ['PAID', 12_000, '']);
    const beside = await corrected(second, 10_000, 12_500);
    await replace(beside.caseId);
    assert.equal((await settle('refund', second)).exitCode, 0);
    const refunds = await sql<{ amount: number }>(
      'SELECT amount_cents::int AS amount FROM refunds WHERE payment_request_id = $1',
      [second.id],
    );
    assert.deepEqual(refunds, [{ amount: 2_500 }]);
  });

  for (const [old, now, returned] of [
    [9_000, 6_000, 6_000],
    [10_000, 9_000, 9_000],
  ] as const) {
    it(`takes ${now} out of the sums when the bank takes a corrected ${old} back`, async () => {
      const link = await bank.show();
      const { bankReference, caseId } = await corrected(link, old, now);
      await replace(caseId);
      const names = { reference: link.reference, endToEndId: bankReference };
      const back = { ...names, direction: 'DEBIT', returned: 'AC04' } as const;
      await send({ ...back, amountCents: now, bankReference: `${bankReference}-R` });
      const [row] = await sql<{ received: number; back: number }>(
        `SELECT received_cents::int AS received, returned_cents::int AS back
         FROM payment_requests WHERE id = $1`,
        [link.id],
      );
      assert.deepEqual(row, { received: now, back: returned });
    });
  }

  it('counts the corrected part with the parts that came before and come later', async () => {
    const link = await bank.show();
    await send({ reference: link.reference, amountCents: 3_000, bankReference: unique() });
    const { caseId } = await corrected(link, 4_000, 5_000);
    assert.equal(await replace(caseId), 'PART');
    assert.deepEqual(await stateOf(link), ['CREATED', 8_000, '']);
  });

  it('closes the case of the parts when a payment request that is over has its whole sum', async () => {
    const link = await bank.show();
    const { caseId } = await corrected(link, 9_000, 10_000);
    await bank.cancel(link.id);
    assert.deepEqual(await stateOf(link), ['CANCELLED', 9_000, 'PART_PAYMENT']);
    assert.equal(await replace(caseId), 'PAID');
    assert.deepEqual(await stateOf(link), ['PAID', 10_000, '']);
  });

  it('follows a second correction, which takes the place of the first', async () => {
    const link = await bank.show();
    const { bankReference, caseId } = await corrected(link, 9_000, 9_500);
    assert.equal(await replace(caseId), 'PART');
    await send({ reference: link.reference, bankReference, amountCents: 10_000 });
    assert.equal(await replace(await correctionOf(bankReference)), 'PAID');
    assert.deepEqual(await stateOf(link), ['PAID', 10_000, '']);
    assert.equal(await ledgerUnder(bankReference), 10_000);
  });

  it('asks which booking is meant when several came before', async () => {
    const link = await bank.show();
    const { bankReference, caseId } = await corrected(link, 9_000, 9_500, 10_000);
    assert.match(await refused(caseId), /Give --movement: several bookings came before/);
    assert.equal(await replace(caseId, '--movement', bankReference), 'PAID');
  });

  it('opens a case of the corrected money when the earlier money fitted no request', async () => {
    const [one, two] = [await bank.show(), await bank.show()];
    const bankReference = unique();
    const text = `${one.reference} ${two.reference}`;
    await send({ text, bankReference, amountCents: 19_000 });
    await send({ text, bankReference, amountCents: 20_000 });
    assert.equal(await replace(await correctionOf(bankReference)), 'HELD');
    assert.equal(await ledgerUnder(bankReference), 20_000);
    const [found, ...others] = (await bank.openCases()).filter(({ details }) =>
      ((details.candidates ?? []) as string[]).includes(one.id),
    );
    assert.deepEqual([found?.kind, found?.details.arrivedCents], ['AMBIGUOUS_REFERENCE', 20_000]);
    assert.deepEqual(others, []);
  });

  // A transfer of 200.00 for two payment requests of 120.00 and 80.00, then its correction.
  for (const { parts, now, which, outcome, states } of [
    {
      ...{ parts: ['120', '80'], now: 19_000, which: 2, outcome: 'REDUCED' },
      states: [
        ['PAID', 12_000, ''],
        ['PAID', 7_000, 'MONEY_RETURNED'],
      ],
    },
    {
      ...{ parts: ['120', '80'], now: 21_000, which: 1, outcome: 'SECOND' },
      states: [
        ['PAID', 12_000, 'SECOND_PAYMENT'],
        ['PAID', 8_000, ''],
      ],
    },
    {
      ...{ parts: ['130', '70'], now: 21_000, which: 2, outcome: 'PAID' },
      states: [
        ['CREATED', 0, 'AMOUNT_MISMATCH'],
        ['PAID', 8_000, ''],
      ],
    },
    {
      ...{ parts: ['130', '70'], now: 19_000, which: 1, outcome: 'PAID' },
      states: [
        ['PAID', 12_000, ''],
        ['CREATED', 7_000, ''],
      ],
    },
  ]) {
    it(`corrects part ${which} of ${parts.join(' and ')} by a booking of ${now}: ${outcome}`, async () => {
      const { one, two, bankReference } = await splitTransfer(parts);
      await send({ text: `${one.reference} ${two.reference}`, bankReference, amountCents: now });
      const caseId = await correctionOf(bankReference);
      assert.match(await refused(caseId), /Give --movement: several bookings came before/);
      assert.equal(await replace(caseId, '--movement', `${bankReference}/${which}`), outcome);
      assert.deepEqual([await stateOf(one), await stateOf(two)], states);
      assert.equal(await ledgerUnder(bankReference), now);
      await assertBooksAreRight();
    });
  }

  it('corrects a part again by the next correction, and refuses more than the part has', async () => {
    const { one, two, bankReference } = await splitTransfer(['120', '80']);
    const text = `${one.reference} ${two.reference}`;
    await send({ text, bankReference, amountCents: 19_000 });
    const first = await correctionOf(bankReference);
    await replace(first, '--movement', `${bankReference}/2`);
    await send({ text, bankReference, amountCents: 19_500 });
    const second = await correctionOf(bankReference);
    assert.match(
      await refused(second, '--movement', `${bankReference}/1`),
      /The earlier booking was replaced before/,
    );
    assert.equal(await replace(second), 'SECOND');
    assert.deepEqual(await stateOf(two), ['PAID', 7_000, 'MONEY_RETURNED,SECOND_PAYMENT']);
    assert.equal(await ledgerUnder(bankReference), 19_500);
    await send({ text, bankReference, amountCents: 12_500 });
    const third = await correctionOf(bankReference);
    const [, kept = ''] = /several bookings came before, (\S+),/.exec(await refused(third)) ?? [];
    assert.match(await refused(third, '--movement', kept), /corrected by more than this part/);
    await assertBooksAreRight();
  });

  it('fails a refund that the corrected sum does not cover', async () => {
    const link = await bank.show();
    const { caseId } = await corrected(link, 10_000, 9_000);
    const body = { amount: 100, merchantRefundId: unique() };
    const answer = await bank.call('POST', `/v1/payment-requests/${link.id}/refunds`, { body });
    assert.equal(answer.status, 201);
    assert.equal(await replace(caseId), 'REDUCED');
    const { json } = await bank.call('GET', `/v1/refunds/${answer.json.id}`);
    assert.deepEqual([json.status, json.statusReason?.code], ['FAILED', 'PAYMENT_RETURNED']);
  });

  it('takes the corrected sum also where the bank has a refund of more than that', async () => {
    const link = await bank.show();
    const { bankReference, caseId } = await corrected(link, 10_000, 9_000);
    const body = { amount: 100, merchantRefundId: unique() };
    const refund = await bank.call('POST', `/v1/payment-requests/${link.id}/refunds`, { body });
    await sql("UPDATE refunds SET status = 'PROCESSING' WHERE id = $1", [refund.json.id]);
    await sql(
      `INSERT INTO refund_events VALUES ($1, 2, 'PROCESSING', 'HANDED_OVER', service_now())`,
      [refund.json.id],
    );
    assert.equal(await replace(caseId), 'REDUCED');
    assert.deepEqual(await stateOf(link), ['PAID', 9_000, 'MONEY_RETURNED,REFUNDED_AND_RETURNED']);
    assert.equal(await ledgerUnder(bankReference), 9_000);
    const sums = 'received_cents - refunding_cents';
    const [row] = await sql(
      `SELECT (${sums})::int AS available FROM payment_requests WHERE id = $1`,
      [link.id],
    );
    assert.deepEqual(row, { available: -1_000 });
  });

  it('refuses money that is on its way back, and a case that corrects nothing', async () => {
    const link = await bank.show();
    const { caseId } = await corrected(link, 15_000, 10_000);
    assert.equal((await settle('refund', link)).exitCode, 0);
    assert.match(await refused(caseId), /A refund gives the money of the earlier booking back/);
    const [one, two] = [await bank.show(), await bank.show()];
    const bankReference = unique();
    await send({
      text: `${one.reference} ${two.reference}`,
      bankReference,
      amountCents: 10_000,
    });
    const [plain] = await sql<{ id: string }>(
      "SELECT id FROM operator_cases WHERE details ->> 'networkReference' = $1",
      [bankReference],
    );
    assert.match(await refused(plain?.id ?? ''), /corrects no earlier booking/);
  });

  it('replaces once when two operators do it at the same moment', async () => {
    const link = await bank.show();
    const { bankReference, caseId } = await corrected(link, 9_000, 10_000);
    const ran = await Promise.all([cases('replace', caseId), cases('replace', caseId)]);
    assert.deepEqual(ran.map(({ exitCode }) => exitCode).sort(), [0, 1]);
    assert.deepEqual(await stateOf(link), ['PAID', 10_000, '']);
    assert.equal(await ledgerUnder(bankReference), 10_000);
  });

  it('never counts the same money again when the bank repeats its messages', async () => {
    const link = await bank.show();
    const { bankReference, caseId } = await corrected(link, 9_000, 10_000);
    await replace(caseId);
    for (const amountCents of [9_000, 10_000]) {
      await send({ reference: link.reference, bankReference, amountCents });
    }
    assert.deepEqual(await stateOf(link), ['PAID', 10_000, '']);
    assert.equal(await ledgerUnder(bankReference), 10_000);
    await assertBooksAreRight();
  });
});

describe('the comparison of a day', () => {
  let days = 0;
  let operator: ConsoleClient;
  before(async () => {
    operator = await signIn(bank.service, { role: 'operator' });
  });

  /** A day whose statement the bank sends with these entries, and again with others. */
  function dayOf() {
    days += 1;
    const date = `2026-02-${String(days).padStart(2, '0')}`;
    return {
      async book(...entries: EntryOptions[]): Promise<void> {
        // The statement that came later counts.
        await bank.service.advance(1);
        const statement = { iban: HARBOUR_IBAN, date, sequenceNumber: `day ${date}`, entries };
        assert.equal((await bank.deliver(writeStatement(statement))).state, 'COMPLETE');
      },
      async verdict(): Promise<string | undefined> {
        const { html } = await operator.get(`/console/operator/report?date=${date}`);
        return /data-verdict="(\w+)"/.exec(html)?.[1];
      },
    };
  }

  for (const [old, now] of [
    [9_000, 9_500],
    [9_000, 10_000],
    [9_000, 12_000],
    [15_000, 10_000],
    [10_000, 9_000],
    [10_000, 12_000],
  ] as const) {
    it(`closes after ${now} cents have replaced ${old} cents, and not before`, async () => {
      const [{ reference }, day, bankReference] = [await bank.show(), dayOf(), unique()];
      await day.book({ reference, bankReference, amountCents: old });
      assert.equal(await day.verdict(), 'CLOSES');
      await day.book({ reference, bankReference, amountCents: now });
      assert.equal(await day.verdict(), 'DIFFERS');
      await replace(await correctionOf(bankReference));
      assert.equal(await day.verdict(), 'CLOSES');
    });
  }

  it('closes with a split transfer, and again after a part of it was corrected', async () => {
    const day = dayOf();
    const { one, two, bankReference } = await splitTransfer(['120', '80'], day.book);
    assert.equal(await day.verdict(), 'CLOSES');
    const text = `${one.reference} ${two.reference}`;
    await day.book({ text, bankReference, amountCents: 19_000 });
    assert.equal(await day.verdict(), 'DIFFERS');
    await replace(await correctionOf(bankReference), '--movement', `${bankReference}/2`);
    assert.equal(await day.verdict(), 'CLOSES');
  });

  it('differs by money that only the ledger has, or only the statement', async () => {
    const [{ reference }, day, bankReference] = [await bank.show(), dayOf(), unique()];
    await day.book({ reference, bankReference, amountCents: 4_000 });
    await day.book();
    assert.equal(await day.verdict(), 'DIFFERS');
    const other = dayOf();
    const debit = { reference, bankReference: unique(), direction: 'DEBIT' } as const;
    await other.book({ ...debit, amountCents: 1_000 });
    assert.equal(await other.verdict(), 'DIFFERS');
  });
});

/** A transfer that a person has split between payment requests of 120.00 and 80.00. */
async function splitTransfer([first, second]: readonly string[], book = send) {
  const [one, two] = [await bank.show({ amount: 120 }), await bank.show({ amount: 80 })];
  const bankReference = unique();
  const text = `${one.reference} ${two.reference}`;
  await book({ text, bankReference, amountCents: 20_000 });
  const [found] = await sql<{ id: string }>(
    "SELECT id FROM operator_cases WHERE details ->> 'networkReference' = $1",
    [bankReference],
  );
  const parts = [`${one.id}=${first}`, `${two.id}=${second}`].flatMap((part) => ['--part', part]);
  const ran = await cases('split', found?.id ?? '', ...parts);
  assert.equal(ran.exitCode, 0, ran.stderr);
  return { one, two, bankReference };
}

async function settle(act: string, { id }: TransferLink) {
  const [found] = await sql<{ id: string }>(
    'SELECT id FROM operator_cases WHERE payment_request_id = $1 AND closed_at IS NULL',
    [id],
  );
  return cases(act, found?.id ?? assert.fail('an open case'));
}
