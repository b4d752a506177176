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
import { eventually } from '../support/eventually.ts';

const OTHER_IBAN = 'DE02120300000000202051';

let bank: BankProduction;
let numbers = 0;
before(async () => {
  bank = await startBankProduction();
});
after(() => bank?.stop());

const unique = () => `SPLIT-${++numbers}`;
const sql = <Row>(text: string, values?: unknown[]) => bank.service.database.sql<Row>(text, values);
const cases = (...args: string[]) => runCli(['cases', ...args, '--json'], bank.service.env);

async function send(...entries: EntryOptions[]): Promise<void> {
  const file = writeStatement({ iban: HARBOUR_IBAN, entries }, { kind: 'camt.053' });
  assert.equal((await bank.deliver(file)).state, 'COMPLETE');
}

/** A transfer that names both payment requests. @returns the case and the bank's reference */
async function both(one: TransferLink, two: TransferLink, amountCents: number) {
  const bankReference = unique();
  const text = `${one.reference} ${two.reference}`;
  const debtorIban = 'DE75512108001245126199';
  await send({ amountCents, text, bankReference, debtorName: 'Ada', debtorIban });
  return { bankReference, caseId: await caseUnder(bankReference) };
}

async function caseUnder(networkReference: string): Promise<string> {
  const [found] = await sql<{ id: string }>(
    `SELECT id FROM operator_cases WHERE details ->> 'networkReference' = $1 AND closed_at IS NULL`,
    [networkReference],
  );
  return found?.id ?? assert.fail(`a case of ${networkReference}`);
}

const partsOf = (...parts: readonly (readonly [TransferLink, string])[]) =>
  parts.flatMap(([{ id }, amount]) => ['--part', `${id}=${amount}`]);

async function split(caseId: string, ...parts: readonly (readonly [TransferLink, string])[]) {
  const ran = await cases('split', caseId, ...partsOf(...parts));
  assert.equal(ran.exitCode, 0, ran.stderr);
  return ran.json().parts.map(({ outcome }: { outcome: string }) => outcome);
}

async function refused(caseId: string, ...parts: readonly (readonly [TransferLink, string])[]) {
  const ran = await cases('split', caseId, ...partsOf(...parts));
  assert.equal(ran.exitCode, 1, ran.stdout);
  return ran.stderr;
}

const received = async ({ id }: TransferLink) =>
  (
    await sql<{ n: number }>(
      'SELECT received_cents::int AS n FROM payment_requests WHERE id = $1',
      [id],
    )
  )[0]?.n ?? 0;

/** All money in the ledger under the bank's reference. */
async function ledgerUnder(bankReference: string): Promise<number> {
  const [row] = await sql<{ n: number }>(
    'SELECT sum(amount_cents)::int AS n FROM ledger_entries WHERE bank_reference = $1',
    [bankReference],
  );
  return row?.n ?? 0;
}

const kindsOf = async ({ id }: TransferLink) =>
  (await bank.openCases()).filter((each) => each.paymentRequestId === id).map(({ kind }) => kind);

describe('payreq cases split', () => {
  it('takes the one movement that is left of several', async () => {
    const [link, other] = [await bank.show(), await bank.show()];
    const names = [unique(), unique()];
    const [first = '', second = ''] = names;
    for (const endToEndId of names) {
      const money = { reference: link.reference, endToEndId, bankReference: endToEndId };
      await send({ ...money, amountCents: 15_000 });
    }
    const caseId = await caseUnder(second);
    const parts = [
      [link, '100.00'],
      [other, '50.00'],
    ] as const;
    assert.match(await refused(caseId, ...parts), /names no single movement/);
    const back = { direction: 'DEBIT', returned: 'AC04', endToEndId: first } as const;
    await send({ ...back, amountCents: 15_000, bankReference: unique() });
    assert.deepEqual(await split(caseId, ...parts), ['PAID', 'PART']);
  });

  it('makes both payment requests of one transfer PAID, each with its part', async () => {
    const [one, two] = [await bank.show({ amount: 120 }), await bank.show({ amount: 80 })];
    const { caseId, bankReference } = await both(one, two, 20_000);
    assert.deepEqual(await split(caseId, [one, '120.00'], [two, '80']), ['PAID', 'PAID']);
    assert.deepEqual([await received(one), await received(two)], [12_000, 8_000]);
    assert.deepEqual(await bank.webhooksOf(two.id), ['PAYMENT-COMPLETED']);
    assert.equal(await ledgerUnder(bankReference), 20_000);
    const [entry] = await sql<{ details: { parts: { networkReference: string }[] } }>(
      "SELECT details FROM audit_log WHERE details ->> 'settlement' = 'SPLIT' ORDER BY id DESC",
    );
    assert.deepEqual(
      entry?.details.parts.map(({ networkReference }) => networkReference),
      [`${bankReference}/1`, `${bankReference}/2`],
    );
    assert.match(await refused(caseId, [one, '120'], [two, '80']), /settled before \(SPLIT\)/);
  });

  it('settles each part by the table: a part, too much, and money beside a payment', async () => {
    const [less, more, paid] = [await bank.show(), await bank.show(), await bank.show()];
    await send({ amountCents: 10_000, reference: paid.reference, bankReference: unique() });
    const { caseId, bankReference } = await both(less, more, 30_000);
    const outcomes = await split(caseId, [less, '60.00'], [more, '150.00'], [paid, '90.00']);
    assert.deepEqual(outcomes, ['PART', 'MISMATCH', 'SECOND']);
    assert.equal(await received(less), 6_000);
    assert.deepEqual(await kindsOf(more), ['AMOUNT_MISMATCH']);
    assert.deepEqual(await kindsOf(paid), ['SECOND_PAYMENT']);
    assert.equal(await ledgerUnder(bankReference), 30_000);
    // Money that waits can be settled: accepted by its request, and given back from the other.
    const accepted = await cases('accept', await caseUnder(`${bankReference}/2`));
    assert.equal(accepted.exitCode, 0, accepted.stderr);
    assert.equal(await received(more), 15_000);
    const back = await cases('refund', await caseUnder(`${bankReference}/3`));
    assert.equal(back.exitCode, 0, back.stderr);
    assert.equal(await ledgerUnder(bankReference), 30_000);
  });

  it('refuses parts that are not exactly the money, and writes nothing', async () => {
    const [one, two] = [await bank.show(), await bank.show()];
    const { caseId } = await both(one, two, 20_000);
    const { id } = one;
    const table: [string, RegExp][] = [
      [await refused(caseId, [one, '100'], [two, '99.99']), /The parts are 199\.99 together/],
      [await refused(caseId, [one, '200']), /Give 2 to 20 parts/],
      [await refused(caseId, [one, '100'], [one, '100']), /Name each payment request once/],
      [await refused(caseId, [one, '200'], [two, '0']), /--part must be ID=AMOUNT/],
      [await refused(caseId, [one, '199.995'], [two, '0.005']), /--part must be ID=AMOUNT/],
      [await refused(caseId, [one, '100'], [{ ...two, id: 'x' }, '100']), /an id, a UUID: x/],
      [
        await refused(caseId, [one, '100'], [{ ...two, id: id.replace(/^./, 'f') }, '100']),
        /does not show the account/,
      ],
    ];
    for (const [sentence, expected] of table) assert.match(sentence, expected);
    assert.deepEqual([await received(one), await received(two)], [0, 0]);
    assert.deepEqual(await split(caseId, [one, '100'], [two, '100']), ['PAID', 'PAID']);
  });

  it('refuses a payment request that shows another account', async () => {
    const one = await bank.show();
    await bank.setAccount(OTHER_IBAN);
    const two = await bank.show();
    await bank.setAccount(HARBOUR_IBAN);
    const { caseId } = await both(one, two, 20_000);
    assert.match(await refused(caseId, [one, '100'], [two, '100']), /does not show the account/);
  });

  it('splits once when two operators do it at the same moment', async () => {
    const [one, two] = [await bank.show(), await bank.show()];
    const { caseId, bankReference } = await both(one, two, 20_000);
    const ran = await Promise.all([
      cases('split', caseId, ...partsOf([one, '100'], [two, '100'])),
      cases('split', caseId, ...partsOf([two, '100'], [one, '100'])),
    ]);
    assert.deepEqual(ran.map(({ exitCode }) => exitCode).sort(), [0, 1]);
    assert.deepEqual([await received(one), await received(two)], [10_000, 10_000]);
    assert.equal(await ledgerUnder(bankReference), 20_000);
  });

  it('gives a part back to the payer’s account, and never more than the part', async () => {
    const [one, two] = [await bank.show(), await bank.show()];
    const { caseId } = await both(one, two, 20_000);
    await split(caseId, [one, '100'], [two, '100']);
    const refund = (amount: number) =>
      bank.call('POST', `/v1/payment-requests/${one.id}/refunds`, {
        body: { amount, merchantRefundId: unique() },
      });
    assert.equal((await refund(100)).status, 201);
    assert.equal((await refund(0.01)).status, 422);
    await bank.service.advance(1_000);
    const queued = await eventually(async () => {
      const found = await sql<{ state: string; amount: number }>(
        `SELECT state, amount_cents::int AS amount FROM bank_refunds WHERE payment_request_id = $1`,
        [one.id],
      );
      return found.length > 0 ? found : undefined;
    }, 'the refund at the network');
    assert.deepEqual(queued, [{ state: 'QUEUED', amount: 10_000 }]);
  });

  for (const [what, naming] of [
    ['that names both', (one: TransferLink, two: TransferLink) => [one.reference, two.reference]],
    ['that names one', (one: TransferLink) => [one.reference]],
  ] as const) {
    it(`splits the return of a split transfer ${what}: each part is a refund`, async () => {
      const [one, two] = [await bank.show(), await bank.show()];
      const text = naming(one, two).join(' ');
      const credit = unique();
      await send({ amountCents: 20_000, text, bankReference: credit });
      await split(await caseUnder(credit), [one, '100'], [two, '100']);
      const debit = unique();
      const back = { direction: 'DEBIT', returned: 'AC04', bankReference: debit } as const;
      await send({ amountCents: 20_000, text, ...back });
      assert.equal(await ledgerUnder(debit), 0);
      await split(await caseUnder(debit), [one, '100'], [two, '100']);
      const sums = await sql<{ n: number }>(
        'SELECT refunded_cents::int AS n FROM payment_requests WHERE id IN ($1, $2)',
        [one.id, two.id],
      );
      assert.deepEqual(sums, [{ n: 10_000 }, { n: 10_000 }]);
      assert.equal(await ledgerUnder(debit), -20_000);
    });
  }

  for (const [what, returned] of [
    ['a return', 'AC04'],
    ['a debit', undefined],
  ] as const) {
    it(`counts ${what} of one part for the payment request that it names alone`, async () => {
      const [one, two] = [await bank.show({ amount: 120 }), await bank.show({ amount: 80 })];
      const { caseId } = await both(one, two, 20_000);
      await split(caseId, [one, '120'], [two, '80']);
      const debit = unique();
      const back = { direction: 'DEBIT', bankReference: debit, ...(returned && { returned }) };
      await send({ amountCents: 8_000, text: two.reference, ...back } as EntryOptions);
      if (!returned) assert.equal((await cases('accept', await caseUnder(debit))).exitCode, 0);
      assert.deepEqual([await gone(one), await gone(two)], [0, 8_000]);
      assert.equal(await ledgerUnder(debit), -8_000);
    });
  }

  it('assigns a return of one part that names both to the payment request that it was of', async () => {
    const [one, two] = [await bank.show({ amount: 120 }), await bank.show({ amount: 80 })];
    const { caseId } = await both(one, two, 20_000);
    await split(caseId, [one, '120'], [two, '80']);
    const debit = unique();
    const text = `${one.reference} ${two.reference}`;
    const back = { direction: 'DEBIT', returned: 'AC04', bankReference: debit } as const;
    await send({ amountCents: 8_000, text, ...back });
    const open = await caseUnder(debit);
    assert.match((await cases('accept', open)).stderr, /names no payment request/);
    const ran = await cases('assign', open, '--payment-request', two.id);
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.equal(ran.json().outcome, 'REFUND_RECORDED');
    assert.deepEqual([await gone(one), await gone(two)], [0, 8_000]);
    assert.equal(await ledgerUnder(debit), -8_000);
  });
});

/** The cents that went back from a payment request, by returns and refunds. */
async function gone({ id }: TransferLink): Promise<number> {
  const [row] = await sql<{ n: number }>(
    'SELECT (returned_cents + refunded_cents)::int AS n FROM payment_requests WHERE id = $1',
    [id],
  );
  return row?.n ?? 0;
}
