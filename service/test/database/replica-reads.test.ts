import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { startTestService } from '../support/service/service.ts';

const PAYER = { name: 'Ada Tremblay', email: 'ada@example.com' };
const START = new Date('2026-03-01T12:00:00.000Z');

/** Replicas that can never serve, each with the reason in the log. */
const UNUSABLE = [
  // The same text as DATABASE_URL refuses the start: here the primary has another spelling.
  ['is no replica', (url: string) => `${url}?application_name=lists`, 'it is no replica'],
  ['does not answer', () => 'postgres://nobody@127.0.0.1:1/none', 'it does not answer'],
] as const;

describe('DATABASE_REPLICA_URL', () => {
  for (const [title, replicaOf, reason] of UNUSABLE) {
    it(`leaves lists and reports to the database when the server ${title}, and logs it once`, async () => {
      const database = await createTestDatabase('sandbox', START);
      const settings = { DATABASE_REPLICA_URL: replicaOf(database.url) };
      const service = await startTestService({ database, settings, start: START });
      try {
        const { headers } = await service.createMerchant();
        const body = { amount: 10, type: 'ECOMM', payer: PAYER };
        const { json } = await service.call('POST', '/v1/payment-requests', { headers, body });
        const paths = ['payment-requests', 'refunds', 'reports/reconciliation?date=2026-02-01'];
        for (const path of paths) {
          const answer = await service.call('GET', `/v1/${path}`, { headers });
          assert.equal(answer.status, 200, path);
          assert.equal(answer.headers.get('x-replica-lag'), null, path);
        }
        const list = await service.call('GET', '/v1/payment-requests', { headers });
        assert.equal(list.json.data[0].id, json.id);
        const told = service.logLines.filter(({ msg }) => msg === 'the replica is not used');
        assert.deepEqual(
          told.map((line) => line.reason),
          [reason],
        );
        assert.deepEqual(told[0]?.settings, ['DATABASE_REPLICA_URL']);
      } finally {
        await service.stop();
      }
    });
  }
});
