import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { insertStatement } from '#e-transfer/bank-transfer/entries/staging-store.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
  type TransferLink,
} from '../../support/bank/bank-production.ts';
import type { EntryOptions } from '../../support/bank/statement-options.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import { runCli } from '../run-cli.ts';

const DEBTOR = 'Zebedee Quill';
const OTHER_IBAN = 'FR1420041010050500013M02606';

describe('payreq bank import', () => {
  let bank: BankProduction;
  let folder: string;
  let link: TransferLink;
  before(async () => {
    bank = await startBankProduction();
    folder = mkdtempSync(join(tmpdir(), 'imported-'));
    link = await bank.show();
  });
  after(async () => {
    await bank?.stop();
    rmSync(folder, { recursive: true });
  });

  const run = (...args: string[]) => runCli(['bank', 'import', ...args], bank.service.env);

  function importBytes(bytes: Buffer, ...args: string[]) {
    const path = join(folder, 'file.xml');
    writeFileSync(path, bytes);
    return run(path, ...args);
  }

  const entry = (changes: Partial<EntryOptions> = {}): EntryOptions => ({
    amountCents: 10_000,
    reference: link.reference,
    debtorName: DEBTOR,
    debtorIban: OTHER_IBAN,
    ...changes,
  });

  const written = (changes?: Partial<EntryOptions>, iban = HARBOUR_IBAN) =>
    writeStatement({ iban, entries: [entry(), entry(changes)] }, { kind: 'camt.054' });
  const replaced = (from: string, to: string) =>
    Buffer.from(written().toString().replace(from, to));

  const REFUSED: Readonly<Record<string, readonly [() => Buffer, RegExp]>> = {
    'with a DOCTYPE': [() => replaced('<Document', '<!DOCTYPE Document><Document'), /DOCTYPE/],
    'without an account of a merchant': [
      () => written({}, OTHER_IBAN),
      /^No account in the file belongs to a merchant/,
    ],
    'with a booking date ahead': [
      () => written({ date: '2026-03-03' }),
      /^Line \d+: Ntry has a BookgDt that lies ahead/,
    ],
    'that is no statement': [() => Buffer.from('<Document><Pain/></Document>'), /statement/],
    'that is no XML': [() => Buffer.from('date;amount\n'), /\w/],
    'with more than 64 kB of text in an element': [
      () => replaced(DEBTOR, DEBTOR.padEnd(66_000, 'x')),
      /\w/,
    ],
    'that ends too early': [() => written().subarray(0, -100), /\w/],
  };

  for (const [title, [make, reason]] of Object.entries(REFUSED)) {
    it(`refuses a file ${title}, says why, and applies nothing of it`, async () => {
      const bytes = make();
      for (const time of ['first', 'again']) {
        const ran = await importBytes(bytes, '--json');
        assert.equal(ran.exitCode, 1, `${time}: ${ran.stdout} ${ran.stderr}`);
        const result = ran.json();
        assert.equal(result.isRefused, true);
        assert.match(result.reason, reason);
        assert.doesNotMatch(ran.stdout + ran.stderr, new RegExp(`${DEBTOR}|${OTHER_IBAN}`));
        const counts = await bank.service.database.sql(
          `SELECT (SELECT count(*)::int FROM bank_entries) AS entries,
             (SELECT count(*)::int FROM bank_statements) AS statements,
             (SELECT count(*)::int FROM bank_movements) AS movements`,
        );
        assert.deepEqual(counts, [{ entries: 0, statements: 0, movements: 0 }]);
      }
      assert.notEqual(await bank.statusOf(link.id), 'PAID');
    });
  }

  it('keeps no entry of a file that another process has refused meanwhile', async () => {
    const { db, sql } = bank.service.database;
    const fileId = randomUUID();
    await sql(
      `INSERT INTO bank_files (id, sha256, size_bytes, state, reason)
       VALUES ($1, $2, 1, 'REFUSED', 'no statement')`,
      [fileId, randomBytes(32)],
    );
    const statement = { id: randomUUID(), fileId, kind: 'camt.053', account: OTHER_IBAN } as const;
    await insertStatement(db, statement);
    assert.deepEqual(await sql('SELECT id FROM bank_statements WHERE id = $1', [statement.id]), []);
  });

  it('says that a file is refused whose refusal by another process came first', async () => {
    const { sql } = bank.service.database;
    // Another process refuses the file in the moment in which this one has staged it.
    await sql(
      `CREATE FUNCTION trial() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN NEW.state := 'REFUSED'; NEW.reason := 'It came first.'; RETURN NEW; END $$;
       CREATE TRIGGER trial BEFORE UPDATE ON bank_files FOR EACH ROW
         WHEN (OLD.state = 'RECEIVED' AND NEW.state = 'STAGED') EXECUTE FUNCTION trial()`,
    );
    const { exitCode, stdout } = await importBytes(written({ amountCents: 1 }));
    await sql('DROP FUNCTION trial CASCADE');
    assert.equal(exitCode, 1, stdout);
    assert.match(stdout, /^Refused: It came first\./);
    const counts = `SELECT FROM bank_files WHERE state = 'COMPLETE' AND reason = 'It came first.'`;
    assert.deepEqual(await sql(counts), []);
  });

  it('prints a refusal in words', async () => {
    const { exitCode, stdout } = await importBytes(Buffer.from('x'));
    assert.equal(exitCode, 1);
    assert.match(stdout, /^Refused: .+\nNothing of the file counts\. Its bytes are kept/);
  });

  it('refuses what is no regular file, and a file above 25 MB', async () => {
    for (const path of [folder, join(folder, 'missing')]) {
      const { exitCode, stderr } = await run(path);
      assert.equal(exitCode, 1);
      assert.match(stderr, /The file cannot be read \((not a regular file|ENOENT)\)/);
    }
    const { exitCode, stderr } = await importBytes(Buffer.alloc(25 * 1024 * 1024 + 1));
    assert.equal(exitCode, 1);
    assert.match(stderr, /The file is above 25 MB\./);
  });

  it('applies a file to its end, and the same file a second time not at all', async () => {
    const bytes = writeStatement({ iban: HARBOUR_IBAN, entries: [entry()] });
    const first = await importBytes(bytes);
    assert.deepEqual([first.exitCode, first.stdout], [0, 'Imported and matched.\n'], first.stderr);
    assert.equal(await bank.statusOf(link.id), 'PAID');
    const again = await importBytes(bytes);
    assert.equal(again.exitCode, 0);
    assert.match(again.stdout, /imported before: nothing has changed/);
    assert.deepEqual(await bank.ledger(), ['PAYMENT 100.00']);
  });
});
