import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { runCli } from '../commands/run-cli.ts';
import { HARBOUR_IBAN } from '../support/bank/bank-production.ts';
import { type OpenSshBank, startOpenSshBank } from '../support/bank/openssh-bank.ts';
import type { EntryOptions } from '../support/bank/statement-options.ts';
import { writeRejections } from '../support/bank/write-rejections.ts';
import { writeStatement } from '../support/bank/write-statement.ts';
import { eventually } from '../support/eventually.ts';
import { openLink, refundPart, startBankTrial } from '../support/failpoints/bank-trial.ts';
import { createOne, newKey, type Trial } from '../support/failpoints/trial.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service/service-process.ts';

const ROUNDS = 20;
const PAYMENTS_A_ROUND = 50;
const REFUNDS_A_ROUND = 5;
const REFUND_CENTS = 234;
/** The bank rejects each tenth refund. */
const REJECTED = 10;
const AT_ONCE = 16;
const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

interface Shown {
  readonly id: string;
  readonly reference: string;
  readonly amountCents: number;
}

/**
 * A day of a shop in 20 rounds, with OpenSSH as the bank: 1,000 payments come as camt.054 and then
 * as camt.053, 100 refunds leave, and come back as debits or as pain.002. The bank’s server is
 * killed and started ten times, the background process five times, each in the middle of a round.
 */
describe('a day of a shop', { timeout: 2_400_000 }, () => {
  let remote: OpenSshBank;
  let trial: Trial;
  /** Looks at the bank’s server, too, and lives on. */
  let second: ServiceProcess;
  const shown: Shown[] = [];
  const refunds: string[] = [];
  const orders = new Map<string, number>();
  const rejected = new Set<string>();
  const seen = new Set<string>();
  const booked: EntryOptions[] = [];
  let files = 0;
  before(async () => {
    remote = await startOpenSshBank();
    trial = await startBankTrial({
      ...remote.settings,
      ...{ BANK_SFTP_PAYMENTS: 'in', BANK_SFTP_ACCOUNTS: HARBOUR_IBAN, BANK_SFTP_RELEASE: 'bank' },
      ...{ BANK_SFTP_AFTER: 'delete', BANK_SFTP_EVERY: '1', REFUNDS_PER_DAY: '100000' },
    });
    await trial.startBackground();
    second = await startServiceProcess(trial.settings, 'background');
  });
  after(async () => {
    await second?.kill('SIGKILL');
    await trial?.close();
    await remote?.stop();
  });

  async function show(n: number): Promise<void> {
    const amountCents = 1_000 + n;
    const id = await createOne(trial, 'Ada Lovelace', { amount: amountCents / 100 });
    await openLink(trial, id);
    const [row] = await trial.database.sql<{ reference: string }>(
      'SELECT reference FROM bank_transfer_requests WHERE payment_request_id = $1',
      [id],
    );
    shown.push({ id, reference: row?.reference ?? '', amountCents });
  }

  async function inParallel(count: number, work: (n: number) => Promise<void>): Promise<void> {
    let next = 0;
    const one = async () => {
      while (next < count) await work(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  }

  function give(name: string, bytes: Buffer): void {
    files += 1;
    const path = join(remote.disk, 'out', `${String(files).padStart(4, '0')}-${name}.xml`);
    writeFileSync(`${path}.part`, bytes);
    renameSync(`${path}.part`, path);
  }

  const creditOf = ({ reference, amountCents }: Shown): EntryOptions => ({
    ...{ amountCents, reference, bankReference: newKey() },
    ...{ debtorName: 'Ada Lovelace', debtorIban: 'DE02120300000000202051' },
  });

  /** The orders in the bank’s folder that it has not seen: debits, or rejections at once. */
  function takeOrders(): EntryOptions[] {
    const debits: EntryOptions[] = [];
    for (const name of readdirSync(join(remote.disk, 'in'))) {
      if (seen.has(name) || !name.endsWith('.xml')) continue;
      seen.add(name);
      const text = readFileSync(join(remote.disk, 'in', name), 'utf8');
      const ids = [...text.matchAll(/<EndToEndId>([0-9a-f]{32})</g)].map(([, id]) => id ?? '');
      const refused: string[] = [];
      for (const id of ids) {
        orders.set(id, (orders.get(id) ?? 0) + 1);
        if (orders.size % REJECTED === 0) refused.push(id);
        else {
          const money = { amountCents: REFUND_CENTS, endToEndId: id, bankReference: newKey() };
          debits.push({ ...money, direction: 'DEBIT' });
        }
      }
      for (const id of refused) rejected.add(id);
      const named = refused.map((id) => ({ refundId: id, code: 'AC04' }));
      const messageId = name.replace('.xml', '');
      if (named.length > 0) give('pain002', writeRejections({ messageId, refunds: named }));
    }
    return debits;
  }

  /** Books entries by a notice, and then by a statement whose balances follow the one before. */
  function book(entries: readonly EntryOptions[], number: number): void {
    const account = { iban: HARBOUR_IBAN, date: DAY, entries };
    give('camt054', writeStatement(account, { kind: 'camt.054', messageId: `N-${number}` }));
    const openingCents = 100_000 + sumOf(booked);
    booked.push(...entries);
    const statement = { ...account, openingCents, sequenceNumber: number };
    give('camt053', writeStatement(statement, { messageId: `S-${number}` }));
  }

  async function refundSome(round: number): Promise<void> {
    const from = round * PAYMENTS_A_ROUND;
    for (const { id } of shown.slice(from, from + REFUNDS_A_ROUND)) {
      refunds.push(await refundPart(trial, id));
    }
    await eventually(async () => {
      const text = 'SELECT FROM bank_refunds WHERE refund_id = ANY ($1::uuid[])';
      return (await trial.database.sql(text, [refunds])).length === refunds.length;
    }, 'the refunds at the bank');
    const wrote = await runCli(['bank', 'refunds'], trial.settings);
    assert.equal(wrote.exitCode, 0, wrote.stderr);
  }

  const isFree = `leased_by IS NULL`;
  const begin = (where = isFree) =>
    trial.database.sql(
      `UPDATE bank_connections SET due_at = now(), leased_by = NULL, leased_until = NULL
       WHERE ${where}`,
    );
  async function isOver(): Promise<boolean> {
    const { sql } = trial.database;
    if (readdirSync(join(remote.disk, 'out')).length > 0) return false;
    const left = await sql(
      `SELECT FROM bank_payment_files WHERE written_at IS NULL
       UNION ALL SELECT FROM bank_files WHERE state IN ('RECEIVED', 'STAGED')
       UNION ALL SELECT FROM bank_movements WHERE reported_at IS NULL AND outcome <> 'WAITING'`,
    );
    return left.length === 0;
  }
  const untilOver = (what: string) =>
    eventually(
      async () => {
        if (await isOver()) return true;
        await begin();
        await wait(500);
        return false;
      },
      what,
      300_000,
    );

  it('loses nothing and doubles nothing', async () => {
    const started = performance.now();
    const total = ROUNDS * PAYMENTS_A_ROUND;
    await inParallel(total, show);
    let ofBank = 0;
    let ofOurs = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = round * PAYMENTS_A_ROUND;
      const credits = shown.slice(from, from + PAYMENTS_A_ROUND).map(creditOf);
      book([...credits, ...takeOrders()], round + 1);
      if (round > 0) await refundSome(round - 1);
      await begin();
      if (round % 2 === 0) {
        await wait(Math.random() * 6_000);
        await remote.restart();
        ofBank += 1;
      }
      if (round % 4 === 1) {
        await wait(Math.random() * 6_000);
        await trial.stopBackground();
        await trial.startBackground();
        await begin('true');
        ofOurs += 1;
      }
      await untilOver(`the end of round ${round}`);
    }
    await refundSome(ROUNDS - 1);
    for (const last of [1, 2]) {
      await untilOver('the last files');
      if (last === 1) book(takeOrders(), ROUNDS + 1);
    }
    const seconds = Math.round((performance.now() - started) / 1_000);
    assert.deepEqual([ofBank, ofOurs], [10, 5]);
    console.log(
      `${total} payments, ${refunds.length} refunds (${rejected.size} rejected), ${files} files, ` +
        `${seen.size} payment files, ${ofBank} restarts of sshd, ${ofOurs} of ours: ${seconds} s`,
    );
  });

  it('has a ledger that equals the statements to the cent', async () => {
    const { sql } = trial.database;
    const sums = await sql<{ type: string; cents: number; count: number }>(
      `SELECT type, sum(amount_cents)::int AS cents, count(*)::int AS count
       FROM ledger_entries GROUP BY type ORDER BY type`,
    );
    const credits = booked.filter(({ direction }) => direction !== 'DEBIT');
    const debits = booked.filter(({ direction }) => direction === 'DEBIT');
    assert.deepEqual(sums, [
      { type: 'PAYMENT', cents: sumOf(credits), count: ROUNDS * PAYMENTS_A_ROUND },
      { type: 'REFUND', cents: sumOf(debits), count: refunds.length - rejected.size },
    ]);
    const reconciled = await runCli(['bank', 'reconcile', '--day', DAY, '--json'], trial.settings);
    const { lines, faults } = reconciled.json();
    assert.deepEqual(faults, []);
    const states = new Set(lines.map(({ state }: { state: string }) => state));
    assert.deepEqual([...states], ['MATCHED']);
    assert.deepEqual(await sql('SELECT kind FROM operator_cases'), []);
  });

  it('has ordered each refund once, and knows the end of each', async () => {
    assert.equal(orders.size, refunds.length);
    assert.deepEqual(
      [...orders.values()].filter((count) => count !== 1),
      [],
    );
    const ended = await trial.database.sql<{ status: string; count: number }>(
      'SELECT status, count(*)::int AS count FROM refunds GROUP BY status ORDER BY status',
    );
    const completed = refunds.length - rejected.size;
    assert.deepEqual(ended, [
      { status: 'COMPLETED', count: completed },
      { status: 'FAILED', count: rejected.size },
    ]);
    const unpaid = await trial.database.sql(`SELECT FROM payment_requests WHERE status <> 'PAID'`);
    assert.equal(unpaid.length, 0);
  });
});

const sumOf = (entries: readonly EntryOptions[]): number =>
  entries.reduce(
    (sum, { amountCents, direction }) => sum + (direction === 'DEBIT' ? -amountCents : amountCents),
    0,
  );
