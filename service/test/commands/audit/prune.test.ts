import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planPrune, pruneAuditLog } from '#audit/prune-audit-log.ts';
import { systemClock } from '#lib/clock.ts';
import { useAuditLog, YEAR_MS } from './audit-log.ts';

describe('the audit log of more than 7 years', () => {
  const { database, needs, verify, write, writeFive, tamper, assertFaults } = useAuditLog();

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
    await assert.rejects(database().sql(update), /audit log only grows: UPDATE on audit_log/);
    assert.equal((await planPrune(needs())).entries, 0);
  });
});
