import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import schema from '#database/schema/schema.json' with { type: 'json' };
import { readSchema } from '#database/schema/schema-catalogue.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Catalogue, findBreaks } from './find-schema-breaks.ts';

/** A next version, whose migration is planted: no version is released before this one. */
async function schemaAfter(migration: string): Promise<Catalogue> {
  const database = await createTestDatabase('sandbox');
  try {
    await database.sql(migration);
    return await readSchema(database.db);
  } finally {
    await database.drop();
  }
}

describe('the schema of the next version', () => {
  it('takes everything that this version writes and reads (decision 0031)', async () => {
    const next = await schemaAfter(`
      ALTER TABLE refunds ADD COLUMN of_the_next_version text NOT NULL DEFAULT '';
      CREATE TABLE of_the_next_version (id uuid PRIMARY KEY)`);
    assert.deepEqual(findBreaks(schema, next, []), []);
  });

  it('is refused where its migration takes away what this version needs', async () => {
    const next = await schemaAfter('ALTER TABLE refunds DROP COLUMN message');
    assert.deepEqual(findBreaks(schema, next, []).length, 1);
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
