import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import type { EntryOptions } from '../../support/bank/statement-options.ts';
import { STATEMENT_DAY, writeStatement } from '../../support/bank/write-statement.ts';
import { eventually } from '../../support/eventually.ts';

type Kind = 'camt.052' | 'camt.053' | 'camt.054';

let bank: BankProduction;
let numbers = 0;
before(async () => {
  bank = await startBankProduction();
});
after(() => bank.stop());

const send = (kind: Kind, ...entries: EntryOptions[]) => sendOf(STATEMENT_DAY, kind, ...entries);

async function sendOf(date: string, kind: Kind, ...entries: EntryOptions[]): Promise<void> {
  const file = writeStatement({ iban: HARBOUR_IBAN, date, entries }, { kind });
  assert.equal((await bank.deliver(file)).state, 'COMPLETE');
}

const unique = (): string => `UNCLEAR-${++numbers}`;
const casesOf = async (id: string) =>
  (await bank.openCases()).filter(
    ({ paymentRequestId, details }) =>
      paymentRequestId === id || ((details.candidates ?? []) as string[]).includes(id),
  );
const kindsOf = async (id: string) => (await casesOf(id)).map(({ kind }) => kind);
/** By the bank's reference: such a case names no payment request. */
const kindsUnder = async (bankReference: string) =>
  (await bank.openCases())
    .filter(({ details }) => details.networkReference === bankReference)
    .map(({ kind }) => kind);

describe('the same money in messages that say different things', () => {
  it('keeps the reference of a notice when the statement of the day lacks it', async () => {
    const { id, reference } = await bank.show();
    const money = { amountCents: 6_000, endToEndId: unique() };
    await send('camt.054', { ...money, reference });
    await send('camt.053', { ...money, bankReference: unique() });
    assert.equal(await bank.receivedCents(id), 6_000);
    assert.deepEqual(await bank.openCases(), []);
  });

  it('finds equal payments of a batch by reference, in another order too', async () => {
    const { id, reference } = await bank.show();
    const batch = { amountCents: 20_000, batchReference: unique() };
    const ours = { amountCents: 10_000, reference };
    const other = { amountCents: 10_000 };
    await send('camt.054', { ...batch, payments: [ours, other] });
    await send('camt.053', { ...batch, payments: [other, ours] });
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await bank.openCases(), []);
  });

  it('adds no corrected amount to the amount that it corrects', async () => {
    const { id, reference } = await bank.show();
    const money = { reference, bankReference: unique() };
    await send('camt.054', { ...money, amountCents: 6_000 });
    await send('camt.053', { ...money, amountCents: 4_000 });
    assert.equal(await bank.statusOf(id), 'CREATED');
    assert.equal(await bank.receivedCents(id), 6_000);
    assert.deepEqual(await kindsOf(id), ['AMBIGUOUS_REFERENCE']);
    await send('camt.053', { ...money, amountCents: 4_000 });
    assert.equal((await casesOf(id)).length, 1);
  });

  it('takes two amounts under one bank reference in one message for two payments', async () => {
    const { id, reference } = await bank.show();
    const money = { reference, bankReference: unique() };
    const parts = [
      { ...money, amountCents: 6_000 },
      { ...money, amountCents: 4_000 },
    ];
    await send('camt.053', ...parts);
    assert.equal(await bank.statusOf(id), 'PAID');
    await send('camt.052', ...parts);
    assert.deepEqual(await kindsOf(id), []);
  });
});

describe('money that goes back', () => {
  it('finds the payment that a reversal undoes by the bank reference alone', async () => {
    const { id, reference } = await bank.show();
    const money = { amountCents: 10_000, bankReference: unique() };
    await send('camt.053', { ...money, reference });
    await send('camt.053', { ...money, direction: 'DEBIT', isReversal: true });
    assert.deepEqual(await kindsOf(id), ['MONEY_RETURNED']);
  });

  it('makes nothing PAID by a credit that a bank gives back', async () => {
    for (const sign of [{ returned: 'AC04' }, { isReversal: true }]) {
      const { id, reference } = await bank.show();
      const money = { amountCents: 10_000, reference, bankReference: unique() };
      await send('camt.053', { ...money, ...sign });
      assert.equal(await bank.statusOf(id), 'CREATED');
      assert.deepEqual(await kindsOf(id), ['UNMATCHED_MONEY']);
    }
  });

  it('opens a case when a return may undo several payments', async () => {
    const [one, two] = [await bank.show(), await bank.show()];
    const endToEndId = unique();
    const money = { amountCents: 10_000, endToEndId };
    await send(
      'camt.053',
      { ...money, reference: one.reference, bankReference: unique() },
      { ...money, reference: two.reference, bankReference: unique() },
    );
    const bankReference = unique();
    await send('camt.053', { ...money, direction: 'DEBIT', returned: 'AM05', bankReference });
    assert.deepEqual(await kindsUnder(bankReference), ['REFUNDED_OUTSIDE']);
    assert.deepEqual([await kindsOf(one.id), await kindsOf(two.id)], [[], []]);
  });

  it('opens a case when money returns that fits no payment request', async () => {
    const money = { amountCents: 3_100, reference: creditorReferenceOf('987654321012345') };
    await send('camt.053', { ...money, bankReference: unique() });
    const bankReference = unique();
    await send('camt.053', { ...money, direction: 'DEBIT', returned: 'AC04', bankReference });
    assert.deepEqual(await kindsUnder(bankReference), ['REFUNDED_OUTSIDE']);
  });
});

describe('money that a notice told of and the statement of its day lacks', () => {
  /** The case opens after the file is complete. */
  const absent = (id: string, isThere = true) =>
    eventually(async () => {
      const kinds = await kindsOf(id);
      return kinds.includes('NOT_ON_STATEMENT') === isThere ? { kinds } : undefined;
    }, `a case of ${id}`);

  it('is a case, and no entry of the ledger, until a statement lists it', async () => {
    const { id, reference } = await bank.show();
    const part = { amountCents: 4_321, reference };
    await sendOf('2026-02-20', 'camt.054', part);
    assert.deepEqual(await kindsOf(id), []);
    const before = await bank.ledger();
    await sendOf('2026-02-20', 'camt.053', { amountCents: 3 });
    await absent(id);
    assert.deepEqual(await bank.ledger(), before);
    await sendOf('2026-02-20', 'camt.053', part);
    assert.deepEqual(await bank.ledger(), [...before, 'PART_PAYMENT 43.21']);
    assert.equal(await bank.receivedCents(id), 4_321);
    await absent(id, false);
  });

  it('is one case when two notices told of one return, each without the other’s id', async () => {
    const { id, reference } = await bank.show();
    const ids = { endToEndId: unique(), reference };
    const both = [
      { amountCents: 10_001 },
      { amountCents: 10_001, direction: 'DEBIT', returned: 'AC04' },
    ] as const;
    const { endToEndId } = ids;
    await sendOf('2026-02-21', 'camt.052', { ...both[0], ...ids });
    await sendOf('2026-02-21', 'camt.052', ...both.map((each) => ({ ...each, reference })));
    await sendOf('2026-02-21', 'camt.052', ...both.map((each) => ({ ...each, endToEndId })));
    await sendOf('2026-02-21', 'camt.053', ...both.map((each) => ({ ...each, ...ids })));
    await absent(id);
    const kinds = (await kindsOf(id)).filter((kind) => kind === 'NOT_ON_STATEMENT');
    assert.deepEqual(kinds, ['NOT_ON_STATEMENT']);
  });

  it('is a notice with another amount, which takes the place of no booking', async () => {
    const { id, reference } = await bank.show();
    const money = { reference, bankReference: unique() };
    await sendOf('2026-02-24', 'camt.054', { ...money, amountCents: 6_000 });
    const before = await bank.ledger();
    await sendOf('2026-02-24', 'camt.054', { ...money, amountCents: 6_100 });
    assert.deepEqual(await kindsOf(id), []);
    await sendOf('2026-02-24', 'camt.053', { ...money, amountCents: 6_000 });
    await absent(id);
    assert.deepEqual(await bank.ledger(), before);
    assert.equal(await bank.receivedCents(id), 6_000);
  });

  it('is a case when the statement of its day stays away for a week', async () => {
    const { id, reference } = await bank.show({ amount: 90 });
    await sendOf('2026-02-22', 'camt.052', { amountCents: 1_234, reference });
    await bank.service.advance(7 * 86_400 + 1);
    assert.deepEqual(await kindsOf(id), []);
    await sendOf('2026-02-23', 'camt.052', { amountCents: 4 });
    await absent(id);
  });
});
