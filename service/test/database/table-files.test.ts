import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const UPGRADE = new URL('../../../docs/operations/upgrade.md', import.meta.url);

/** The tables of 1.0.0, one file a feature (decision 0118). Later files are migrations. */
const TABLE_FILES: readonly string[] = [
  '0001-deployment.sql',
  '0002-merchants.sql',
  '0003-access.sql',
  '0004-audit.sql',
  '0005-payment-requests.sql',
  '0006-webhooks.sql',
  '0007-cases-and-refunds.sql',
  '0008-ledger.sql',
  '0009-simulation.sql',
  '0010-bank-transfer.sql',
  '0011-console.sql',
  '0012-approvals.sql',
  '0013-counters.sql',
  '0014-retention.sql',
  '0015-search.sql',
  '0016-messages.sql',
];
const INDEX = /create (unique )?index [^;]*? on payment_requests [^;]*;/g;

type Files = ReadonlyMap<string, string>;

const files: Files = new Map(
  readdirSync(MIGRATIONS)
    .sort()
    .map((name) => [name, readFileSync(join(MIGRATIONS, name), 'utf8')]),
);
const guide = readFileSync(UPGRADE, 'utf8');
const oneLine = (text: string) => text.replace(/\s+/g, ' ');
const isMigration = (name: string) => !TABLE_FILES.includes(name);

const RULES: Readonly<
  Record<string, { find: (name: string, text: string) => boolean; planted: [string, string] }>
> = {
  'table files change a table where it is made, and never alter it': {
    find: (name, text) => !isMigration(name) && /\b(alter|drop)\s+table\b/i.test(text),
    planted: ['0008-ledger.sql', 'alter table ledger_entries add column note text;'],
  },
  'table files need no row in schema_compatibility': {
    find: (name, text) => !isMigration(name) && /insert into schema_compatibility/i.test(text),
    planted: ['0008-ledger.sql', 'INSERT INTO schema_compatibility VALUES (8, 8);'],
  },
  'every table has its reason before it': {
    find: (_, text) => /(?<!^--[^\n]*\n)^create (unlogged )?table/m.test(text),
    planted: ['0008-ledger.sql', 'create table notes (id uuid);\n'],
  },
  'migrations insert their row into schema_compatibility (decision 0031)': {
    find: (name, text) => isMigration(name) && !hasOwnRow(name, text),
    planted: ['0017-next.sql', 'alter table refunds add column note text;'],
  },
  'migrations build indexes on payment_requests that an operator may build beforehand': {
    find: (name, text) => isMigration(name) && indexesOf(text).some((each) => !isInGuide(each)),
    planted: ['0017-next.sql', 'create index if not exists next on payment_requests (type);'],
  },
};

function hasOwnRow(name: string, text: string): boolean {
  const number = Number.parseInt(name, 10);
  const row = String.raw`insert into schema_compatibility \(schema, works_with\) values \(${number}, \d+\);`;
  return new RegExp(row).test(text);
}

function indexesOf(text: string): readonly string[] {
  return oneLine(text).match(INDEX) ?? [];
}

function isInGuide(statement: string): boolean {
  if (!statement.startsWith('create index if not exists ')) return false;
  return oneLine(guide).includes(statement.replace('index', 'index concurrently'));
}

describe('the files of the schema', () => {
  it('are one file a feature, and no migration yet', () => {
    assert.deepEqual([...files.keys()], TABLE_FILES);
  });

  for (const [title, { find, planted }] of Object.entries(RULES)) {
    const broken = (all: Files) => [...all].filter(([name, text]) => find(name, text));
    it(`keep the rule: ${title}`, () => {
      assert.deepEqual(broken(files), []);
      const [name, text] = planted;
      const found = broken(new Map([...files, [name, `${text}\n${files.get(name) ?? ''}`]]));
      assert.deepEqual(
        found.map(([each]) => each),
        [name],
      );
    });
  }
});
