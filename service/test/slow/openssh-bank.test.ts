import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  watch,
} from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../support/bank/bank-production.ts';
import { type OpenSshBank, startOpenSshBank } from '../support/bank/openssh-bank.ts';
import { queueRefund } from '../support/bank/queue-refund.ts';
import { type SlowLine, startSlowLine } from '../support/bank/slow-line.ts';
import { writeStatement } from '../support/bank/write-statement.ts';
import { eventually } from '../support/eventually.ts';

const EVERY_SECONDS = 301;
const MANY_FILES = 10_000;
/** The bytes after which the middle of a large file is on its way. */
const MEGABYTE = 1_000_000;

describe('a connection to OpenSSH as the bank’s server', { timeout: 900_000 }, () => {
  let remote: OpenSshBank;
  let line: SlowLine;
  let bank: BankProduction;
  let refunds: string;
  before(async () => {
    remote = await startOpenSshBank();
    line = await startSlowLine(remote.port);
    refunds = await mkdtemp(join(tmpdir(), 'payment-files-'));
    bank = await startBankProduction({
      settings: {
        ...remote.settings,
        BANK_SFTP_URL: `sftp://bank@127.0.0.1:${line.port}`,
        BANK_REFUNDS_DIR: refunds,
        BANK_SFTP_PAYMENTS: 'in',
        BANK_SFTP_ACCOUNTS: HARBOUR_IBAN,
        BANK_SFTP_RELEASE: 'bank',
      },
    });
    await round();
  });
  after(async () => {
    await bank?.stop();
    await line?.stop();
    await remote?.stop();
    await rm(refunds, { recursive: true, force: true });
  });

  interface Round {
    readonly reason: string | null;
    readonly files: number;
  }
  async function round(): Promise<Round> {
    const { sql } = bank.service.database;
    const ask = `SELECT reason, files_there AS files, round_at AS "roundAt",
      leased_by IS NULL AS over FROM bank_connections`;
    const [before] = await sql<{ roundAt: Date | null }>(ask);
    await bank.service.advance(EVERY_SECONDS);
    return eventually(
      async () => {
        const [now] = await sql<Round & { roundAt: Date | null; over: boolean }>(ask);
        return now?.over && now.roundAt && now.roundAt.getTime() !== before?.roundAt?.getTime()
          ? now
          : undefined;
      },
      'a round',
      600_000,
    );
  }
  const put = (name: string, bytes: Buffer) => writeFile(join(remote.disk, 'out', name), bytes);
  async function payment(padding = 0) {
    const { id, reference } = await bank.show();
    const others = Array.from({ length: padding }, () => ({ amountCents: 1 }));
    const payer = { debtorIban: 'FR1420041010050500013M02606', debtorName: 'Ada' };
    const entries = [{ amountCents: 10_000, reference, bankReference: id, ...payer }, ...others];
    return { id, bytes: writeStatement({ iban: HARBOUR_IBAN, entries }) };
  }
  const verdicts = () =>
    bank.service.database.sql<{ name: string; verdict: string }>(
      `SELECT name, verdict FROM bank_connection_files WHERE verdict <> 'TAKEN' ORDER BY name COLLATE "C"`,
    );

  it('passes each step of the check', async () => {
    const { exitCode, stdout } = await runCli(['bank', 'connection', 'check'], bank.service.env);
    assert.equal(exitCode, 0, stdout);
  });

  it('takes statements, and refuses links, folders and names with control characters', async () => {
    const { id, bytes } = await payment();
    await put('one.xml', bytes);
    await put('\u001b[2K.xml', bytes);
    await put('denied.xml', bytes);
    chmodSync(join(remote.disk, 'out/denied.xml'), 0);
    mkdirSync(join(remote.disk, 'out/folder.xml'));
    symlinkSync('/etc/passwd', join(remote.disk, 'out/link.xml'));
    assert.equal((await round()).reason, null);
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(await verdicts(), [
      { name: 'denied.xml', verdict: 'FAILED' },
      { name: 'folder.xml', verdict: 'REFUSED' },
      { name: 'link.xml', verdict: 'REFUSED' },
      { name: '\ufffd[2K.xml', verdict: 'REFUSED' },
    ]);
  });

  it('takes a file again whose connection is killed in the middle', async () => {
    const { id, bytes } = await payment(20_000);
    await put('large.xml', bytes);
    line.after(MEGABYTE, () => remote.signal('SIGKILL'));
    assert.match((await round()).reason ?? '', /the connection ended/);
    assert.equal((await round()).reason, null);
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('gives a frozen server up after 30 seconds', async () => {
    line.after(1, () => remote.signal('SIGSTOP'));
    assert.match((await round()).reason ?? '', /did not answer for 30 seconds/);
    remote.signal('SIGCONT');
  });

  it('gives a server up that sends a byte a second', async () => {
    const { id, bytes } = await payment(20_000);
    await put('slow.xml', bytes);
    line.after(MEGABYTE, () => line.slowDown());
    assert.match((await round()).reason ?? '', /did not answer for 30 seconds/);
    line.speedUp();
    assert.equal((await round()).reason, null);
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('takes a file that grows while it is read once it is whole', async () => {
    const { id, bytes } = await payment(20_000);
    const half = bytes.length >> 1;
    await put('grows.xml', bytes.subarray(0, half));
    line.after(MEGABYTE, () =>
      appendFileSync(join(remote.disk, 'out/grows.xml'), bytes.subarray(half)),
    );
    assert.equal((await round()).reason, null);
    assert.equal((await round()).reason, null);
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('takes a file once whose round sees the clock jump by an hour', async () => {
    const { id, bytes } = await payment(20_000);
    await put('jump.xml', bytes);
    line.after(MEGABYTE, () => void bank.service.advance(3_600));
    await round();
    assert.equal((await round()).reason, null);
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  let paid: string | undefined;
  /** A payment file that is to leave, with one refund. */
  async function refundOne(): Promise<string> {
    if (!paid) {
      const { id, bytes } = await payment();
      await put('paid.xml', bytes);
      await round();
      paid = id;
    }
    return (await queueRefund(bank, paid, 1)).replaceAll('-', '');
  }
  /** The bank’s files that order the refund, whole. */
  const ordersOf = (endToEndId: string) =>
    readdirSync(join(remote.disk, 'in')).filter((name) => {
      const text = readFileSync(join(remote.disk, 'in', name), 'utf8');
      return text.includes(endToEndId) && text.trim().endsWith('</Document>');
    });

  it('sends a payment file once the bank has room for it, and once alone', async () => {
    const refund = await refundOne();
    await remote.limitFiles(1);
    await runCli(['bank', 'refunds'], bank.service.env);
    assert.match((await round()).reason ?? '', /disk or your quota may be full/);
    await remote.limitFiles(null);
    assert.equal((await round()).reason, null);
    await round();
    assert.equal(ordersOf(refund).length, 1);
  });

  for (const [moment, ending] of [
    ['put', '.tmp'],
    ['rename', '.xml'],
  ] as const) {
    it(`orders a refund once whose ${moment} is killed in the middle`, async () => {
      const refund = await refundOne();
      let isKilled = false;
      const watching = watch(join(remote.disk, 'in'), (_event, name) => {
        if (isKilled || !name?.endsWith(ending)) return;
        isKilled = true;
        remote.signal('SIGKILL');
      });
      await runCli(['bank', 'refunds'], bank.service.env);
      await round();
      watching.close();
      assert.ok(isKilled);
      assert.equal((await round()).reason, null);
      assert.deepEqual(
        ordersOf(refund).map((name) => name.endsWith('.xml')),
        [true],
      );
      const unsent = await bank.service.database.sql(
        'SELECT FROM bank_payment_files WHERE written_at IS NULL',
      );
      assert.equal(unsent.length, 0);
    });
  }

  it(`lists ${MANY_FILES} files, and reads each once`, async () => {
    const { bytes } = await payment();
    await Promise.all(Array.from({ length: MANY_FILES }, (_, n) => put(`same-${n}.xml`, bytes)));
    const started = performance.now();
    const first = await round();
    const readMs = performance.now() - started;
    assert.ok(first.files > MANY_FILES, `${first.files} files`);
    while ((await round()).reason !== null);
    const again = performance.now();
    assert.equal((await round()).reason, null);
    const listMs = performance.now() - again;
    console.log(`${MANY_FILES} files: ${Math.round(readMs)} ms, again ${Math.round(listMs)} ms`);
    assert.ok(listMs < 10_000, `${listMs} ms`);
  });

  it('sends nothing to a server with another key', async () => {
    await remote.changeKey();
    assert.match((await round()).reason ?? '', /nothing was sent/);
  });

  it('has counted each booking once', async () => {
    const paid = await bank.service.database.sql(
      `SELECT FROM payment_requests WHERE status = 'PAID'`,
    );
    const payments = (await bank.ledger()).filter((entry) => entry.startsWith('PAYMENT'));
    assert.equal(payments.length, paid.length);
  });
});
