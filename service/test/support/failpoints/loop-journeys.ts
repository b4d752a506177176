import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import { agePaymentRequest } from '../payment-requests/age.ts';
import { countEvents, createPaid, replayOfAll } from './call-journeys.ts';
import { pruned } from './check-books.ts';
import { aroundLonger, aroundOwn, type Journey } from './journey.ts';
import { createOne, newKey, type Trial } from './trial.ts';

const readStatus = async (trial: Trial, id: string): Promise<string> =>
  (await trial.call('GET', `/payment-requests/${id}`)).json.status;

/** The ids of the events of a payment request. */
async function eventsOf({ database }: Trial, id: string): Promise<string[]> {
  const rows = await database.sql<{ id: string }>(
    'SELECT id FROM webhook_events WHERE payment_request_id = $1',
    [id],
  );
  return rows.map((row) => row.id);
}

export const STEP: Journey<string> = {
  title: 'a simulated step that pays',
  role: 'background',
  failpoints: [
    ...aroundOwn('sandbox-step-claim', 'sandbox-step-mark-done'),
    ...aroundLonger('payment-request-save-moves', 'webhook-enqueue', 'ledger-insert'),
  ],
  async prepare(trial) {
    const id = await createOne(trial, 'depositSubmit:0');
    await eventually(async () => {
      const due = await trial.database.sql(
        'SELECT FROM sandbox_steps WHERE payment_request_id = $1 AND due_at <= now()',
        [id],
      );
      return due.length === 1;
    }, 'the time of the step');
    return id;
  },
  finish: async () => {},
  async check(trial, id) {
    assert.equal(await readStatus(trial, id), 'PAID');
    assert.equal(await countEvents(trial, id), 1);
  },
};

export const DELIVERY: Journey<string> = {
  title: 'the delivery of a webhook',
  role: 'background',
  failpoints: [
    ...aroundOwn('webhook-delivery-claim', 'webhook-delivery-record'),
    'webhook-answered',
  ],
  async prepare(trial) {
    const id = await createOne(trial, 'Ada Payer');
    await trial.call('POST', `/payment-requests/${id}/cancellation`);
    return id;
  },
  finish: async () => {},
  async check(trial, id, failpoint) {
    const [event = '', ...others] = await eventsOf(trial, id);
    assert.equal(others.length, 0);
    const isUnknown = ['webhook-answered', 'before/webhook-delivery-record'].includes(failpoint);
    // After the record nothing is sent again; before it nobody can know that it was received.
    assert.equal(trial.received.counts.get(event), isUnknown ? 2 : 1);
  },
};

export const REFUND_STEPS: Journey<string> = {
  title: 'the steps of a refund',
  role: 'background',
  failpoints: [
    ...aroundOwn('refund-claim'),
    ...aroundLonger('refund-save-moves', 'webhook-enqueue', 'ledger-insert'),
  ],
  async prepare(trial) {
    const id = await createPaid(trial);
    const key = newKey();
    const body = { merchantRefundId: key, amount: 2.34, message: 'refundSlow:0' };
    const refund = await trial.call('POST', `/payment-requests/${id}/refunds`, { key, body });
    assert.equal(refund.status, 201, refund.text);
    return refund.json.id;
  },
  finish: async () => {},
  async check(trial, id) {
    const { json } = await trial.call('GET', `/refunds/${id}`);
    assert.equal(json.status, 'COMPLETED');
  },
};

export const EXPIRY: Journey<string> = {
  title: 'an expiry',
  role: 'background',
  failpoints: aroundLonger(
    'payment-request-lock-due-to-expire',
    'payment-request-save-moves',
    'webhook-enqueue',
  ),
  async prepare(trial) {
    const id = await createOne(trial, 'Ada Payer');
    await trial.database.sql('UPDATE payment_requests SET expires_at = now() WHERE id = $1', [id]);
    return id;
  },
  finish: async () => {},
  async check(trial, id) {
    assert.equal(await readStatus(trial, id), 'EXPIRED');
    assert.equal(await countEvents(trial, id), 1);
  },
};

export const REPLAY_STEP: Journey<{ readonly id: string; readonly before: Map<string, number> }> = {
  title: 'a step of a replay',
  role: 'background',
  failpoints: aroundLonger('webhook-replay-step'),
  async prepare(trial) {
    const { endpoint, body, paymentRequestId } = await replayOfAll(trial);
    const answer = await trial.call('POST', `/webhook-endpoints/${endpoint}/replay`, { body });
    assert.equal(answer.status, 202, answer.text);
    return { id: paymentRequestId, before: new Map(trial.received.counts) };
  },
  finish: async () => {},
  async check({ database, received }, { before }) {
    for (const [event, count] of before) {
      assert.ok((received.counts.get(event) ?? 0) > count, `event ${event} came again`);
    }
    const [replay] = await database.sql<{ examined: number; events: number }>(
      `SELECT examined::int, (SELECT count(*)::int FROM webhook_events) AS events
       FROM webhook_replays ORDER BY created_at DESC LIMIT 1`,
    );
    assert.equal(replay?.examined, replay?.events);
  },
};

export const PRUNING: Journey<{ readonly old: string; readonly young: string }> = {
  title: 'the deletion of old events and answers',
  role: 'background',
  failpoints: aroundOwn('webhook-retention-prune-events', 'idempotency-prune'),
  async prepare(trial) {
    await trial.startBackground();
    const [old, young] = [await createPaid(trial), await createPaid(trial)];
    const [oldEvent = '', youngEvent = ''] = [
      ...(await eventsOf(trial, old)),
      ...(await eventsOf(trial, young)),
    ];
    const { sql } = trial.database;
    await eventually(async () => {
      const pending = await sql(`SELECT FROM webhook_deliveries WHERE status = 'PENDING'`);
      return pending.length === 0;
    }, 'all delivered');
    await trial.stopBackground();
    pruned(trial).add(oldEvent);
    await sql(`UPDATE webhook_events SET created_at = now() - interval '91 days' WHERE id = $1`, [
      oldEvent,
    ]);
    await agePaymentRequest(trial.database, old, 91);
    await sql(
      `UPDATE idempotency_answers SET created_at = now() - interval '73 hours' WHERE body LIKE $1`,
      [`%${old}%`],
    );
    return { old: oldEvent, young: youngEvent };
  },
  async finish({ database }, { old }) {
    await eventually(async () => {
      const left = await database.sql(
        `SELECT id::text FROM webhook_events WHERE id = $1
         UNION ALL SELECT key FROM idempotency_answers WHERE created_at < now() - interval '72 hours'`,
        [old],
      );
      return left.length === 0;
    }, 'the deletion');
  },
  async check({ database, received }, { old, young }) {
    const kept = await database.sql('SELECT FROM webhook_events WHERE id = $1', [young]);
    assert.equal(kept.length, 1);
    assert.deepEqual([received.counts.get(old), received.counts.get(young)], [1, 1]);
  },
};

export const LOOP_JOURNEYS = [STEP, DELIVERY, REFUND_STEPS, EXPIRY, REPLAY_STEP, PRUNING] as const;
