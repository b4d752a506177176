import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import { aroundLonger, isCommitted, type Journey } from './journey.ts';
import { bodyOf, createOne, newKey, type Trial } from './trial.ts';

interface Asked {
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
}

const send = (trial: Trial, at: string | undefined, { key, path, body }: Asked) =>
  trial.call('POST', path, { key, body, ...(at && { at }) });

/** Repeats a call: it is done once, and each repetition has the same answer. */
async function repeat(trial: Trial, asked: Asked, isDone: boolean): Promise<string> {
  const first = await send(trial, undefined, asked);
  assert.equal(first.status, 201, first.text);
  const replayed = first.headers.get('idempotency-replayed');
  assert.equal(replayed, isDone ? 'true' : null, 'a committed call is answered from its key');
  const second = await send(trial, undefined, asked);
  assert.deepEqual([second.status, second.text], [201, first.text]);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  return first.json.id;
}

const statusesOf = async (trial: Trial, id: string): Promise<string[]> => {
  const { json } = await trial.call('GET', `/payment-requests/${id}`);
  return json.events.map(({ status }: { status: string }) => status);
};

/** In the sandbox the name plans steps, so that the creation is a transaction of two statements. */
export const CREATION: Journey<Asked> = {
  title: 'the creation of a payment request with steps',
  role: 'api',
  failpoints: [
    ...aroundLonger('payment-request-insert-with-keys', 'sandbox-step-insert'),
    'answer-ready',
  ],
  prepare: async () => ({
    key: newKey(),
    path: '/payment-requests',
    body: bodyOf('depositSubmit:0'),
  }),
  call: send,
  async finish(trial, asked, failpoint) {
    const id = await repeat(trial, asked, isCommitted(failpoint));
    trial.created.set(asked.key, id);
  },
  async check(trial, { key }) {
    const statuses = await statusesOf(trial, trial.created.get(key) ?? '');
    assert.equal(statuses.at(-1), 'PAID');
  },
};

export const LONE_CREATION: Journey<Asked> = {
  ...CREATION,
  title: 'the creation of a payment request in one statement',
  failpoints: [
    'before/payment-request-insert-with-keys',
    'after/payment-request-insert-with-keys',
    'answer-ready',
  ],
  prepare: async () => ({
    key: newKey(),
    path: '/payment-requests',
    body: bodyOf('Ada Payer'),
  }),
  async finish(trial, asked, failpoint) {
    const id = await repeat(trial, asked, !failpoint.startsWith('before/'));
    trial.created.set(asked.key, id);
  },
  check: async () => {},
};

export const CANCELLATION: Journey<string> = {
  title: 'the cancellation of a payment request',
  role: 'api',
  failpoints: aroundLonger('payment-request-save-moves', 'webhook-enqueue'),
  prepare: (trial) => createOne(trial, 'Ada Payer'),
  call: (trial, at, id) => trial.call('POST', `/payment-requests/${id}/cancellation`, { at }),
  async finish(trial, id, failpoint) {
    const before = await statusesOf(trial, id);
    assert.equal(before.at(-1), isCommitted(failpoint) ? 'CANCELLED' : 'CREATED');
    const again = await trial.call('POST', `/payment-requests/${id}/cancellation`);
    assert.equal(again.json.status, 'CANCELLED', again.text);
    assert.deepEqual(await statusesOf(trial, id), ['CREATED', 'CANCELLED']);
    assert.equal(await countEvents(trial, id), 1);
  },
};

export const SIMULATION: Journey<string> = {
  title: 'the simulated payment of a payment request',
  role: 'api',
  failpoints: aroundLonger('ledger-insert'),
  prepare: (trial) => createOne(trial, 'Ada Payer'),
  call: (trial, at, id) => simulate(trial, id, at),
  async finish(trial, id, failpoint) {
    const isPaid = (await statusesOf(trial, id)).at(-1) === 'PAID';
    assert.equal(isPaid, isCommitted(failpoint));
    if (!isPaid) assert.equal((await simulate(trial, id)).json.status, 'PAID');
    assert.equal(await countEvents(trial, id), 1);
  },
};

export const REFUND: Journey<Asked> = {
  title: 'the creation of a refund',
  role: 'api',
  failpoints: [...aroundLonger('refund-insert', 'idempotency-insert-many'), 'answer-ready'],
  async prepare(trial) {
    const id = await createPaid(trial);
    return {
      key: newKey(),
      path: `/payment-requests/${id}/refunds`,
      body: { merchantRefundId: newKey(), amount: 2.34, message: 'refundSlow:0' },
    };
  },
  call: send,
  finish: async (trial, asked, failpoint) => {
    await repeat(trial, asked, isCommitted(failpoint));
  },
  async check(trial, { path }) {
    const { json } = await trial.call('GET', path);
    assert.deepEqual(
      json.data.map(({ status }: { status: string }) => status),
      ['COMPLETED'],
    );
  },
};

export const REPLAY_START: Journey<{ readonly endpoint: string; readonly body: object }> = {
  title: 'the start of a replay',
  role: 'api',
  failpoints: aroundLonger('webhook-replay-insert'),
  prepare: replayOfAll,
  call: (trial, at, { endpoint, body }) =>
    trial.call('POST', `/webhook-endpoints/${endpoint}/replay`, { at, body }),
  async finish(trial, { endpoint, body }, failpoint) {
    const rows = () =>
      trial.database.sql('SELECT FROM webhook_replays WHERE endpoint_id = $1', [endpoint]);
    const before = (await rows()).length;
    assert.equal(before > (starts.get(trial) ?? 0), isCommitted(failpoint));
    await eventually(async () => {
      const again = await trial.call('POST', `/webhook-endpoints/${endpoint}/replay`, { body });
      return again.status === 202;
    }, 'the end of the replay before');
    starts.set(trial, (await rows()).length);
  },
};

/** The replays of each trial so far. */
const starts = new WeakMap<Trial, number>();

export async function replayOfAll(trial: Trial) {
  const id = await createOne(trial, 'Ada Payer');
  await simulate(trial, id);
  const [endpoint] = await trial.database.sql<{ id: string }>('SELECT id FROM webhook_endpoints');
  const to = new Date(Date.now() + 60_000).toISOString();
  const body = { from: '2026-01-01T00:00:00Z', to, only: 'all' };
  return { endpoint: endpoint?.id ?? '', body, paymentRequestId: id };
}

export async function createPaid(trial: Trial): Promise<string> {
  const id = await createOne(trial, 'Ada Payer');
  const paid = await simulate(trial, id);
  assert.equal(paid.json.status, 'PAID', paid.text);
  return id;
}

function simulate(trial: Trial, id: string, at?: string) {
  const body = { outcome: 'PAID' };
  return trial.call('POST', `/sandbox/payment-requests/${id}/simulations`, {
    body,
    ...(at && { at }),
  });
}

export async function countEvents({ database }: Trial, paymentRequestId: string): Promise<number> {
  const rows = await database.sql('SELECT FROM webhook_events WHERE payment_request_id = $1', [
    paymentRequestId,
  ]);
  return rows.length;
}

export const CALL_JOURNEYS = [
  CREATION,
  LONE_CREATION,
  CANCELLATION,
  SIMULATION,
  REFUND,
  REPLAY_START,
] as const;
