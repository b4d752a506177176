import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import { createFakeNetwork, success } from '../support/payment-requests/fake-network.ts';
import { startProduction } from '../support/service/production.ts';

it('is refused with the way out, and stays open, where the currency has no refunds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bank-files-'));
  const network = createFakeNetwork();
  const production = await startProduction({
    makeNetwork: network.make,
    roles: ['api'],
    settings: { E_TRANSFER_NETWORK: 'bank-transfer', CURRENCY: 'CHF', BANK_FILES_DIR: folder },
  });
  try {
    const { database, env } = production.service;
    const { id } = await production.createLink();
    for (const networkReference of ['FIRST', 'SECOND']) {
      const outcome = { ...success({ networkReference }), currency: 'CHF' };
      await network.listener.report({ paymentRequestId: id, outcome, isRevocable: false });
    }
    const stored = () =>
      database.sql<{ id: string; closed: boolean }>(
        `SELECT id, closed_at IS NOT NULL AS closed FROM operator_cases
         WHERE kind = 'SECOND_PAYMENT'`,
      );
    const [found] = await stored();
    const ran = await runCli(['cases', 'refund', found?.id ?? ''], env);
    assert.equal(ran.exitCode, 1, ran.stdout);
    assert.match(ran.stderr, /cannot give money back: give it back at the bank/);
    assert.equal((await stored())[0]?.closed, false);
    assert.deepEqual(await database.sql('SELECT id FROM refunds'), []);
  } finally {
    await production.stop();
    await rm(folder, { recursive: true });
  }
});
