import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { connectDatabase } from '#database/database.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { insertAuditEntry } from '#merchants/audit-log-store.ts';
import { entryMembers } from '../../src/commands/audit/list.ts';
import { readInstant, readLimit, readPosition } from '../../src/commands/audit/options.ts';
import {
  addCheckpoint,
  planPrune,
  pruneAuditLog,
} from '../../src/commands/audit/prune-audit-log.ts';
import { type AuditFilter, listAudit, pageOfAudit } from '../../src/commands/audit/read-store.ts';
import { verifyAuditLog } from '../../src/commands/audit/verify-audit-log.ts';
import { alignColumns } from '../../src/commands/cli/align-columns.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { settingsOf } from '../support/service/service.ts';
import { runCli } from './run-cli.ts';

const NO_FILTER: AuditFilter = {
  before: null,
  merchantId: null,
  action: null,
  actor: null,
  since: null,
  until: null,
  limit: 50,
};
const YEAR_MS = 366 * 86_400_000;
const secretsKey = { current: randomBytes(32), previous: null };

describe('the audit log', () => {
  let template: TestDatabase;
  let database: TestDatabase;
  before(async () => {
    template = await createTestDatabase('sandbox');
  });
  after(() => template.drop());
  beforeEach(async () => {
    database = await template.clone();
  });
  afterEach(() => database.drop());

  const needs = (clock: Clock = systemClock) => ({
    db: database.db,
    clock,
    secretsKey,
    actor: 'payreq (ada)',
  });
  const verify = (options = {}) => verifyAuditLog({ db: database.db, secretsKey, ...options });
  const write = (note: string, occurredAt = systemClock.now(), merchantId: string | null = null) =>
    insertAuditEntry(database.db, {
      actor: 'payreq (ada)',
      action: 'OPERATOR_CASE_CLOSED',
      merchantId,
      details: { note },
      occurredAt,
    });
  async function writeFive() {
    for (const note of ['a', 'b', 'c', 'd', 'é "quoted", 5:x']) await write(note);
  }
  /** A superuser switches the triggers off. */
  const tamper = (text: string) =>
    database.sql(`SET LOCAL session_replication_role = replica; ${text}`);
  async function assertFaults(faults: readonly RegExp[], options = {}): Promise<void> {
    const found = await verify(options);
    assert.equal(found.faults.length, faults.length, found.faults.join('\n'));
    for (const [index, fault] of faults.entries()) assert.match(found.faults[index] ?? '', fault);
  }

  it('verifies as written, for every writer', async () => {
    await writeFive();
    // A process of the version before knows no chain.
    await database.sql(`INSERT INTO audit_log (actor, action, merchant_id, details)
                        VALUES ('api', 'OLD', 'mer_1', '{"b": 1, "a": [1.50, null]}')`);
    const { entries, faults, head } = await verify();
    assert.deepEqual([entries, faults], [6, []]);
    assert.equal(head.position, 6n);
  });

  it('stays one chain under concurrent writers, also where transactions roll back', async () => {
    const writeOrRollBack = (index: number) =>
      database.db.transaction(async (tx) => {
        await insertAuditEntry(tx, {
          actor: 'api',
          action: 'WEBHOOK_ENDPOINT_CREATED',
          merchantId: null,
          details: { index },
          occurredAt: systemClock.now(),
        });
        if (index % 5 === 0) throw new Error('rolled back');
      });
    // As many as the pool has connections: a transaction that waits for one gives up after 2 s.
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let index = writer; index < 40; index += 8) {
        const work = writeOrRollBack(index);
        if (index % 5 === 0) await assert.rejects(work, /rolled back/);
        else await work;
      }
    });
    await Promise.all(writers);
    const { entries, faults, head } = await verify();
    assert.deepEqual([entries, faults, head.position], [32, [], 32n]);
  });

  it('refuses a writer with an older snapshot, which could fork the chain', async () => {
    const other = connectDatabase({ url: database.url, poolSize: 1 });
    try {
      const late = other.transaction(async (tx) => {
        await tx.query({ name: '', text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ' });
        await tx.query({ name: '', text: 'SELECT FROM audit_log' });
        await write('meanwhile');
        await insertAuditEntry(tx, {
          actor: 'api',
          action: 'WEBHOOK_ENDPOINT_CREATED',
          merchantId: null,
          details: {},
          occurredAt: systemClock.now(),
        });
      });
      await assert.rejects(late);
      assert.deepEqual((await verify()).faults, []);
    } finally {
      await other.close();
    }
  });

  it('refuses UPDATE, DELETE and TRUNCATE, also of its head and by the tables’ owner', async () => {
    await writeFive();
    for (const statement of [
      `UPDATE audit_log SET actor = 'nobody' WHERE position = 2`,
      'DELETE FROM audit_log WHERE position = 2',
      'TRUNCATE audit_log',
      `SET payment_requests.audit_prune = 'on'; DELETE FROM audit_log WHERE position = 2`,
      'UPDATE audit_log_head SET position = 3',
      'DELETE FROM audit_log_head',
      'TRUNCATE audit_log_head',
      `INSERT INTO audit_log_head VALUES (false, 1, decode(repeat('00', 32), 'hex'))`,
    ]) {
      await assert.rejects(database.sql(statement), /audit log only grows/, statement);
    }
    assert.deepEqual((await verify()).faults, []);
  });

  it('tells a changed entry', async () => {
    await writeFive();
    await tamper(`UPDATE audit_log SET actor = 'payreq (eve)' WHERE position = 3`);
    await assertFaults([/^Entry 3 \(OPERATOR_CASE_CLOSED\) was changed/]);
  });

  it('tells an entry with an instant that is none, and shows no control characters', async () => {
    await writeFive();
    await tamper(`UPDATE audit_log SET occurred_at = 'infinity', action = E'A\\x1b[2J\\nB'
                  WHERE position = 3`);
    await assertFaults([/^Entry 3 \(A\?\?\?J\?B\) was changed/]);
    const [row] = await pageOfAudit(database.db, { position: '2', id: '9223372036854775807' }, 1);
    assert.ok(row);
    const { occurredAt, action } = entryMembers(row);
    assert.equal(occurredAt, 'infinity');
    assert.deepEqual(alignColumns([[action]]), ['A\ufffd[2J\ufffdB']);
  });

  it('finds an entry whose hash was computed again, by the next entry', async () => {
    await writeFive();
    await tamper(`
      UPDATE audit_log SET details = '{"note": "other"}' WHERE position = 3;
      UPDATE audit_log e SET hash = sha256((SELECT hash FROM audit_log WHERE position = 2)
        || convert_to(audit_entry_content(e), 'UTF8')) WHERE position = 3`);
    await assertFaults([/^Entry 4 .* was changed, or the hash before it/]);
  });

  it('tells a deleted entry in the middle and one at the beginning', async () => {
    await writeFive();
    await tamper('DELETE FROM audit_log WHERE position IN (1, 3)');
    await assertFaults([/^Entry 1 is missing\./, /^Entry 3 is missing\./]);
  });

  it('tells a deleted tail by its head', async () => {
    await writeFive();
    await tamper('DELETE FROM audit_log WHERE position > 3');
    await assertFaults([/^Entries 4 to 5 are missing: the head is beyond the last entry/]);
  });

  it('tells a forked chain', async () => {
    await writeFive();
    await tamper(`
      ALTER TABLE audit_log DROP CONSTRAINT audit_log_one_chain;
      INSERT INTO audit_log (actor, action, position, hash)
      SELECT 'payreq (eve)', 'FORGED', 3, hash FROM audit_log WHERE position = 3`);
    await assertFaults([/^Position 3 has two entries: the chain is forked/]);
  });

  /** Cuts the tail after `position` and makes head and chain fit, as an owner could. */
  const rewrite = (position: number) =>
    tamper(`
      DELETE FROM audit_log WHERE position > ${position};
      UPDATE audit_log SET actor = 'payreq (eve)' WHERE position = ${position};
      UPDATE audit_log e SET hash = sha256(
        (SELECT hash FROM audit_log WHERE position = ${position} - 1)
        || convert_to(audit_entry_content(e), 'UTF8')) WHERE position = ${position};
      UPDATE audit_log_head h SET position = e.position, hash = e.hash
      FROM audit_log e WHERE e.position = ${position}`);

  it('finds a chain that was computed again, by a checkpoint or by a known head', async () => {
    await writeFive();
    const { head } = await verify();
    await addCheckpoint(needs());
    await rewrite(3);
    await assertFaults([/^Entries 4 to 5 are missing: the checkpoint/]);
    await tamper('DELETE FROM audit_checkpoints');
    // No trace of it is left in the database: only what is kept outside can tell.
    await assertFaults([]);
    await assertFaults([/^Entries 4 to 5 are missing: the known head/], { knownHead: head });
    await write('four');
    await write('five');
    await assertFaults([/^The chain was computed again: entry 5 .* known head/], {
      knownHead: head,
    });
  });

  it('tells a forged checkpoint, and one that another SECRETS_KEY signed', async () => {
    await writeFive();
    await addCheckpoint(needs());
    await assertFaults([]);
    await assertFaults([/^The checkpoint at 5 is not signed/], {
      secretsKey: { current: randomBytes(32), previous: null },
    });
    const rotated = { current: randomBytes(32), previous: secretsKey.current };
    await assertFaults([], { secretsKey: rotated });
    await rewrite(5);
    await tamper(`UPDATE audit_checkpoints c SET hash = e.hash FROM audit_log e
                  WHERE e.position = c.position`);
    await assertFaults([/^The checkpoint at 5 is not signed/]);
  });

  it('is pruned after 7 years, leaving a checkpoint from which it verifies', async () => {
    const longAgo = new Date(systemClock.now().getTime() - 8 * YEAR_MS);
    await write('old', longAgo);
    await write('old', longAgo);
    await writeFive();
    await write('an old instant among young ones', longAgo);
    const plan = await planPrune(needs());
    assert.deepEqual([plan.entries, plan.last?.position], [2, 2n]);
    assert.equal(await pruneAuditLog(needs(), plan), 2);
    const { entries, faults, start } = await verify();
    assert.deepEqual([entries, faults, start.position], [7, [], 2n]);
    const again = await planPrune(needs());
    assert.deepEqual([again.entries, again.last], [0, null]);

    await tamper('UPDATE audit_checkpoints SET position = 4');
    const forged = await verify();
    assert.match(forged.faults.join('\n'), /The checkpoint at 4 is not signed/);
    assert.match(forged.faults.join('\n'), /Entries 1 to 2 are missing/);
  });

  it('goes on with a prune that was interrupted, and takes nothing when it is faulty', async () => {
    const longAgo = new Date(systemClock.now().getTime() - 8 * YEAR_MS);
    for (const note of ['a', 'b', 'c']) await write(note, longAgo);
    await write('young');
    await tamper(`UPDATE audit_log SET actor = 'payreq (eve)' WHERE position = 2`);
    const plan = await planPrune(needs());
    await assert.rejects(pruneAuditLog(needs(), plan), /has 1 faults.*Nothing was changed/);
    assert.equal((await verify()).entries, 4);
    await tamper(`UPDATE audit_log SET actor = 'payreq (ada)' WHERE position = 2`);
    await pruneAuditLog(needs(), plan);
    await tamper(`INSERT INTO audit_log (actor, action, position, hash)
                  SELECT 'x', 'LEFT', 3, hash FROM audit_checkpoints`);
    await assertFaults([/^1 entry at 3 or before/]);
    assert.equal(await pruneAuditLog(needs(), await planPrune(needs())), 1);
    await assertFaults([]);
  });

  it('goes on with an interrupted prune also when more entries have become old', async () => {
    const ago = (years: number) => new Date(systemClock.now().getTime() - years * YEAR_MS);
    await write('old', ago(8));
    await write('old a year later', ago(6.5));
    await pruneAuditLog(needs(), await planPrune(needs()));
    await tamper(`INSERT INTO audit_log (actor, action, position, hash)
                  SELECT 'x', 'LEFT', position, hash FROM audit_checkpoints`);
    const inAYear = { ...systemClock, now: () => ago(-1) };
    for (const position of [1n, 2n]) {
      const plan = await planPrune(needs(inAYear));
      assert.deepEqual([plan.last?.position, plan.entries], [position, 1]);
      assert.equal(await pruneAuditLog(needs(inAYear), plan), 1);
    }
    await assertFaults([]);
  });

  it('refuses UPDATE also before a checkpoint of a prune, and takes no forged one', async () => {
    await writeFive();
    await tamper(`INSERT INTO audit_checkpoints (position, hash, is_start, created_at, signature)
                  SELECT position, hash, true, now(), hash FROM audit_log WHERE position = 3`);
    const update = `SET payment_requests.audit_prune = 'on';
      UPDATE audit_log SET actor = 'nobody' WHERE position = 2`;
    await assert.rejects(database.sql(update), /audit log only grows: UPDATE on audit_log/);
    assert.equal((await planPrune(needs())).entries, 0);
  });

  it('chains the entries that were there before the migration', async () => {
    const folder = new URL('../../migrations/', import.meta.url);
    const migration = (name: string) => readFile(new URL(name, folder), 'utf8');
    await database.sql('CREATE SCHEMA before');
    await database.sql('CREATE TABLE before.schema_compatibility (schema int, works_with int)');
    await database.sql(`SET search_path = before;
      ${await migration('0001-deployment-and-merchants.sql')};
      INSERT INTO audit_log (actor, action) SELECT 'api', 'OLD ' || n FROM generate_series(1, 5) n;
      DELETE FROM audit_log WHERE id = 2;
      ${await migration('0021-audit-chain.sql')}`);
    const url = new URL(database.url);
    url.searchParams.set('options', '-c search_path=before');
    const db = connectDatabase({ url: url.href, poolSize: 1 });
    try {
      const { entries, faults } = await verifyAuditLog({ db, secretsKey });
      assert.deepEqual([entries, faults], [4, []]);
    } finally {
      await db.close();
    }
  });

  describe('at the command line', () => {
    let env: Record<string, string>;
    beforeEach(() => {
      env = settingsOf('sandbox', database.url);
    });

    it('is listed by merchant, action, actor and time, and read on', async () => {
      await writeFive();
      await write('of a merchant', new Date('2020-05-05T05:05:05Z'), 'mer_1');
      const list = async (filter: Partial<AuditFilter>) =>
        (await listAudit(database.db, { ...NO_FILTER, ...filter })).map(({ position }) => position);
      assert.deepEqual(await list({ limit: 2 }), ['6', '5']);
      assert.deepEqual(await list({ limit: 2, before: '5' }), ['4', '3']);
      assert.deepEqual(await list({ merchantId: 'mer_1' }), ['6']);
      const [since, until] = [readInstant('2020-05-05'), readInstant('2020-05-06')];
      assert.deepEqual(await list({ since, until }), ['6']);
      assert.deepEqual(await list({ action: 'PAYER_ERASED' }), []);
      assert.deepEqual(await list({ actor: 'ADA', limit: 1 }), ['6']);
      // Each option leaves the entry of the merchant alone, or leaves it in.
      const options = ['--merchant=mer_1', '--limit=1', '--before=7', '--actor=ADA'];
      const times = ['--since=2020-05-05', '--until=2020-05-06', '--action=OPERATOR_CASE_CLOSED'];
      const { stdout, stderr } = await runCli(['audit', 'list', ...options, ...times], env);
      assert.equal(stderr, '');
      assert.match(
        stdout,
        /^6 +2020-05-05T05:05:05\.000Z +payreq \(ada\) +OPERATOR_CASE_CLOSED.*\n$/,
      );
    });

    it('refuses a limit, an instant and a position that are none', async () => {
      assert.throws(() => readLimit(1_000)('1001'), /up to 1000/);
      assert.throws(() => readInstant('May'), /Give a day/);
      assert.throws(() => readInstant('2026-02-30'), /Give a day/);
      assert.throws(() => readInstant('2026-04-31T00:00Z'), /Give a day/);
      assert.equal(readInstant('2024-02-29T23:00-05:00').toISOString(), '2024-03-01T04:00:00.000Z');
      assert.throws(() => readPosition('-1'), /Give a position/);
      assert.equal((await runCli(['audit', 'list', '--limit', '1001'], env)).exitCode, 2);
    });

    it('is exported as lines that prove the chain without the database', async () => {
      await writeFive();
      const { stdout, exitCode } = await runCli(['audit', 'export'], env);
      assert.equal(exitCode, 0);
      let previous: Buffer = Buffer.alloc(32);
      const lines = stdout.trimEnd().split('\n');
      for (const line of lines) {
        const { hash, content } = JSON.parse(line);
        previous = createHash('sha256').update(previous).update(content).digest();
        assert.equal(hash, previous.toString('hex'));
      }
      assert.equal(lines.length, 5);
      const rest = await runCli(['audit', 'export', '--after', '4'], env);
      assert.equal(rest.stdout, `${lines[4]}\n`);
    });

    it('is verified: exit code 1 and a sentence for each fault', async () => {
      await writeFive();
      const good = await runCli(['audit', 'verify', '--json'], env);
      assert.equal(good.exitCode, 0, good.stderr);
      const { head } = good.json();
      assert.match(head, /^5:[0-9a-f]{64}$/);
      const same = await runCli(['audit', 'verify', '--head', head], env);
      assert.match(same.stdout, /^5 entries are as they were written\./);
      await tamper('DELETE FROM audit_log WHERE position = 2');
      const bad = await runCli(['audit', 'verify'], env);
      assert.equal(bad.exitCode, 1);
      assert.match(bad.stdout, /^FAIL Entry 2 is missing\./);
    });

    it('is pruned after a confirmation only, and says before what would go', async () => {
      await write('old', new Date(systemClock.now().getTime() - 8 * YEAR_MS));
      await write('young');
      const refused = await runCli(['audit', 'prune'], env);
      assert.equal(refused.exitCode, 2);
      assert.match(refused.stderr, /cannot be undone: give --yes/);
      const dry = await runCli(['audit', 'prune', '--dry-run', '--json'], env);
      assert.deepEqual([dry.json().entries, dry.json().pruned], [1, 0]);
      const pruned = await runCli(['audit', 'prune', '--yes', '--json'], env);
      assert.equal(pruned.exitCode, 0, pruned.stderr);
      assert.deepEqual([pruned.json().upTo, pruned.json().pruned], [1, 1]);
      const verified = await runCli(['audit', 'verify'], env);
      assert.match(verified.stdout, /^2 entries are as they were written/);
    });
  });
});
