import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exportMerchantAudit } from '#audit/export-audit-log.ts';
import { planPrune, pruneAuditLog } from '#audit/prune-audit-log.ts';
import { readVerification, verifyNextStep } from '#audit/verify-step.ts';
import { systemClock } from '#lib/clock.ts';
import { secretsKey, useAuditLog, YEAR_MS } from './audit-log.ts';

/** More entries than two pages of a verification. */
const MANY = 2_300;

describe('the verification of the audit log in steps', () => {
  const { database, needs, tamper, write, verify } = useAuditLog();

  const writeMany = (count = MANY) =>
    database().sql(
      `INSERT INTO audit_log (actor, action, details)
       SELECT 'api', 'OLD', jsonb_build_object('number', n) FROM generate_series(1, $1) AS n`,
      [count],
    );
  const step = (options: { anew?: boolean; mostEntries?: number } = {}) =>
    verifyNextStep(
      { db: database().db, clock: systemClock, secretsKey },
      { actor: 'Ada', anew: false, mostEntries: 1_000, ...options },
    );

  it('verifies the whole log in bounded steps, and keeps how far it came', async () => {
    await writeMany();
    const first = await step({ anew: true });
    assert.deepEqual([first.entries, first.isComplete, first.faultCount], [1_000, false, 0]);
    assert.deepEqual(await readVerification(database()), first);
    assert.equal((await step()).entries, 2_000);
    const last = await step();
    assert.deepEqual([last.entries, last.isComplete, last.faults], [MANY, true, []]);
    assert.equal(last.startedAt.getTime(), first.startedAt.getTime());
    const whole = await verify();
    assert.deepEqual([last.head, last.start], [whole.head, whole.start]);
  });

  it('finds faults of each step, and tells each once', async () => {
    await writeMany();
    await tamper(`UPDATE audit_log SET actor = 'nobody' WHERE position IN (7, 1500);
                  DELETE FROM audit_log WHERE position = 2200`);
    await step({ anew: true });
    await step();
    const { faults, faultCount } = await step();
    assert.deepEqual(faults, (await verify()).faults);
    assert.equal(faultCount, 3);
  });

  it('finds an end of the log that was cut off between two steps', async () => {
    await writeMany();
    await step({ anew: true });
    await tamper('DELETE FROM audit_log WHERE position > 1000');
    const { faults, isComplete } = await step();
    assert.equal(isComplete, true);
    assert.match(faults.join(' '), /Entries 1001 to 2300 are missing: the head is beyond/);
  });

  it('begins again after a prune, and after a complete run', async () => {
    await write('old', new Date(systemClock.now().getTime() - 8 * YEAR_MS));
    await writeMany();
    await step({ anew: true });
    await pruneAuditLog(needs(), await planPrune(needs()));
    const after = await step();
    assert.deepEqual([after.entries, after.start.position, after.faults], [1_000, 1n, []]);
    await step();
    assert.equal((await step()).isComplete, true);
    assert.equal((await step()).entries, 1_000);
  });
});

describe('the audit log of a merchant', () => {
  const { database, write } = useAuditLog();

  it('holds its own entries alone, without places that tell of others', async () => {
    await write('foreign', systemClock.now(), 'mer_2');
    for (let number = 0; number < 3; number++) await write(`own ${number}`, undefined, 'mer_1');
    await write('of all');
    const chunks = await Array.fromAsync(exportMerchantAudit(database().db, 'mer_1'));
    const lines = chunks.join('').trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      entries.map(({ details }) => details.note),
      ['own 0', 'own 1', 'own 2'],
    );
    const names = ['occurredAt', 'action', 'merchantId', 'details', 'actor'];
    for (const entry of entries) assert.deepEqual(Object.keys(entry), names);
    assert.deepEqual(new Set(entries.map(({ actor }) => actor)), new Set(['operator']));
  });
});
