import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { readFileEntries } from '#e-transfer/bank-transfer/files/read-files.ts';
import type { EntryVerdict } from '#e-transfer/network-books.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const ACCOUNT = 'DE02120300000000202051';
/** Written in another order than they are listed. */
const STATEMENTS = [
  { day: '2026-03-02', entries: ['B1', 'B2', 'B3'] },
  { day: '2026-03-01', entries: ['A1', 'A2', 'A3'] },
] as const;

describe('the entries of a file with two statements', () => {
  const fileId = randomUUID();
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase('production');
    const { sql } = database;
    await sql(
      `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
         signing_secret_encrypted) VALUES ('mer_1', 'Shop', 'shop', '', '')`,
    );
    await sql(`INSERT INTO creditor_account_keys (key, merchant_id) VALUES ($1, 'mer_1')`, [
      ACCOUNT,
    ]);
    await sql(
      `INSERT INTO bank_files (id, sha256, size_bytes, state, kind, completed_at)
       VALUES ($1, sha256('1'), 1, 'COMPLETE', 'camt.053', now())`,
      [fileId],
    );
    for (const { day, entries } of STATEMENTS) {
      const statementId = randomUUID();
      await sql(
        `INSERT INTO bank_statements (id, file_id, kind, account, currency, day)
         VALUES ($1, $2, 'camt.053', $3, 'EUR', $4)`,
        [statementId, fileId, ACCOUNT, day],
      );
      await sql(
        `INSERT INTO bank_entries (id, file_id, statement_id, account, entry_number, payment_number,
           rank, direction, amount_cents, currency, is_booked, is_reversal, is_return, is_batch_sum,
           bank_reference, fingerprint, outcome, matched_at)
         SELECT gen_random_uuid(), $1, $2, $3, n, 0, 1, 'CREDIT', n, 'EUR', true, false, false,
           false, name, sha256(name::bytea), CASE n WHEN 2 THEN 'PENDING' ELSE 'ORDINARY' END, now()
         FROM unnest($4::text[]) WITH ORDINALITY AS e (name, n)`,
        [fileId, statementId, ACCOUNT, entries],
      );
    }
  });
  after(() => database?.drop());

  async function pagesOf(limit: number, verdict: EntryVerdict | null = null) {
    const pages: (string | null)[][] = [];
    let after: string | null = null;
    do {
      const page = await readFileEntries(database.db, { fileId, verdict, after, limit });
      pages.push(page.data.map(({ bankReference }) => bankReference));
      after = page.next;
    } while (after !== null);
    return pages;
  }

  it('come in the order of the statements, page by page', async () => {
    assert.deepEqual(await pagesOf(2), [
      ['A1', 'A2'],
      ['A3', 'B1'],
      ['B2', 'B3'],
    ]);
    assert.deepEqual(await pagesOf(4), [
      ['A1', 'A2', 'A3', 'B1'],
      ['B2', 'B3'],
    ]);
  });

  it('come one by one where only some are asked for', async () => {
    assert.deepEqual(await pagesOf(1, 'ANNOUNCED'), [['A2'], ['B2']]);
    assert.deepEqual(await pagesOf(100, 'OTHER'), [['A1', 'A3', 'B1', 'B3']]);
  });

  it('begin at the first after an entry that is not there', async () => {
    const asked = { fileId, verdict: null, after: randomUUID(), limit: 1 };
    const { data } = await readFileEntries(database.db, asked);
    assert.deepEqual(
      data.map(({ bankReference }) => bankReference),
      ['A1'],
    );
  });
});
