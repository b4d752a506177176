import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findIncomingMovements } from '#e-transfer/bank-transfer/entries/incoming-store.ts';
import { importFile } from '#e-transfer/bank-transfer/files/import-file.ts';
import {
  deliverPaymentFiles,
  writePaymentFileAgain,
} from '#e-transfer/bank-transfer/refunds-out/deliver-files.ts';
import { createPaymentFiles } from '#e-transfer/bank-transfer/refunds-out/send-refunds.ts';
import { rotatingKey } from '#lib/secret-key.ts';
import { createLog } from '#telemetry/log/log.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { rewrapSecrets } from '../../../src/commands/secrets/rewrap-secrets.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
  type TransferLink,
} from '../../support/bank/bank-production.ts';
import { PAYER_IBAN, startStoredPayments } from '../../support/bank/stored-payments.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestService } from '../../support/service/service.ts';
import { runCli } from '../run-cli.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
const newKey = () => randomBytes(32).toString('base64');
const OLD = { SECRETS_KEY: newKey() };
const NEW = { SECRETS_KEY: newKey() };
const BOTH = { ...NEW, SECRETS_KEY_PREVIOUS: OLD.SECRETS_KEY };

/** UTF-16, so that a box that is opened as text is no longer the file. */
const statementOf = ({ reference }: TransferLink) =>
  writeStatement(
    {
      iban: HARBOUR_IBAN,
      entries: [{ amountCents: 10_000, reference, debtorIban: PAYER_IBAN }],
    },
    { encoding: 'UTF-16LE' },
  );

describe('a rotation of SECRETS_KEY in a deployment on bank transfer', () => {
  let database: TestDatabase;
  let bank: BankProduction;
  let links: { paid: TransferLink; staged: TransferLink; stored: TransferLink };
  const payreq = (keys: Record<string, string>, ...args: string[]) =>
    runCli(args, { ...bank.service.env, SECRETS_KEY_PREVIOUS: '', ...keys });

  before(async () => {
    database = await createTestDatabase('production', START);
    const kept = { ...database, drop: async () => {} };
    bank = await startBankProduction({ start: START, database: kept, settings: OLD });
    links = { paid: await bank.show(), staged: await bank.show(), stored: await bank.show() };
    await bank.deliver(statementOf(links.paid));
    await bank.stop();
    await importUnderOldKey(statementOf(links.staged));
    await assert.rejects(importUnderOldKey(statementOf(links.stored), 'STOP'), /the power is gone/);
  });
  after(() => database.drop());

  /** Takes a file as far as its entries, or its bytes alone, and matches nothing. */
  async function importUnderOldKey(bytes: Buffer, stop?: 'STOP'): Promise<void> {
    const now = () => {
      if (stop) throw new Error('the power is gone');
      return START;
    };
    await importFile(
      {
        db: database.db,
        clock: { ...bank.service.clock, now },
        secretsKey: rotatingKey(OLD.SECRETS_KEY),
        timeZone: 'Europe/Berlin',
        log: createLog({ level: 'fatal', destination: { write: () => {} } }),
        metrics: createMetrics({ environment: 'production', version: '0' }),
        readPaymentStatus: null,
      },
      bytes,
    );
  }

  it('moves the boxes of payers and of files, and names none as unreadable', async () => {
    const ran = await payreq(BOTH, 'secrets', 'rewrap', '--json');
    assert.equal(ran.exitCode, 0, ran.stderr);
    const { unreadable, isPreviousKeyNeeded } = ran.json();
    assert.deepEqual([unreadable, isPreviousKeyNeeded], [[], false]);
  });

  it('lets the new key alone read the IBAN of a payer', async () => {
    const key = rotatingKey(NEW.SECRETS_KEY);
    const [movement] = await findIncomingMovements(database.db, key, [links.paid.id]);
    assert.equal(movement?.debtorAccount, PAYER_IBAN);
  });

  it('lets the new key alone finish a stored file and match staged entries', async () => {
    await mkdir(bank.folder, { mode: 0o700 });
    const settings = { ...bank.service.env, SECRETS_KEY_PREVIOUS: '', ...NEW };
    const kept = { ...database, drop: async () => {} };
    const service = await startTestService({
      environment: 'production',
      start: START,
      database: kept,
      settings,
    });
    try {
      await eventually(async () => {
        const open = await database.sql(`SELECT FROM payment_requests WHERE status <> 'PAID'`);
        const files = await database.sql(`SELECT FROM bank_files WHERE state = 'COMPLETE'`);
        return open.length === 0 && files.length === 3;
      }, 'three payment requests PAID, three files COMPLETE');
    } finally {
      await service.stop();
      await rm(bank.folder, { recursive: true });
    }
  });

  it('lets the doctor open every box, and name one that does not open', async () => {
    const secretsOf = async () => {
      const { checks } = (await payreq(NEW, 'doctor', '--json')).json();
      return checks.find(({ name }: { name: string }) => name === 'secrets');
    };
    assert.equal((await secretsOf()).ok, true, JSON.stringify(await secretsOf()));
    const boxes = [
      ['bank_movements', 'party_box', /bank-party:/],
      ['bank_file_parts', 'box', /bank-file:[0-9a-f-]{36}:0/],
    ] as const;
    for (const [table, column, place] of boxes) {
      const [row] = await database.sql<{ id: string; box: Buffer }>(
        `SELECT id, ${column} AS box FROM ${table} LIMIT 1`,
      );
      const put = `UPDATE ${table} SET ${column} = $2 WHERE id = $1`;
      await database.sql(put, [row?.id, randomBytes(60)]);
      const { ok, message } = await secretsOf();
      assert.equal(ok, false);
      assert.match(message, /^1 of /);
      assert.match(message, place);
      await database.sql(put, [row?.id, row?.box]);
    }
  });
});

describe('payreq secrets rewrap', () => {
  it('moves the accounts of refunds and the bytes of payment files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rotated-files-'));
    const stored = await startStoredPayments();
    try {
      const { deps } = stored;
      await stored.queue();
      await createPaymentFiles(deps);
      const [sent] = await deliverPaymentFiles(deps, folder);
      assert.ok(sent);
      const before = await readFile(sent.path);
      await stored.queue();
      const secretsKey = { current: randomBytes(32), previous: deps.secretsKey.current };
      const counts = await rewrapSecrets({ db: deps.db, secretsKey, isDryRun: false });
      assert.deepEqual(
        counts.unreadable.filter((place) => place.startsWith('bank-')),
        [],
      );

      const alone = { ...deps, secretsKey: { ...secretsKey, previous: null } };
      const again = await writePaymentFileAgain(alone, sent.messageId, folder);
      assert.deepEqual(await readFile(again?.path ?? ''), before);
      await createPaymentFiles(alone);
      const [next] = await deliverPaymentFiles(alone, folder);
      assert.match(await readFile(next?.path ?? '', 'utf8'), new RegExp(PAYER_IBAN));
    } finally {
      await stored.stop();
      await rm(folder, { recursive: true });
    }
  });
});
