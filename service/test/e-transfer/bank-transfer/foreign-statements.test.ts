import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { StatementEntry } from '#e-transfer/bank-transfer/statements/statement.ts';
import { StatementFault } from '#e-transfer/bank-transfer/statements/statement-fault.ts';
import { ORACLES, oracleFiles, WITHOUT_ORACLES } from '../../support/bank/oracles.ts';
import { readStatements } from '../../support/bank/read-statement-file.ts';

/** Statements of other people, with what another parser made of them; read in place. */
const FOLDER = new URL('files/', ORACLES);
const files = oracleFiles('files');

const read = (name: string) => readStatements(readFileSync(new URL(name, FOLDER)));
// biome-ignore lint/suspicious/noExplicitAny: another program's JSON
type Foreign = any;
const foreign = (name: string): Foreign => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));

function digits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** The other parser counts the smallest units of each currency; this one counts hundredths. */
function hundredths(money: Foreign): number {
  return Number(money.getAmount) * 10 ** (2 - digits(money.getCurrency.getCode));
}

const day = (date: Foreign): string | null =>
  date?.[0]?.slice(0, 10) ?? date?.['0']?.slice(0, 10) ?? null;

/** The other parser shows only the first of several payments, and their sum is not the entry's. */
const hasSeveral = (entry: Foreign) => entry?.getTransactionDetails?.length > 1;

function ofForeign(entry: Foreign) {
  const detail = hasSeveral(entry) ? null : entry.getTransactionDetail;
  return {
    direction: entry.getCreditDebitIndicator,
    amount: hundredths(entry.getAmount),
    currency: entry.getAmount.getCurrency.getCode,
    isBooked: entry.getStatus === 'BOOK',
    isReversal: entry.getReversalIndicator,
    bookingDate: day(entry.getBookingDate),
    valueDate: day(entry.getValueDate),
    bankReference:
      entry.getAccountServicerReference ??
      detail?.getReference?.getAccountServicerReference ??
      null,
    endToEndId: detail?.getReference?.getEndToEndId ?? null,
    structured: detail?.getRemittanceInformation?.getCreditorReferenceInformation?.getRef ?? null,
    message: detail?.getRemittanceInformation?.getUnstructuredBlock?.getMessage ?? null,
  };
}

function ofOurs(entry: StatementEntry, theirs: Foreign) {
  const payment = hasSeveral(theirs) ? null : entry.payments[0];
  const sign = entry.direction === 'CREDIT' ? 1 : -1;
  return {
    direction: entry.direction === 'CREDIT' ? 'CRDT' : 'DBIT',
    amount: sign * entry.amountCents,
    currency: entry.currency,
    isBooked: entry.isBooked,
    isReversal: entry.isReversal,
    bookingDate: entry.bookingDate,
    valueDate: entry.valueDate,
    bankReference: entry.bankReference ?? payment?.bankReference ?? null,
    endToEndId: payment?.endToEndIds[0] ?? null,
    structured: payment?.structuredReferences[0] ?? null,
    message: payment?.unstructuredTexts[0] ?? null,
  };
}

describe('a statement of a foreign bank', { skip: WITHOUT_ORACLES }, () => {
  for (const name of files.filter((file) => file.endsWith('.json'))) {
    it(`is read as another parser reads it: ${name}`, () => {
      const ours = read(name.replace('.json', '.xml'));
      const theirs = foreign(name);
      assert.equal(ours.messageId, theirs.getGroupHeader.getMessageId);
      // The other parser keeps only the last statement's entries.
      const entries = ours.statements.at(-1)?.entries ?? [];
      assert.deepEqual(
        entries.map((entry, n) => ofOurs(entry, theirs.getEntries[n])),
        theirs.getEntries.map(ofForeign),
      );
    });
  }

  it('is refused when it has no statement', () => {
    assert.throws(() => read('camt053.v2.wrong.xml'), StatementFault);
  });

  it('is read with several payments inside an entry', () => {
    const [statement] = read('abn-amro.xml').statements;
    assert.deepEqual(
      statement?.entries.map(({ payments }) => payments.length),
      [1, 1, 1, 10, 1, 1, 2, 1, 1, 7, 1, 1, 1],
    );
  });
});
