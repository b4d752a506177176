import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type Catalogue, findBreaks } from './find-schema-breaks.ts';

const SCHEMA = new URL('../../src/database/schema/schema.json', import.meta.url);
/**
 * The schema of the version before this one, as that version's `schema.json` had it. A release
 * replaces the file by that of the release before.
 */
const PREVIOUS = new URL('./previous-schema.json', import.meta.url);

const read = (file: URL): Catalogue => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Constraints and indexes that accept all that the version before writes, which no rule here can
 * prove. Each was compared by a person: marks of cells may stand before the old form, cases have two
 * settlements more, and the ledger has the type FEE, which only the new version writes.
 */
const WIDER: readonly string[] = [
  'constraint bank_transfer_requests.bank_transfer_requests_page_key_check',
  'constraint ledger_entries.ledger_entries_type_check',
  'constraint operator_cases.operator_cases_settlement_check',
  'constraint payment_requests.payment_requests_short_code_check',
  'index ledger_entries_fee_once',
];

describe('the schema of this version', () => {
  it('takes everything that the version before it writes and reads (decision 0031)', () => {
    const breaks = findBreaks(read(PREVIOUS), read(SCHEMA), WIDER);
    assert.deepEqual(breaks, []);
  });
});

describe('a schema', () => {
  const BEFORE: Catalogue = {
    'table cases': 'logged',
    'column cases.id': 'uuid not null',
    'column cases.note': 'text',
    'column cases.kind': "text not null default 'OPEN'::text",
    'constraint cases.cases_kind_check': "CHECK ((kind = ANY (ARRAY['OPEN'::text])))",
    'function service_now()': 'returns timestamp with time zone s',
    'index cases_by_note': 'CREATE INDEX cases_by_note ON cases USING btree (note)',
  };
  const broken = (changes: Record<string, string | null>) => {
    const after = Object.entries({ ...BEFORE, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    );
    return findBreaks(BEFORE, Object.fromEntries(after), []).length;
  };

  for (const [name, changes] of Object.entries({
    'without a table': { 'table cases': null },
    'without a column': { 'column cases.note': null },
    'with a view in the place of a table, which takes no rows': { 'table cases': 'view' },
    'without a function': { 'function service_now()': null },
    'with another type of a column': { 'column cases.note': 'integer' },
    'that refuses null': { 'column cases.note': 'text not null' },
    'that lost a default': { 'column cases.kind': 'text not null' },
    'with a new column that nobody fills': { 'column cases.by': 'text not null' },
    'with another CHECK of an old table': {
      'constraint cases.cases_kind_check': "CHECK ((kind = 'SHUT'::text))",
    },
    'with a new CHECK of an old table': { 'constraint cases.cases_note': 'CHECK (true)' },
    'with a new unique index of an old table': {
      'index cases_once': 'CREATE UNIQUE INDEX cases_once ON cases USING btree (note)',
    },
  } as const)) {
    it(`${name} breaks the version before`, () => assert.equal(broken(changes), 1));
  }

  for (const [name, changes] of Object.entries({
    'with a new column that may be null': { 'column cases.by': 'text' },
    'with a new column that has a default': { 'column cases.by': "text not null default ''::text" },
    'without an index': { 'index cases_by_note': null },
    'with a view in the place of a table, which keeps rows': {
      'table cases': 'view',
      'trigger cases.cases_keep':
        'CREATE TRIGGER cases_keep INSTEAD OF INSERT ON cases FOR EACH ROW EXECUTE FUNCTION keep()',
    },
    'that takes null': { 'column cases.id': 'uuid' },
    'with a new CHECK of a new column': {
      'column cases.by': 'text',
      'constraint cases.cases_by_check': 'CHECK ((by <> note))',
    },
    'with a new table': {
      'table notes': 'logged',
      'column notes.id': 'uuid not null',
      'constraint notes.notes_id_check': 'CHECK (true)',
      'index notes_pkey': 'CREATE UNIQUE INDEX notes_pkey ON notes USING btree (id)',
    },
  } as const)) {
    it(`${name} breaks nothing`, () => assert.equal(broken(changes), 0));
  }
});
