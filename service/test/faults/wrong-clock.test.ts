import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createDatabaseClock } from '#lib/clock.ts';
import { eventually } from '../support/eventually.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { startServiceBeside } from '../support/service/service-beside.ts';

const HOUR_MS = 3_600_000;
const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };

let callers: TestService;
let skewed: TestService;
let merchant: TestMerchant;
/** How far the second process's host is ahead of the database. */
let aheadMs = 2 * HOUR_MS;

before(async () => {
  callers = await startTestService({ roles: ['api'] });
  merchant = await callers.createMerchant();
  skewed = await startServiceBeside(callers, {
    hostClock: createDatabaseClock({
      hostMs: () => callers.clock.now().getTime() + aheadMs,
      steadyMs: () => callers.clock.steadyMs(),
    }),
  });
});
after(async () => {
  await skewed?.stop();
  await callers?.stop();
});

const readiness = async () => {
  const response = await fetch(`${skewed.opsUrl}/health/ready`);
  const { reason } = (await response.json()) as { reason?: string };
  return { status: response.status, reason };
};
const statusOf = async (id: string) => {
  const rows = await callers.database.sql<{ status: string }>(
    'SELECT status FROM payment_requests WHERE id = $1',
    [id],
  );
  return rows[0]?.status;
};
const create = (at: TestService) =>
  at.call('POST', '/v1/payment-requests', { headers: merchant.headers, body: GOOD });
const ageMs = (created: { createdDateTime: string }) =>
  callers.clock.now().getTime() - Date.parse(created.createdDateTime);

describe('a process whose host’s clock is two hours ahead', () => {
  it('is not ready, says why, and shows the offset', async () => {
    const { status, reason } = await readiness();
    assert.equal(status, 503);
    assert.match(reason ?? '', /clock is 7200 s ahead of the database’s/);
    const metrics = await (await fetch(`${skewed.opsUrl}/metrics`)).text();
    const offset = Number(/^clock_offset_seconds(?:\{[^}]*\})? (\S+)$/m.exec(metrics)?.[1]);
    assert.ok(Math.abs(offset - 7_200) < 3, `${offset}`);
  });

  it('writes the database’s time', async () => {
    const { json } = await create(skewed);
    assert.ok(Math.abs(ageMs(json)) < 3_000, json.createdDateTime);
  });

  it('expires nothing, not even what has expired, until its clock is right', async () => {
    const { json: early } = await create(callers);
    const { json: late } = await create(callers);
    await callers.database.sql(
      "UPDATE payment_requests SET expires_at = created_at + interval '1 hour' WHERE id = $1",
      [early.id],
    );
    await callers.database.sql(
      `UPDATE payment_requests SET created_at = created_at - interval '2 hours',
         expires_at = created_at - interval '1 hour' WHERE id = $1`,
      [late.id],
    );
    // The loop that expires turns every second.
    await wait(2_500);
    assert.equal(await statusOf(early.id), 'CREATED');
    assert.equal(await statusOf(late.id), 'CREATED');
    aheadMs = 0;
    await eventually(async () => (await readiness()).status === 200, 'readiness');
    await eventually(async () => (await statusOf(late.id)) === 'EXPIRED', 'the expiry');
    assert.equal(await statusOf(early.id), 'CREATED');
  });

  it('is compared again within seconds when its clock takes a step', async () => {
    aheadMs = -HOUR_MS;
    await eventually(async () => /3600 s behind/.test((await readiness()).reason ?? ''));
    const { json } = await create(skewed);
    assert.ok(Math.abs(ageMs(json)) < 3_000, json.createdDateTime);
  });
});
