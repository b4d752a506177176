import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { insertStatement } from '#e-transfer/bank-transfer/entries/staging-store.ts';
import {
  type ImportFileDeps,
  type ImportOutcome,
  importFile,
  resumeFile,
  storeFile,
} from '#e-transfer/bank-transfer/files/import-file.ts';
import { rotatingKey } from '#lib/secret-key.ts';
import { createLog } from '#telemetry/log/log.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
  type TransferLink,
} from '../../support/bank/bank-production.ts';
import type { EntryOptions } from '../../support/bank/statement-options.ts';
import { writeStatement, writeStatementFile } from '../../support/bank/write-statement.ts';
import { eventually } from '../../support/eventually.ts';
import { runCli } from '../run-cli.ts';

const DEBTOR = 'Zebedee Quill';
const OTHER_IBAN = 'FR1420041010050500013M02606';

const withheldOf = (outcome: ImportOutcome) => (outcome.isRefused ? [] : outcome.withheld);

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

  describe('of a file that came before for other accounts alone', () => {
    const SECOND_IBAN = 'DE02120300000000202051';
    const FIRST = [HARBOUR_IBAN];
    const SECOND = [SECOND_IBAN];
    /** The work of another process on the database of the service. */
    let deps: ImportFileDeps;
    before(() => {
      const { database, clock, env } = bank.service;
      deps = {
        ...{ db: database.db, clock, timeZone: 'Europe/Berlin', readPaymentStatus: null },
        secretsKey: rotatingKey(env.SECRETS_KEY ?? ''),
        log: createLog({ level: 'fatal', destination: { write: () => {} } }),
        metrics: createMetrics({ environment: 'production', version: '0' }),
      };
    });

    /** A file of two statements, each with a payment and an ordinary entry. */
    async function twoAccounts() {
      const first = await bank.show();
      await bank.setAccount(SECOND_IBAN);
      const second = await bank.show();
      await bank.setAccount(HARBOUR_IBAN);
      const entriesOf = ({ reference }: TransferLink) => [
        { amountCents: 10_000, reference },
        { amountCents: 1, text: 'Order 1' },
      ];
      const bytes = writeStatementFile({
        statements: [
          { iban: HARBOUR_IBAN, entries: entriesOf(first) },
          { iban: SECOND_IBAN, entries: entriesOf(second) },
        ],
      });
      const sha256 = createHash('sha256').update(bytes).digest();
      const { sql } = bank.service.database;
      /** The file, and its entries; each payment that counts twice would be a case or a booking. */
      async function now() {
        const [file] = await sql<{ id: string; state: string; withheld: string[] | null }>(
          'SELECT id, state, withheld FROM bank_files WHERE sha256 = $1',
          [sha256],
        );
        const entries = await sql<{ account: string; outcome: string | null }>(
          `SELECT account, outcome FROM bank_entries WHERE file_id = $1
           ORDER BY account DESC, entry_number`,
          [file?.id],
        );
        const outcomes = entries.map(({ account, outcome }) => `${account.slice(-4)} ${outcome}`);
        const paid = [first, second].map(async ({ id }) => {
          const status = await bank.statusOf(id);
          return status === 'PAID' ? `${await bank.receivedCents(id)}` : status;
        });
        return { ...file, outcomes, paid: await Promise.all(paid) };
      }
      async function until(is: (file: Awaited<ReturnType<typeof now>>) => boolean, what: string) {
        return eventually(async () => {
          await bank.service.advance(0);
          const file = await now();
          return is(file) ? file : undefined;
        }, what);
      }
      /** Waits until everything counts, and looks whether it counts once. */
      async function countsOnce() {
        const { withheld, outcomes } = await until(
          ({ state, paid }) => state === 'COMPLETE' && paid.join() === '10000,10000',
          'both payments',
        );
        assert.equal(withheld, null);
        const each = ['MOVEMENT', 'ORDINARY'];
        assert.deepEqual(outcomes, [
          ...each.map((outcome) => `3000 ${outcome}`),
          ...each.map((outcome) => `2051 ${outcome}`),
        ]);
        assert.deepEqual(await bank.openCases(), []);
      }
      /** Waits until the file counts for the first account alone. */
      const countsInPart = () =>
        until(({ state, paid }) => state === 'COMPLETE' && paid[0] === '10000', 'a payment');
      return { bytes, now, until, countsOnce, countsInPart };
    }

    it('counts the entries of the other accounts, and each of them once', async () => {
      const { bytes, countsOnce, countsInPart } = await twoAccounts();
      assert.deepEqual(await importFile(deps, bytes, FIRST).then(withheldOf), SECOND);
      const { withheld, outcomes, paid } = await countsInPart();
      assert.deepEqual([withheld, paid], [SECOND, ['10000', 'CREATED']]);
      assert.deepEqual(outcomes, ['3000 MOVEMENT', '3000 ORDINARY']);
      assert.deepEqual(await importFile(deps, bytes, FIRST).then(withheldOf), SECOND);
      const { stdout } = await importBytes(bytes);
      assert.match(stdout, /^Imported and matched\./);
      await countsOnce();
      assert.match((await importBytes(bytes)).stdout, /^The file was imported before/);
      await countsOnce();
    });

    it('reads no entry again that counts', async () => {
      const { bytes, until, countsInPart } = await twoAccounts();
      await importFile(deps, bytes, FIRST);
      const { id } = await countsInPart();
      const { sql } = bank.service.database;
      await sql(`DELETE FROM bank_entries WHERE file_id = $1 AND outcome = 'ORDINARY'`, [id]);
      await importBytes(bytes);
      const whole = ({ state, paid }: { state?: string; paid: string[] }) =>
        state === 'COMPLETE' && paid[1] === '10000';
      const { outcomes } = await until(whole, 'both payments');
      assert.deepEqual(outcomes, ['3000 MOVEMENT', '2051 MOVEMENT', '2051 ORDINARY']);
    });

    it('also by a process that stopped once it had stored the bytes again', async () => {
      const { bytes, countsOnce, countsInPart } = await twoAccounts();
      await importFile(deps, bytes, FIRST);
      await countsInPart();
      assert.equal((await storeFile(deps, bytes, null)).state, 'RECEIVED');
      await countsOnce();
    });

    it('while another process reads it for its accounts', async () => {
      const { bytes, now, countsOnce } = await twoAccounts();
      const slow = await storeFile(deps, bytes, FIRST);
      assert.equal((await storeFile(deps, bytes, null)).accounts, null);
      const read = await resumeFile(deps, slow);
      assert.equal(read && withheldOf(read).length, 0);
      assert.equal((await now()).state, 'STAGED');
      await countsOnce();
    });

    it('while a slow process reads the accounts that count already', async () => {
      const { bytes, countsOnce, countsInPart } = await twoAccounts();
      const slow = await storeFile(deps, bytes, FIRST);
      await resumeFile(deps, slow);
      await countsInPart();
      await storeFile(deps, bytes, SECOND);
      await resumeFile(deps, slow);
      await countsOnce();
    });

    it('while its entries are being matched', async () => {
      const { bytes, now, countsOnce } = await twoAccounts();
      await importFile(deps, bytes, FIRST);
      assert.equal((await now()).state, 'STAGED');
      await importFile(deps, bytes, SECOND);
      await countsOnce();
    });

    it('by several senders at once', async () => {
      const { bytes, countsOnce } = await twoAccounts();
      const senders = [FIRST, SECOND, null, FIRST, SECOND, null];
      await Promise.all(senders.map((accounts) => importFile(deps, bytes, accounts)));
      await countsOnce();
    });

    it('keeps what counts if the rest is refused, and lets the rest wait on', async () => {
      const { bytes, until, countsInPart, countsOnce } = await twoAccounts();
      await importFile(deps, bytes, FIRST);
      const { id } = await countsInPart();
      const { sql } = bank.service.database;
      // A list that names no account of the file stands for what a later release may refuse.
      const stranger = ['GB:601613:31926819'];
      const withhold = (accounts: string[]) =>
        sql('UPDATE bank_files SET withheld = $2 WHERE id = $1', [id, accounts]);
      await withhold(stranger);
      const { stdout } = await importBytes(bytes);
      assert.match(stdout, /^Refused: Entries of account …3000, …2051 do not count/);
      const { withheld, outcomes } = await until(({ state }) => state === 'COMPLETE', 'the end');
      assert.deepEqual(withheld, stranger);
      assert.deepEqual(outcomes, ['3000 MOVEMENT', '3000 ORDINARY']);
      await withhold(SECOND);
      await importBytes(bytes);
      await countsOnce();
    });
  });
});
