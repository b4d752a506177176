import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { sumDays } from '#ledger/day-sums/sum-days.ts';
import { systemClock } from '#lib/clock.ts';
import { setLimits } from '#merchants/set-limits.ts';
import { resumeMerchant, suspendMerchant } from '#merchants/suspend-merchant.ts';
import { BOOK_CHECKS } from '../../../src/commands/doctor/consistency/book-checks.ts';
import { CHECKS } from '../../../src/commands/doctor/run-checks.ts';
import { readConfig } from '../../../src/config.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { paymentRequestCalls } from '../../support/payment-requests/payment-requests.ts';
import { createPaid, refundCalls } from '../../support/refunds/refund-calls.ts';
import {
  onceConnected,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';

const ROOT = new URL('../../../../', import.meta.url);

/** Every walk meets rows of each kind that change meanwhile. */
const RUNS = 4;
const WORKERS = 3;

describe('payreq doctor, beside a busy service', () => {
  let service: TestService;
  let merchant: TestMerchant;
  before(async () => {
    // The clocks run, so that steps fall due and instants differ.
    const database = await createTestDatabase('sandbox');
    service = await startTestService({ database, hostClock: systemClock });
    merchant = await service.createMerchant();
  });
  after(() => service.stop());

  /** Creates, pays, refunds, updates, cancels and expires, one after the other. */
  async function workOnce(): Promise<void> {
    const calls = paymentRequestCalls(service, merchant);
    const { refund } = refundCalls(service, merchant);
    const paid = await createPaid(service, merchant);
    const half = { amount: 6.17, merchantRefundId: randomUUID() };
    assert.equal((await refund(paid, half)).status, 201);
    const updated = (await calls.create()).json.id;
    await calls.update(updated, { invoiceNumber: 'INV-1' });
    await calls.cancel(updated);
    const late = (await calls.create()).json.id;
    await calls.simulate(late, { outcome: 'EXPIRED' });
    await calls.simulate(late, { outcome: 'PAID' });
    await calls.create({ payer: { name: 'depositSubmit:0', email: 'ada@example.com' } });
  }

  async function changeSettings(): Promise<void> {
    const deps = { db: service.database.db, clock: systemClock, actor: 'test' };
    const { merchantId } = await service.createMerchant();
    await setLimits(deps, merchantId, 1_000);
    await suspendMerchant(deps, merchantId);
    await resumeMerchant(deps, merchantId);
    await sumDays({ db: service.database.db, rows: 7 });
  }

  async function hasSums(): Promise<boolean> {
    return (await service.database.sql('SELECT FROM ledger_day_sums LIMIT 1')).length > 0;
  }

  it('takes no payment that arrives meanwhile for a fault', async () => {
    const { db } = service.database;
    const config = readConfig(service.env);
    // These two measure the machine.
    const checks = Object.entries(CHECKS).filter(([name]) => !['database', 'clock'].includes(name));
    let isOver = false;
    const repeat = async (work: () => Promise<void>) => {
      while (!isOver) await work();
    };
    const load = Promise.all([
      ...Array.from({ length: WORKERS }, () => repeat(workOnce)),
      repeat(changeSettings),
    ]);
    try {
      // Sums follow the oldest transaction of the database server, also of other databases.
      await eventually(hasSums, 'a sum of a day');
      for (let turn = 0; turn < RUNS; turn += 1) {
        for (const [name, run] of checks) {
          const deps = { ...config, db, clock: systemClock, showProgress() {} };
          const { ok, message } = await onceConnected(() => run(deps));
          assert.equal(ok, true, `${name}: ${message}`);
        }
      }
    } finally {
      isOver = true;
      await load;
    }
    const refunds = await service.database.sql('SELECT FROM refunds LIMIT 1');
    assert.equal(refunds.length, 1, 'the load wrote refunds, which doctor compares');
  });

  it('finds no wrong sum of a day after the statement of its page', async () => {
    const { db, sql } = service.database;
    const check = () => BOOK_CHECKS['day sums'](deps);
    const deps = { ...readConfig(service.env), db, clock: systemClock, showProgress() {} };
    await sql('UPDATE ledger_day_sums SET amount_cents = amount_cents + 1');
    assert.match((await check()).message, /The sums of days differ/);
    const page = readFileSync(new URL('docs/operations/doctor.md', ROOT), 'utf8');
    await sql(/```sql\n([^`]+)```/.exec(page)?.[1] ?? '');
    while (await sumDays({ db }));
    const { ok, message } = await check();
    assert.equal(ok, true, message);
    assert.match(message, /^Each of [1-9]/);
  });
});
