import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import { queueRefund } from '../../support/bank/queue-refund.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import type { TestDatabase } from '../../support/database.ts';
import { runCli } from '../run-cli.ts';

const HELD = /restored to an earlier moment, and refunds are held/;

describe('payreq bank refunds --out on a restored database', () => {
  let bank: BankProduction;
  let root: string;
  /** The database that writes the files, and its copy from before. */
  let live: TestDatabase;
  let restored: TestDatabase;
  before(async () => {
    bank = await startBankProduction();
    const { id, reference } = await bank.show();
    const entry = {
      amountCents: 100_00,
      reference,
      debtorIban: 'FR1420041010050500013M02606',
      debtorName: 'Ada',
      bankReference: 'IN-1',
    };
    const entries = [entry];
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, date: '2026-03-01', entries }));
    await queueRefund(bank, id, 10);
  });
  after(() => bank?.stop());
  beforeEach(async () => {
    live = await bank.service.database.clone();
    restored = await bank.service.database.clone();
    root = mkdtempSync(join(tmpdir(), 'refund-journal-'));
    for (const name of ['configured', 'elsewhere']) mkdirSync(join(root, name));
  });
  afterEach(async () => {
    await live.drop();
    await restored.drop();
    rmSync(root, { recursive: true });
  });

  const run = (database: Pick<TestDatabase, 'url'>, ...args: string[]) =>
    runCli(['bank', 'refunds', ...args], {
      ...bank.service.env,
      DATABASE_URL: database.url,
      BANK_REFUNDS_DIR: join(root, 'configured'),
    });
  const elsewhere = () => ['--out', join(root, 'elsewhere')];
  const filesIn = (name: string) =>
    readdirSync(join(root, name)).filter((file) => file.endsWith('.xml'));

  it('is held by the journal of BANK_REFUNDS_DIR', async () => {
    assert.equal((await run(live)).exitCode, 0);
    const held = await run(restored, ...elsewhere());
    assert.match(held.stderr, HELD);
    // A person could give the copy to the bank.
    assert.match((await run(restored, ...elsewhere(), '--again', 'PRS-1')).stderr, HELD);
    assert.deepEqual([filesIn('configured').length, filesIn('elsewhere').length], [1, 0]);
  });

  it('has left its files in the journal of BANK_REFUNDS_DIR', async () => {
    assert.equal((await run(live, ...elsewhere())).exitCode, 0);
    assert.match((await run(restored)).stderr, HELD);
    assert.deepEqual([filesIn('configured').length, filesIn('elsewhere').length], [0, 1]);
  });

  it('is held by a file that left with --again for the first time', async () => {
    const wrote = await run(live, '--json');
    assert.equal(wrote.exitCode, 0, wrote.stderr);
    const [written] = wrote.json();
    // A crash before the file's note leaves neither the note, nor the file, nor a journal.
    rmSync(join(root, 'configured'), { recursive: true });
    mkdirSync(join(root, 'configured'));
    await live.sql(
      'UPDATE bank_payment_files SET written_at = NULL, written_as = NULL WHERE message_id = $1',
      [written.messageId],
    );
    const again = await run(live, '--again', written.messageId);
    assert.equal(again.exitCode, 0, again.stderr);
    assert.match((await run(restored)).stderr, HELD);
    assert.deepEqual(filesIn('configured'), [`${written.messageId}.xml`]);
  });
});
