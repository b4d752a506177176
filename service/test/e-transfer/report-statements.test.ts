import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Database } from '#database/database.ts';
import { createReportBatcher } from '#payment-requests/network/apply-report.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import { createLog } from '#telemetry/log/log.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { TEST_DEPLOYMENT } from '../support/metric-samples.ts';
import { success } from '../support/payment-requests/fake-network.ts';
import { PUBLIC_SETTINGS } from '../support/payment-requests/payment-requests.ts';
import { type Production, startProduction } from '../support/service/production.ts';

let production: Production;
let statements: string[] = [];

before(async () => {
  // Without loops: only this test changes a status.
  production = await startProduction({ roles: ['api'] });
});
after(() => production.stop());

/** The database, with the name of every statement noted. */
function counting(db: Database): Database {
  statements = [];
  return {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          query(statement, values) {
            statements.push(statement.name);
            return tx.query(statement, values);
          },
        }),
      ),
  };
}

function reportTo(
  db: Database,
  publishing: Pick<ChangeStatusDeps, 'onStatusChanged' | 'onCaseOpened'> = {
    onStatusChanged() {},
    onCaseOpened() {},
  },
) {
  return createReportBatcher({
    db: counting(db),
    clock: production.service.clock,
    settings: PUBLIC_SETTINGS,
    wakeSenders() {},
    ...publishing,
    log: createLog({ level: 'silent' as 'error' }),
    metrics: createMetrics(TEST_DEPLOYMENT),
    currency: 'CAD',
  });
}

describe('reports of the network that come together', () => {
  for (const count of [1, 20]) {
    it(`make ${count} requests PAID in as many statements as one`, async () => {
      const links = await Promise.all(Array.from({ length: count }, () => production.createLink()));
      const report = reportTo(production.service.database.db);
      const verdicts = await Promise.all(
        links.map(({ id: paymentRequestId }) =>
          report({
            paymentRequestId,
            outcome: success({ networkReference: `REF ${paymentRequestId}` }),
            isRevocable: true,
          }),
        ),
      );
      assert.deepEqual(new Set(verdicts), new Set(['TAKEN']));
      assert.deepEqual(statements, [
        'payment-request-lock-free',
        'payment-request-find-many',
        'network-reference-lock',
        'network-reference-find-movements',
        'merchant-find-suspended',
        'payment-request-save-moves',
        'webhook-enqueue',
        'ledger-insert',
      ]);
    });
  }

  it('write nothing when they repeat a status', async () => {
    const { id: paymentRequestId } = await production.createLink();
    const report = reportTo(production.service.database.db);
    const outcome = success({ networkReference: `REF ${paymentRequestId}` });
    await report({ paymentRequestId, outcome, isRevocable: false });
    statements.length = 0;
    assert.equal(await report({ paymentRequestId, outcome, isRevocable: false }), 'TAKEN');
    assert.deepEqual(statements, [
      'payment-request-lock-free',
      'payment-request-find-many',
      'network-reference-lock',
      'network-reference-find-movements',
    ]);
  });

  it('are written once and alert once when a notification after the commit fails', async () => {
    const [paid, held] = await Promise.all([production.createLink(), production.createLink()]);
    const alerts: unknown[] = [];
    const report = reportTo(production.service.database.db, {
      onStatusChanged() {
        throw new Error('a waiter failed');
      },
      onCaseOpened: ({ kind }) => alerts.push(kind),
    });
    const money = (id: string, changes = {}) =>
      report({
        paymentRequestId: id,
        outcome: success({ networkReference: `REF ${id}`, ...changes }),
        isRevocable: false,
      });
    const verdicts = await Promise.all([money(paid.id), money(held.id, { amountCents: 1 })]);
    assert.deepEqual(verdicts, ['TAKEN', 'NOT_TAKEN']);
    assert.deepEqual(alerts, ['AMOUNT_MISMATCH']);
    const applied = statements.filter((name) => name === 'payment-request-lock-free');
    assert.equal(applied.length, 1);
  });
});
