import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StatementKind } from '#e-transfer/bank-transfer/statements/statement.ts';
import { checkSchema } from '../../support/bank/check-schema.ts';
import { ORACLES, oracleFiles, WITHOUT_ORACLES } from '../../support/bank/oracles.ts';
import { readStatements } from '../../support/bank/read-statement-file.ts';
import type { FileOptions, StatementOptions } from '../../support/bank/statement-options.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';

const IBAN = 'DE89370400440532013000';
/** A statement with everything that the builder of the tests can write. */
const FULL: StatementOptions = {
  iban: IBAN,
  sequenceNumber: 17,
  date: '2026-03-02',
  openingCents: -5_000,
  entries: [
    {
      amountCents: 1_234,
      endToEndId: 'E2E-1',
      bankReference: 'BANK-1',
      reference: 'RF18539007547034',
      text: ['Rechnung <7> & "mehr"', 'Grüße'],
      debtorName: 'Zoë O’Näme',
      debtorIban: 'FR1420041010050500013M02606',
      debtorAgent: 'BNPAFRPPXXX',
      creditorName: 'Shop',
      creditorIban: IBAN,
    },
    { amountCents: 500, direction: 'DEBIT', isReversal: true, returned: 'AC04', status: 'PDNG' },
    {
      amountCents: 300,
      batchReference: 'BATCH-1',
      bookedAt: '2026-03-02T10:00:00+01:00',
      payments: [
        { amountCents: 100, endToEndId: 'A', bankReference: 'IN-1' },
        { amountCents: 200, endToEndId: 'B', returned: true },
      ],
    },
    { amountCents: 1, date: null },
  ],
};

/** Reads a name like `camt.053.001.08.xsd`. */
function messageOf(schema: string): { kind: StatementKind; version: number } {
  const [, kind, version] = /^(camt\.05[234])\.001\.(\d{2})\.xsd$/.exec(schema) ?? [];
  assert.ok(kind && version, schema);
  return { kind: kind as StatementKind, version: Number(version) };
}

const read = (file: Omit<FileOptions, 'statements'>, statement = FULL) =>
  readStatements(writeStatement(statement, file));

describe('a statement that the tests write', () => {
  it('is read the same in every version, kind and encoding', () => {
    const plain = read({ messageId: 'M' });
    const [statement] = plain.statements;
    assert.equal(statement?.account, IBAN);
    assert.deepEqual(
      statement?.balances.map(({ type, amountCents }) => [type, amountCents]),
      [
        ['OPBD', -5_000],
        ['CLBD', -5_000 + 1_234 + 300 + 1],
      ],
    );
    assert.deepEqual(
      statement?.entries.map((entry) => [entry.amountCents, entry.isBooked, entry.payments.length]),
      [
        [1_234, true, 1],
        [500, false, 1],
        [300, true, 2],
        [1, true, 1],
      ],
    );
    const [payment] = statement?.entries[0]?.payments ?? [];
    assert.deepEqual(payment?.structuredReferences, ['RF18539007547034']);
    assert.deepEqual(payment?.unstructuredTexts, ['Rechnung <7> & "mehr"', 'Grüße']);
    assert.equal(payment?.debtor.agent, 'BNPAFRPPXXX');
    const returned = statement?.entries[1]?.payments[0];
    assert.deepEqual([returned?.isReturn, returned?.returnReason], [true, 'AC04']);
    assert.equal(statement?.entries[1]?.isReversal, true);

    const entriesOf = (each: typeof plain) =>
      each.statements[0]?.entries.map(({ line: _, ...entry }) => entry);
    for (const version of [1, 2, 3, 4, 6, 8, 13]) {
      for (const kind of ['camt.052', 'camt.053', 'camt.054'] as const) {
        const other = read({ kind, version, messageId: 'M' });
        assert.equal(other.kind, kind);
        assert.deepEqual(entriesOf(other), entriesOf(plain), `${kind} version ${version}`);
      }
    }
    assert.deepEqual(read({ encoding: 'UTF-16LE', messageId: 'M' }), plain);
    assert.deepEqual(read({ prefix: 'ns2', messageId: 'M' }), plain);
    // A curly apostrophe is not in ISO-8859-1.
    const latin = { ...FULL, entries: [{ amountCents: 5, debtorName: 'Zoë Näme' }] };
    const names = read({ encoding: 'ISO-8859-1' }, latin).statements[0]?.entries[0]?.payments[0];
    assert.equal(names?.debtor.name, 'Zoë Näme');
  });

  describe('by the schemas of ISO 20022', { skip: WITHOUT_ORACLES }, () => {
    for (const schema of oracleFiles('xsd')) {
      it(`is valid by ${schema}`, () => {
        const file = writeStatement(FULL, messageOf(schema));
        checkSchema(file, new URL(`xsd/${schema}`, ORACLES));
        const broken = Buffer.from(file.toString().replaceAll('CdtDbtInd', 'Direction'));
        assert.throws(() => checkSchema(broken, new URL(`xsd/${schema}`, ORACLES)), /Direction/);
      });
    }
  });
});
