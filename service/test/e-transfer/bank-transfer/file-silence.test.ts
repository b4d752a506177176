import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { workingDaysBetween } from '#e-transfer/bank-transfer/reconciliation/file-silence.ts';
import { runCli } from '../../commands/run-cli.ts';
import { eventually } from '../../support/eventually.ts';
import { type Production, startProduction } from '../../support/service/production.ts';

const DAY_SECONDS = 86_400;

describe('readiness, for statements that stay away', () => {
  let folder: string;
  let production: Production;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bank-files-'));
    production = await startProduction({
      // A Monday.
      start: new Date('2026-03-02T12:00:00.000Z'),
      settings: { E_TRANSFER_NETWORK: 'bank-transfer', CURRENCY: 'EUR', BANK_FILES_DIR: folder },
    });
    const account = ['--holder', 'Harbour Books', '--iban', 'DE89370400440532013000'];
    const { merchantId } = production.merchant;
    const { env } = production.service;
    await runCli(['merchant', 'set-account', '--merchant', merchantId, ...account], env);
  });
  after(async () => {
    await production?.stop();
    rmSync(folder, { recursive: true });
  });

  async function warnings(): Promise<readonly string[]> {
    const answer = await fetch(`${production.service.opsUrl}/health/ready`);
    return ((await answer.json()) as { warnings?: string[] }).warnings ?? [];
  }

  it('warns after two working days without a file, once a payer has seen an account', async () => {
    const { service } = production;
    await service.advance(7 * DAY_SECONDS);
    const { shortCode } = await production.createLink();
    await fetch(`${service.url}/pay/${shortCode}`, {
      redirect: 'manual',
      headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    });
    // Monday to Wednesday: only Tuesday has passed as a whole.
    await service.advance(2 * DAY_SECONDS);
    assert.deepEqual(await warnings(), []);
    await service.advance(DAY_SECONDS);
    await eventually(async () => (await warnings()).length === 1);
    assert.match((await warnings())[0] ?? '', /No bank statement has come for two working days/);
    assert.ok(
      service.logLines.some(({ msg }) => msg === 'bank statements: no file for two working days'),
    );
    await service.database.sql(
      `INSERT INTO bank_files (id, sha256, size_bytes, state, kind)
       VALUES (gen_random_uuid(), sha256('x'), 1, 'COMPLETE', 'camt.053')`,
    );
    await service.advance(1);
    await eventually(async () => (await warnings()).length === 0);
  });
});

describe('working days', () => {
  it('are whole days without Saturdays and Sundays', () => {
    const between = (since: string, now: string) =>
      workingDaysBetween(new Date(since), new Date(now));
    assert.equal(between('2026-03-02T23:00:00Z', '2026-03-03T23:00:00Z'), 0);
    assert.equal(between('2026-03-02T01:00:00Z', '2026-03-04T01:00:00Z'), 1);
    // Friday to Tuesday: Monday alone.
    assert.equal(between('2026-03-06T12:00:00Z', '2026-03-10T12:00:00Z'), 1);
    assert.equal(between('2026-03-06T12:00:00Z', '2026-03-11T12:00:00Z'), 2);
    assert.equal(between('2026-03-06T12:00:00Z', '2026-03-01T12:00:00Z'), 0);
  });
});
