import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setAccount } from '#merchants/accounts/set-account.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import type { StatementOptions } from '../../support/bank/statement-options.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import { eventually } from '../../support/eventually.ts';

const OTHER_IBAN = 'AT611904300234573201';
const ALERTS = ['BALANCE_MISMATCH', 'STATEMENT_GAP', 'MISSING_IN_STATEMENT'];

let bank: BankProduction;
let seen = 0;
let numbers = 0;
before(async () => {
  bank = await startBankProduction();
  const { merchantId } = await bank.service.createMerchant({ name: 'Other Shop' });
  const { clock, database } = bank.service;
  const deps = { db: database.db, clock, actor: 'test' };
  await setAccount(deps, merchantId, { holder: 'Other Shop', iban: OTHER_IBAN, bic: null });
});
after(() => bank.stop());
beforeEach(() => {
  seen = bank.service.logLines.length;
});

type Kind = 'camt.052' | 'camt.053' | 'camt.054';

async function send(statement: Partial<StatementOptions>, kind: Kind = 'camt.053') {
  const file = writeStatement({ iban: HARBOUR_IBAN, ...statement }, { kind });
  const { state, reason } = await bank.deliver(file);
  assert.equal(state, 'COMPLETE', String(reason));
}

interface Line {
  readonly kind?: string;
  readonly fileId?: string;
}

/** The alerts since the test began. The files are checked one after the other: a marker ends the wait. */
async function alerts(): Promise<readonly string[]> {
  const marker = { iban: OTHER_IBAN, date: '2026-01-01', openingCents: 0, closingCents: 1 };
  await send(marker);
  const [last] = await bank.service.database.sql<{ id: string }>(
    'SELECT id FROM bank_files ORDER BY received_at DESC, id DESC LIMIT 1',
  );
  const lines = () => bank.service.logLines.slice(seen) as readonly Line[];
  const end = await eventually(() => {
    const found = lines().findIndex(({ fileId, kind }) => fileId === last?.id && kind);
    return found === -1 ? undefined : { found };
  }, 'the marker');
  const found = lines().slice(0, end.found);
  seen = bank.service.logLines.length;
  return found.flatMap(({ kind }) => (kind !== undefined && ALERTS.includes(kind) ? kind : []));
}

/** Each test takes a day of its own. */
const unique = (): string => `ALERT-${++numbers}`;

describe('the balances of a statement', () => {
  it('is quiet when opening balance and entries are the closing balance', async () => {
    await send({
      date: '2026-02-01',
      openingCents: -5_000,
      entries: [
        { amountCents: 12_345 },
        { amountCents: 345, direction: 'DEBIT' },
        { amountCents: 777, status: 'PDNG' },
        { amountCents: 12_000, direction: 'DEBIT', isReversal: true },
      ],
    });
    assert.deepEqual(await alerts(), []);
  });

  it('alerts when they are not, and takes the money of the file', async () => {
    const { id, reference } = await bank.show();
    const entries = [{ amountCents: 10_000, reference, bankReference: unique() }];
    await send({ date: '2026-02-02', openingCents: 0, closingCents: 9_999, entries });
    assert.deepEqual(await alerts(), ['BALANCE_MISMATCH']);
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('is quiet without balances', async () => {
    const entries = [{ amountCents: 5 }];
    await send({ date: '2026-02-03', openingCents: null, closingCents: null, entries });
    assert.deepEqual(await alerts(), []);
  });

  it('alerts when a number of the account is missing, once', async () => {
    await send({ iban: OTHER_IBAN, date: '2026-02-01', sequenceNumber: 16 });
    await send({ iban: OTHER_IBAN, date: '2026-02-02', sequenceNumber: '0017' });
    assert.deepEqual(await alerts(), []);
    await send({ iban: OTHER_IBAN, date: '2026-02-04', sequenceNumber: 19 });
    assert.deepEqual(await alerts(), ['STATEMENT_GAP']);
    await send({ iban: OTHER_IBAN, date: '2026-02-03', sequenceNumber: 18 });
    await send({ iban: OTHER_IBAN, date: '2026-02-05', sequenceNumber: 20 });
    assert.deepEqual(await alerts(), []);
  });

  it('alerts when a number among the statements of one day is missing', async () => {
    // No statement of the account is of an earlier day.
    const day = { iban: OTHER_IBAN, date: '2026-01-05' };
    await send({ ...day, sequenceNumber: 21 });
    assert.deepEqual(await alerts(), []);
    await send({ ...day, sequenceNumber: 23 });
    assert.deepEqual(await alerts(), ['STATEMENT_GAP']);
  });

  it('takes the first number of a year for no gap', async () => {
    await send({ iban: OTHER_IBAN, date: '2026-02-06', sequenceNumber: 1 });
    assert.deepEqual(await alerts(), []);
  });

  it('alerts when a notice told of money that the statement of its day lacks', async () => {
    const { id, reference } = await bank.show();
    const money = { amountCents: 10_000, reference, bankReference: unique() };
    await send({ date: '2026-02-10', entries: [money] }, 'camt.054');
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await alerts(), []);
    await send({ date: '2026-02-10', entries: [{ amountCents: 3 }] });
    assert.deepEqual(await alerts(), ['MISSING_IN_STATEMENT']);
  });

  it('alerts when such a notice comes after the statement of its day', async () => {
    const { reference } = await bank.show();
    await send({ date: '2026-02-11', entries: [{ amountCents: 3 }] });
    const money = { amountCents: 10_000, reference, bankReference: unique() };
    await send({ date: '2026-02-11', entries: [money] }, 'camt.054');
    assert.deepEqual(await alerts(), ['MISSING_IN_STATEMENT']);
  });

  it('is quiet when the statement has the money, before or after the notice', async () => {
    const money = async () => ({
      amountCents: 10_000,
      reference: (await bank.show()).reference,
      bankReference: unique(),
    });
    const [first, second] = [await money(), await money()];
    await send({ date: '2026-02-12', entries: [first] }, 'camt.054');
    await send({ date: '2026-02-12', entries: [first, second] });
    await send({ date: '2026-02-12', entries: [second] }, 'camt.054');
    assert.deepEqual(await alerts(), []);
  });

  it('counts each alert, and logs nothing of the contents', async () => {
    const metrics = await (await fetch(`${bank.service.opsUrl}/metrics`)).text();
    for (const alert of ALERTS)
      assert.match(metrics, new RegExp(`bank_alerts_total\\{[^}]*alert="${alert}"[^}]*\\} [1-9]`));
    const lines = JSON.stringify(bank.service.logLines);
    assert.doesNotMatch(lines, /ALERT-\d|AT6119|DE8937|RF\d{2}\d/);
  });
});
