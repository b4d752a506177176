import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { type AuditFilter, listAudit } from '#audit/read-store.ts';
import { systemClock } from '#lib/clock.ts';
import { readInstant, readLimit, readPosition } from '../../../src/commands/audit/options.ts';
import { settingsOf } from '../../support/service/service.ts';
import { runCli } from '../run-cli.ts';
import { useAuditLog, YEAR_MS } from './audit-log.ts';

const NO_FILTER: AuditFilter = {
  before: null,
  merchantId: null,
  action: null,
  actor: null,
  since: null,
  until: null,
  limit: 50,
};

describe('payreq audit', () => {
  const { database, write, writeFive, tamper } = useAuditLog();
  let env: Record<string, string>;
  beforeEach(() => {
    env = settingsOf('sandbox', database().url);
  });

  it('is listed by merchant, action, actor and time, and read on', async () => {
    await writeFive();
    await write('of a merchant', new Date('2020-05-05T05:05:05Z'), 'mer_1');
    const list = async (filter: Partial<AuditFilter>) =>
      (await listAudit(database().db, { ...NO_FILTER, ...filter })).map(({ position }) => position);
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
