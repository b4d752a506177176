import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { refundCase } from '#cases/refund-case.ts';
import { readConfig } from '../../src/config.ts';
import { createFakeNetwork, success } from '../support/payment-requests/fake-network.ts';
import { startProduction } from '../support/service/production.ts';

it('is refused with the way out, and stays open, where the network gives no money back', async () => {
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
    const { clock } = production.service;
    const deps = { db: database.db, clock, settings: readConfig(env), actor: 'test' };
    const refund = { movement: null, note: null };
    await assert.rejects(
      refundCase({ ...deps, canRefund: false }, found?.id ?? '', refund),
      /cannot give money back: give it back at the bank/,
    );
    assert.equal((await stored())[0]?.closed, false);
    assert.deepEqual(await database.sql('SELECT id FROM refunds'), []);
  } finally {
    await production.stop();
    await rm(folder, { recursive: true });
  }
});
