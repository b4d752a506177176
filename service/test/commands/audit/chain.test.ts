import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { entryMembers } from '#audit/entry-members.ts';
import { addCheckpoint } from '#audit/prune-audit-log.ts';
import { pageOfAudit } from '#audit/read-store.ts';
import { connectDatabase } from '#database/database.ts';
import { systemClock } from '#lib/clock.ts';
import { insertAuditEntry } from '#merchants/audit-log-store.ts';
import { alignColumns } from '../../../src/commands/cli/align-columns.ts';
import { secretsKey, useAuditLog } from './audit-log.ts';

describe('the audit log', () => {
  const { database, needs, verify, write, writeFive, tamper, assertFaults } = useAuditLog();

  it('verifies entries of every writer as they were written', async () => {
    await writeFive();
    // A writer needs to know no chain.
    await database().sql(`INSERT INTO audit_log (actor, action, merchant_id, details)
                        VALUES ('api', 'OLD', 'mer_1', '{"b": 1, "a": [1.50, null]}')`);
    const { entries, faults, head } = await verify();
    assert.deepEqual([entries, faults], [6, []]);
    assert.equal(head.position, 6n);
  });

  it('stays one chain under concurrent writers, also where transactions roll back', async () => {
    const writeOrRollBack = (index: number) =>
      database().db.transaction(async (tx) => {
        await insertAuditEntry(tx, {
          actor: 'api',
          action: 'WEBHOOK_ENDPOINT_CREATED',
          merchantId: null,
          details: { index },
          occurredAt: systemClock.now(),
        });
        if (index % 5 === 0) throw new Error('rolled back');
      });
    // No more writers than the pool has connections: a transaction without one gives up after 2 s.
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
    const other = connectDatabase({ url: database().url, poolSize: 1 });
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
      await assert.rejects(database().sql(statement), /audit log only grows/, statement);
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
    const [row] = await pageOfAudit(database().db, { position: '2', id: '9223372036854775807' }, 1);
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
});
