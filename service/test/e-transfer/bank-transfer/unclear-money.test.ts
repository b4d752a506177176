import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeDay } from '#e-transfer/bank-transfer/reconciliation/close-day.ts';
import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import { runCli } from '../../commands/run-cli.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import type { EntryOptions } from '../../support/bank/statement-options.ts';
import { STATEMENT_DAY, writeStatement } from '../../support/bank/write-statement.ts';
import { signIn } from '../../support/console/console-client.ts';
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

describe('money in messages that say different things', () => {
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

describe('an entry whose details do not add up', () => {
  const OTHER = { debtorName: 'Other Buyer', debtorIban: 'NL91ABNA0417164300' };
  const MINE = { debtorName: 'Ada Lovelace', debtorIban: 'FR1420041010050500013M02606' };

  interface Example {
    readonly title: string;
    readonly entry: (reference: string) => EntryOptions;
    readonly amount?: number;
  }

  /** None of them says that the amount of the entry belongs to the reference. */
  const EXAMPLES: readonly Example[] = [
    {
      title: 'less by charges that nobody states',
      entry: (reference) => ({
        amountCents: 10_000,
        payments: [
          { amountCents: 5_000, reference, ...MINE },
          { amountCents: 5_100, ...OTHER },
        ],
      }),
    },
    {
      title: 'of a larger request',
      amount: 500,
      entry: (reference) => ({
        amountCents: 10_000,
        payments: [
          { amountCents: 5_000, reference },
          { amountCents: 5_100, ...OTHER },
        ],
      }),
    },
    {
      title: 'with charges that explain another difference',
      entry: (reference) => ({
        amountCents: 10_000,
        chargeCents: 50,
        payments: [
          { amountCents: 5_000, reference },
          { amountCents: 5_100, ...OTHER },
        ],
      }),
    },
    {
      title: 'without amounts',
      entry: (reference) => ({
        amountCents: 10_000,
        payments: [
          { amountCents: null, reference },
          { amountCents: null, ...OTHER },
        ],
      }),
    },
    {
      title: 'in both directions',
      entry: (reference) => ({
        amountCents: 10_000,
        payments: [
          { amountCents: 15_000, reference },
          { amountCents: 5_000, detailDirection: 'DEBIT' },
        ],
      }),
    },
    {
      title: 'in another currency',
      entry: (reference) => ({
        amountCents: 10_000,
        payments: [
          { amountCents: 12_000, detailCurrency: 'USD', reference },
          { amountCents: 1_000, ...OTHER },
        ],
      }),
    },
    {
      title: 'with a single detail of less',
      entry: (reference) => ({
        amountCents: 10_000,
        payments: [{ amountCents: 5_000, reference }],
      }),
    },
  ];

  for (const version of [2, 8]) {
    for (const { title, entry, amount = 100 } of EXAMPLES) {
      it(`pays no request, and is one case: ${title}, version ${version}`, async () => {
        const { id, reference } = await bank.show({ amount });
        const entries = [{ ...entry(reference), bankReference: unique() }];
        const file = writeStatement({ iban: HARBOUR_IBAN, entries }, { version });
        assert.equal((await bank.deliver(file)).state, 'COMPLETE');
        assert.equal(await bank.statusOf(id), 'CREATED');
        assert.equal(await bank.receivedCents(id), 0);
        const [found, ...others] = await casesOf(id);
        assert.equal(others.length, 0);
        assert.equal(found?.kind, 'AMBIGUOUS_REFERENCE');
        assert.equal(found?.details.arrivedCents, 10_000);
        const details = found?.details.details as readonly Record<string, unknown>[];
        assert.deepEqual(details[0]?.references, [reference]);
        assert.ok(details.every(({ currency }) => typeof currency === 'string'));
      });
    }
  }

  it('shows the amounts of its details', async () => {
    const { id, reference } = await bank.show();
    await send('camt.053', {
      amountCents: 10_000,
      bankReference: unique(),
      payments: [
        { amountCents: 15_000, reference },
        { amountCents: 5_000, detailDirection: 'DEBIT' },
      ],
    });
    const [found] = await casesOf(id);
    assert.deepEqual(found?.details.details, [
      { amountCents: 15_000, currency: 'EUR', references: [reference] },
      { amountCents: -5_000, currency: 'EUR', references: [] },
    ]);
  });

  it('is none of ours without a reference of ours', async () => {
    const before = (await bank.openCases()).length;
    await send('camt.053', {
      amountCents: 10_000,
      payments: [{ amountCents: 5_000 }, { amountCents: 5_100 }],
    });
    assert.equal((await bank.openCases()).length, before);
  });

  it('adds nothing to the payments that another message has listed', async () => {
    const { id, reference } = await bank.show();
    const entry = { bankReference: unique(), amountCents: 10_000 };
    const other = { amountCents: 4_000, ...OTHER };
    await send('camt.054', { ...entry, payments: [{ amountCents: 6_000, reference }, other] });
    await send('camt.053', { ...entry, payments: [{ amountCents: 6_100, reference }, other] });
    assert.equal(await bank.receivedCents(id), 6_000);
    assert.deepEqual(await kindsOf(id), []);
  });

  it('is added to by no payment that another message lists later', async () => {
    const { id, reference } = await bank.show();
    const entry = { bankReference: unique(), amountCents: 20_000 };
    const other = { amountCents: 10_000, ...OTHER };
    await send('camt.053', { ...entry, payments: [{ amountCents: 10_100, reference }, other] });
    await send('camt.054', { ...entry, payments: [{ amountCents: 10_000, reference }, other] });
    assert.equal(await bank.statusOf(id), 'CREATED');
    assert.ok((await kindsOf(id)).every((kind) => kind === 'AMBIGUOUS_REFERENCE'));
  });
});

describe('charges that the bank states', () => {
  const chargesOf = async (bankReference: string) => {
    const rows = await bank.service.database.sql<{ type: string; cents: number }>(
      `SELECT type, amount_cents::int AS cents FROM ledger_entries
       WHERE coalesce(bank_reference, network_reference) LIKE $1 || '%' ORDER BY position`,
      [bankReference],
    );
    return rows.map(({ type, cents }) => `${type} ${cents}`);
  };

  it('explain the difference: each detail counts by its own amount, in version 2 and 8', async () => {
    for (const version of [2, 8]) {
      for (const charges of [
        [{ chargeCents: 100 }, {}],
        [{}, { detailChargeCents: 100 }],
      ] as const) {
        const { id, reference } = await bank.show({ amount: 50 });
        const bankReference = unique();
        const entry: EntryOptions = {
          amountCents: 10_000,
          bankReference,
          ...charges[0],
          payments: [
            { amountCents: 5_100, bankReference: `${bankReference}-1` },
            { amountCents: 5_000, reference, bankReference: `${bankReference}-2`, ...charges[1] },
          ],
        };
        const file = writeStatement({ iban: HARBOUR_IBAN, entries: [entry] }, { version });
        assert.equal((await bank.deliver(file)).state, 'COMPLETE');
        assert.equal(await bank.statusOf(id), 'PAID');
        assert.deepEqual(await kindsOf(id), []);
        assert.deepEqual(await chargesOf(bankReference), ['PAYMENT 5000', 'FEE -100']);
      }
    }
  });

  it('explain the difference of a single payment, and a repetition books no second fee', async () => {
    const { id, reference } = await bank.show();
    const bankReference = unique();
    const money = { bankReference, amountCents: 9_850, detailChargeCents: 150 };
    const payments = [{ amountCents: 10_000, reference, detailChargeCents: 150 }];
    await send('camt.054', { ...money, payments });
    await send('camt.053', { ...money, payments });
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await chargesOf(bankReference), ['PAYMENT 10000', 'FEE -150']);
  });

  it('let no return overtake its payment', async () => {
    const { id, reference } = await bank.show();
    const bankReference = unique();
    const payments = [{ amountCents: 10_000, reference, detailChargeCents: 150 }];
    const paid = { bankReference, amountCents: 9_850, detailChargeCents: 150, payments };
    const back = { amountCents: 10_000, reference, direction: 'DEBIT', returned: 'AC04' } as const;
    await send('camt.053', paid, { ...back, bankReference: unique() });
    const [first] = (await bank.ledger()).slice(-3);
    assert.equal(first, 'PAYMENT 100.00');
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('are booked once when notices mistake one of two equal payments for the other', async () => {
    const { reference } = await bank.show({ amount: 200 });
    const isFee = (each: string) => each === 'FEE -1.00';
    const before = (await bank.ledger()).filter(isFee).length;
    const name = unique();
    const plain = { amountCents: 7_000, reference };
    const charged = {
      amountCents: 6_900,
      detailChargeCents: 100,
      payments: [{ ...plain, detailChargeCents: 100 }],
    };
    await send('camt.054', charged, { ...plain, endToEndId: name });
    await send('camt.052', charged);
    await send('camt.053', { ...plain, endToEndId: name }, charged);
    assert.equal((await bank.ledger()).filter(isFee).length, before + 1);
  });
});

describe('days and references of banks', () => {
  const onDay = (date: string, kind: Kind, ...entries: EntryOptions[]) =>
    bank.deliver(writeStatement({ iban: HARBOUR_IBAN, date, entries }, { kind }));

  /** The lines of a closed day that are of the payment request: whether a statement has them. */
  async function linesOf(id: string, date: string): Promise<boolean[]> {
    const startsAt = new Date(`${date}T00:00:00Z`);
    const endsAt = new Date(startsAt.getTime() + 86_400_000);
    const asked = { date, startsAt, endsAt, merchantId: null };
    const { money } = await closeDay(bank.service.database.db, asked, 999);
    return money.filter((each) => each.paymentRequestId === id).map((each) => each.isOnStatement);
  }

  it('takes a reference that restarts on another day for other money', async () => {
    const { id, reference } = await bank.show();
    const money = { amountCents: 10_000, reference, bankReference: unique() };
    await onDay('2026-02-03', 'camt.053', money);
    await onDay('2026-02-04', 'camt.054', money);
    await onDay('2026-02-04', 'camt.053', money);
    await onDay('2026-02-04', 'camt.053', money);
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await kindsOf(id), ['SECOND_PAYMENT']);
  });

  it('takes another amount under such a reference for no correction', async () => {
    const [one, two] = [await bank.show(), await bank.show({ amount: 50 })];
    const bankReference = unique();
    const { reference } = one;
    await onDay('2026-02-03', 'camt.053', { amountCents: 10_000, reference, bankReference });
    const later = { amountCents: 5_000, reference: two.reference, bankReference };
    await onDay('2026-02-04', 'camt.053', later);
    assert.deepEqual([await bank.statusOf(one.id), await bank.statusOf(two.id)], ['PAID', 'PAID']);
  });

  it('takes a notice and the statement of the next working day for one transfer', async () => {
    for (const [notice, statement] of [
      [{}, { bankReference: unique() }],
      [{ endToEndId: unique() }, {}],
      [{}, {}],
    ]) {
      const { id, reference } = await bank.show();
      const money = { amountCents: 10_000, reference };
      await onDay('2026-02-06', 'camt.054', { ...money, ...notice });
      await onDay('2026-02-09', 'camt.053', { ...money, ...statement });
      assert.equal(await bank.statusOf(id), 'PAID');
      assert.deepEqual(await kindsOf(id), []);
      assert.deepEqual(await linesOf(id, '2026-02-06'), [true]);
      assert.deepEqual(await linesOf(id, '2026-02-09'), []);
      await onDay('2026-02-10', 'camt.053', { ...money, bankReference: unique() });
      assert.deepEqual(await kindsOf(id), ['SECOND_PAYMENT']);
    }
  });

  it('gives an entry without a day that of its statement, and is a case without any', async () => {
    const { id, reference } = await bank.show();
    const money = { amountCents: 10_000, reference, date: null, valueDate: null };
    await onDay('2026-02-11', 'camt.053', money);
    await onDay('2026-02-11', 'camt.053', { ...money });
    assert.equal(await bank.statusOf(id), 'PAID');
    const [row] = await bank.service.database.sql<{ day: string }>(
      'SELECT booking_date::text AS day FROM ledger_entries WHERE payment_request_id = $1',
      [id],
    );
    assert.equal(row?.day, '2026-02-11');
    const other = await bank.show();
    const entries = [{ ...money, reference: other.reference }];
    const text = writeStatement({ iban: HARBOUR_IBAN, entries, closingCents: null }).toString();
    const undated = text.replaceAll(/<CreDtTm>[^<]*<\/CreDtTm>/g, '');
    assert.equal((await bank.deliver(Buffer.from(undated))).state, 'COMPLETE');
    assert.deepEqual(await kindsOf(other.id), ['AMBIGUOUS_REFERENCE']);
  });

  it('takes a booking day that has begun in another zone, and refuses a later one', async () => {
    const { id, reference } = await bank.show();
    const money = { amountCents: 10_000, reference, bankReference: unique() };
    assert.equal((await onDay('2026-03-03', 'camt.053', money)).state, 'REFUSED');
    assert.equal((await onDay('2026-03-02', 'camt.053', money)).state, 'COMPLETE');
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('reads windows-1252, in which the declared letters are others than in ISO-8859-1', async () => {
    const { id, reference } = await bank.show();
    const entries = [{ amountCents: 10_000, reference, debtorName: 'Zoë’s Café' }];
    const text = writeStatement({ iban: HARBOUR_IBAN, entries }).toString();
    const declared = text.replace('encoding="UTF-8"', 'encoding="windows-1252"');
    assert.notEqual(declared, text);
    const bytes = Buffer.from(declared.replace('’', '\u0092'), 'latin1');
    assert.equal((await bank.deliver(bytes)).state, 'COMPLETE');
    assert.equal(await bank.statusOf(id), 'PAID');
  });
});

describe('a reference with letters in the place of digits', () => {
  const listed = async (...args: string[]) => {
    const ran = await runCli(['bank', 'unmatched', '--json', ...args], bank.service.env);
    assert.equal(ran.exitCode, 0, ran.stderr);
    return ran.json().entries as readonly { text: string | null; suggestions: string[] }[];
  };

  it('matches nothing, and operators find its text and the request that it may mean', async () => {
    let one = await bank.show();
    const [two, three] = [await bank.show(), await bank.show()];
    // One reference in seventy has neither digit.
    while (!/[01]/.test(one.reference)) one = await bank.show();
    const letters = one.reference.replaceAll('0', 'O').replaceAll('1', 'l');
    const slip = two.reference.slice(0, 9) + two.reference.slice(10);
    await send(
      'camt.053',
      { amountCents: 4_000, text: `Rent ${letters}`, bankReference: unique() },
      { amountCents: 10_000, text: `Order ${slip}`, bankReference: unique() },
      { amountCents: 10_000, text: 'Harbour fees', bankReference: unique() },
    );
    for (const { id } of [one, two, three]) assert.equal(await bank.statusOf(id), 'CREATED');
    const find = (text: string) => listed('--search', text);
    const [rent] = await find('rent');
    assert.deepEqual(rent?.suggestions, [one.id]);
    const [order] = await find(slip.slice(4, 12));
    assert.deepEqual([order?.text, order?.suggestions], [`Order ${slip}`, [two.id]]);
    assert.deepEqual((await find('harbour'))[0]?.suggestions, []);
    assert.deepEqual(await find('nowhere'), []);
    const operator = await signIn(bank.service, { role: 'operator' });
    await operator.get('/console/operator/unmatched');
    const { location } = await operator.post('/console/operator/unmatched', { q: 'rent' });
    assert.match(location ?? '', /^\/console\/operator\/unmatched\?found=[0-9a-f-]{36}$/);
    const { html } = await operator.get(location ?? '');
    assert.ok(html.includes(`Rent ${letters}`) && html.includes(one.id));
    assert.ok(!html.includes('Harbour fees'));
    const none = await operator.post('/console/operator/unmatched', { q: 'nowhere' });
    assert.match((await operator.get(none.location ?? '')).html, /No entry of the last 30 days/);
    const rows = await bank.service.database.sql<{ whole: string }>(
      `SELECT string_agg(e::text, '') AS whole FROM bank_entries e`,
    );
    assert.doesNotMatch(rows[0]?.whole ?? '', /Rent|Harbour/);
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
