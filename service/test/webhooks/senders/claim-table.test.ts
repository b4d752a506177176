import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { claimDeliveries } from '#webhooks/sending/claim-store.ts';
import type { ClaimLimits } from '#webhooks/sending/concurrency-limits.ts';
import { type AttemptRecord, recordAttempts } from '#webhooks/sending/record-store.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../../support/webhooks/webhook-deliveries.ts';

const LIMITS: ClaimLimits = {
  most: 100,
  mostRetries: 100,
  mostPerOrigin: 8,
  mostPerMerchant: 100,
  fairPerOrigin: 100,
  mostPerMerchantOverShare: 100,
  mostOverShare: 100,
  sendingTo: new Map(),
  sendingAt: new Map(),
  sendingFor: new Map(),
};

let outbox: WebhookDeliveries;
let merchantId: string;
let origin: string;

before(async () => {
  outbox = await createWebhookDeliveries();
});
beforeEach(async () => {
  await outbox.database.sql('TRUNCATE webhook_events, webhook_destinations CASCADE');
  merchantId = (await outbox.addMerchant()).id;
  origin = `${merchantId} https://a.example`;
});
after(() => outbox.close());

const sql = (text: string, values?: unknown[]) => outbox.database.sql(text, values);
const claim = (limits: Partial<ClaimLimits> = {}) =>
  claimDeliveries(outbox.database.db, randomUUID(), 45, { ...LIMITS, ...limits });
const enqueue = (path: string, rest = {}) =>
  outbox.enqueue({ merchantId, webhookUrl: `https://a.example/${path}`, ...rest });

/** Seconds from now; null: not set. */
interface Trouble {
  readonly isSlow?: boolean;
  readonly probe?: number;
  readonly alone?: number;
}

/** Writes how a destination fails; `heldAt` makes it a URL whose deliveries wait for it. */
async function fail(destination: string, { isSlow = false, probe, alone }: Trouble, heldAt = '') {
  await sql(
    `INSERT INTO webhook_destinations (destination, is_slow, opened_at, next_probe_at, alone_until,
                                       origin, url, is_holding)
     VALUES ($1, $2, CASE WHEN $3::int IS NOT NULL THEN service_now() END,
             service_now() + make_interval(secs => $3), service_now() + make_interval(secs => $4),
             nullif($5, ''), nullif($5, ''), $5 <> '')`,
    [destination, isSlow, probe ?? null, alone ?? null, heldAt],
  );
}

async function keyOf(path: string): Promise<string> {
  const [row] = await sql('SELECT webhook_url_key($1, $2) AS key', [
    merchantId,
    `https://a.example/${path}`,
  ]);
  return String(row?.key);
}

/** A failing URL, with a delivery that waits under it. */
async function hold(path: string, trouble: Trouble) {
  await enqueue(path);
  const key = await keyOf(path);
  await sql('UPDATE webhook_deliveries SET destination = $1 WHERE url LIKE $2', [key, `%/${path}`]);
  await fail(key, trouble, origin);
}

const pathsOf = (rows: readonly { readonly url: string }[]) =>
  rows.map(({ url }) => new URL(url).pathname.slice(1)).toSorted();

describe('a destination in trouble', () => {
  const cases: readonly (readonly [string, Trouble, number, boolean])[] = [
    ['slow', { isSlow: true }, 1, false],
    ['slow, with nothing under way', { isSlow: true, alone: 0 }, 1, false],
    ['slow, with one under way', { isSlow: true, alone: 1 }, 0, false],
    ['probed, when its time has come', { probe: 0 }, 1, true],
    ['probed, before its time', { probe: 1 }, 0, true],
    ['probed, with one under way', { probe: 0, alone: 1 }, 0, true],
  ];
  for (const [what, trouble, count, isProbe] of cases) {
    it(`is sent ${count === 0 ? 'nothing' : 'one alone'}: ${what}`, async () => {
      await enqueue('1');
      await enqueue('2');
      await fail(origin, trouble);
      const claimed = await claim();
      assert.deepEqual(
        claimed.map((each) => [each.serialisedAt, each.isProbe, each.isHeld]),
        Array.from({ length: count }, () => [origin, isProbe, false]),
      );
    });
  }

  it('is probed with what is not due, too; a slow one is sent what is due', async () => {
    await enqueue('1');
    const wait = `UPDATE webhook_deliveries SET next_attempt_at = service_now() + interval '1 h'`;
    await sql(wait);
    await fail(origin, { isSlow: true });
    assert.deepEqual(await claim(), []);
    await sql('DELETE FROM webhook_destinations');
    await fail(origin, { probe: 0 });
    assert.equal((await claim()).length, 1);
  });

  it('is left alone by a sender that is sending to it', async () => {
    await enqueue('1');
    await fail(origin, { isSlow: true });
    assert.deepEqual(await claim({ sendingTo: new Map([[origin, 1]]) }), []);
    assert.equal((await claim()).length, 1);
  });

  it('that only failed once is sent all that is due', async () => {
    await enqueue('1');
    await enqueue('2');
    await fail(origin, {});
    const claimed = await claim();
    assert.deepEqual(
      claimed.map((each) => each.serialisedAt),
      [null, null],
    );
  });
});

describe('a failing URL', () => {
  it('of a well origin is probed when its time has come, and nothing of it is under way', async () => {
    await hold('now', { probe: 0 });
    await hold('free', { probe: 0, alone: 0 });
    await hold('later', { probe: 1 });
    await hold('busy', { probe: 0, alone: 1 });
    await enqueue('well');
    const claimed = await claim();
    assert.deepEqual(pathsOf(claimed), ['free', 'now', 'well']);
    assert.deepEqual(
      claimed.filter(({ isProbe }) => isProbe).map(({ serialisedAt }) => serialisedAt),
      await Promise.all(
        claimed.filter(({ isProbe }) => isProbe).map(({ url }) => keyOf(url.slice(18))),
      ),
    );
  });

  it('of a well origin without other deliveries is probed, and counts as a retry', async () => {
    await hold('now', { probe: 0 });
    assert.deepEqual(pathsOf(await claim({ mostRetries: 0 })), []);
    assert.deepEqual(pathsOf(await claim()), ['now']);
  });

  it('of a well origin goes first where the origin has one slot', async () => {
    await enqueue('well');
    await hold('now', { probe: 0 });
    assert.deepEqual(pathsOf(await claim({ mostPerOrigin: 1 })), ['now']);
  });

  it('of a slow origin waits for its own time; a probed origin takes any', async () => {
    await hold('later', { probe: 60 });
    await fail(origin, { isSlow: true });
    assert.deepEqual(await claim(), []);
    await sql('UPDATE webhook_destinations SET next_probe_at = service_now() WHERE is_holding');
    const [slow] = await claim();
    assert.deepEqual([slow?.serialisedAt, slow?.isProbe], [origin, true]);
    await sql('TRUNCATE webhook_events, webhook_destinations CASCADE');
    await hold('later', { probe: 60 });
    await fail(origin, { probe: 0 });
    assert.deepEqual(pathsOf(await claim()), ['later']);
  });

  it('of an origin beside others is sent alone, after what was never tried', async () => {
    await hold('held', { probe: 0 });
    await enqueue('new');
    await fail(origin, { probe: 0 });
    assert.deepEqual(pathsOf(await claim()), ['new']);
  });

  it('holds a delivery that still waits under its origin', async () => {
    const isHeld = async () => (await claim()).map((each) => each.isHeld);
    await enqueue('1');
    await fail(await keyOf('1'), { probe: 60 });
    assert.deepEqual(await isHeld(), [true]);
    await sql('UPDATE webhook_deliveries SET lease_token = NULL, leased_until = NULL');
    await sql('UPDATE webhook_destinations SET opened_at = NULL, next_probe_at = NULL');
    assert.deepEqual(await isHeld(), [false]);
    await sql('UPDATE webhook_deliveries SET lease_token = NULL, leased_until = NULL');
    await fail(origin, { probe: 0 });
    assert.deepEqual(await isHeld(), [true]);
  });
});

describe('a claimed delivery', () => {
  const release = () =>
    sql('UPDATE webhook_deliveries SET lease_token = NULL, leased_until = NULL');

  it('has the key of its own URL, and none for an endpoint', async () => {
    await enqueue('1');
    assert.equal((await claim())[0]?.urlKey, await keyOf('1'));
    await outbox.addEndpoint(merchantId, 'https://b.example/');
    await outbox.enqueue({ merchantId });
    const [claimed] = await claim();
    assert.deepEqual([claimed?.urlKey, claimed?.origin], [null, `${merchantId} https://b.example`]);
  });

  it('says whether its payer was erased', async () => {
    await enqueue('1');
    assert.equal((await claim())[0]?.isErased, false);
    await release();
    await sql('UPDATE webhook_events SET erased_at = service_now()');
    assert.equal((await claim())[0]?.isErased, true);
  });

  it('misbehaves until the listener has met it', async () => {
    const attempt = (outcome: string, status: number | null) =>
      sql(
        `INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration_ms, outcome,
                                       http_status)
         SELECT id, (SELECT count(*) FROM webhook_attempts), service_now(), 1, $1, $2
         FROM webhook_deliveries`,
        [outcome, status],
      );
    const misbehaviour = async () => {
      await release();
      return (await claim())[0]?.misbehaviour;
    };
    await enqueue('1');
    assert.equal(await misbehaviour(), null);
    await sql(`UPDATE webhook_events SET misbehaviour = 'BAD_SIGNATURE'`);
    assert.equal(await misbehaviour(), 'BAD_SIGNATURE');
    await attempt('TIMEOUT', null);
    assert.equal(await misbehaviour(), 'BAD_SIGNATURE');
    await attempt('HTTP_STATUS', 401);
    assert.equal(await misbehaviour(), null);
    await sql(`UPDATE webhook_events SET misbehaviour = 'DUPLICATE'`);
    assert.equal(await misbehaviour(), 'DUPLICATE');
    await attempt('SUCCEEDED', 200);
    assert.equal(await misbehaviour(), null);
  });

  it('is signed by the secrets of its endpoint or merchant, the older one until its end', async () => {
    const endpoint = await outbox.addEndpoint(merchantId, 'https://b.example/');
    await enqueue('1');
    await sql(`DELETE FROM webhook_deliveries WHERE endpoint_id IS NOT NULL`);
    await outbox.enqueue({ merchantId });
    for (const [seconds, count] of [
      [1, 2],
      [0, 1],
    ] as const) {
      await outbox.addPreviousSecret(endpoint.id, 'older', seconds);
      await sql(
        `UPDATE merchants SET previous_signing_secret_encrypted = signing_secret_encrypted,
           previous_signing_secret_until = service_now() + make_interval(secs => $2)
         WHERE id = $1`,
        [merchantId, seconds],
      );
      await release();
      const claimed = await claim();
      assert.deepEqual(
        claimed.map(({ sealedSecrets }) => sealedSecrets.split(' ').length - 1),
        [count, count],
      );
      const [own, ofEndpoint] = ['merchants', 'webhook_endpoints'].map((table) =>
        sql(`SELECT signing_secret_encrypted::text AS secret FROM ${table} WHERE id::text = $1`, [
          table === 'merchants' ? merchantId : endpoint.id,
        ]),
      );
      for (const { endpointId, sealedSecrets } of claimed) {
        const [row] = (await (endpointId === null ? own : ofEndpoint)) ?? [];
        assert.equal(sealedSecrets.split(' ')[1], row?.secret);
      }
    }
  });
});

describe('the events of a payment request', () => {
  it('wait for an earlier one that is not over, but for one without a place in the order', async () => {
    const paymentRequestId = await enqueue('1', { sequence: 1 });
    await sql('UPDATE webhook_deliveries SET sequence = 0');
    for (const sequence of [2, 3]) await enqueue('1', { paymentRequestId, sequence });
    const sequences = async () => (await claim()).map(({ sequence }) => sequence).toSorted();
    assert.deepEqual(await sequences(), [0, 2]);
    assert.deepEqual(await sequences(), []);
    await sql(
      `UPDATE webhook_deliveries SET status = 'SUCCEEDED', next_attempt_at = NULL,
         completed_at = service_now(), lease_token = NULL, leased_until = NULL WHERE sequence = 2`,
    );
    assert.deepEqual(await sequences(), [3]);
  });
});

describe('a recorded attempt', () => {
  const recordOf = (id: string, leaseToken: string): AttemptRecord => ({
    id,
    leaseToken,
    nextStatus: 'SUCCEEDED',
    delaySeconds: null,
    pauseEndpoint: false,
    startedAt: new Date('2026-03-01T12:00:00Z'),
    durationMs: 12,
    times: {},
    outcome: 'SUCCEEDED',
    httpStatus: 200,
    responseBody: null,
    address: null,
    isProbe: false,
  });
  const record = async (changes: Partial<AttemptRecord> = {}) => {
    const claimed = await claim({ most: 1 });
    const records = claimed.map(({ id, leaseToken }) => ({
      ...recordOf(id, leaseToken),
      ...changes,
    }));
    const [written] = await recordAttempts(outbox.database.db, records);
    assert.ok(written);
    return written;
  };

  it('tells that a later event of its payment request waited for it', async () => {
    const paymentRequestId = await enqueue('1', { sequence: 1 });
    await enqueue('1', { paymentRequestId, sequence: 2 });
    assert.equal((await record()).nextWaits, true);
    assert.equal((await record()).nextWaits, false);
  });

  it('tells so of no event before it, over, elsewhere, or without a place in the order', async () => {
    const paymentRequestId = await enqueue('1', { sequence: 1 });
    await sql('UPDATE webhook_deliveries SET sequence = 0');
    for (const sequence of [2, 3]) await enqueue('1', { paymentRequestId, sequence });
    await enqueue('other', { paymentRequestId, sequence: 4 });
    const setAside = (which: string) =>
      sql(
        `UPDATE webhook_deliveries SET next_attempt_at = service_now() + interval '1 h'
         WHERE ${which}`,
      );
    await sql(
      `UPDATE webhook_deliveries SET status = 'SUCCEEDED', next_attempt_at = NULL,
         completed_at = service_now() WHERE sequence = 3`,
    );
    await setAside('sequence IN (0, 4)');
    assert.equal((await record()).nextWaits, false);
    // An event without a place in the order waits for none and holds none up.
    await sql('UPDATE webhook_deliveries SET sequence = -1 WHERE sequence = 0');
    await sql('UPDATE webhook_deliveries SET sequence = 0 WHERE sequence = 4');
    await sql(`UPDATE webhook_deliveries SET url = 'https://a.example/1' WHERE sequence = 0`);
    await sql('UPDATE webhook_deliveries SET next_attempt_at = service_now() WHERE sequence = -1');
    assert.equal((await record()).nextWaits, false);
  });

  it('pauses its own endpoint alone', async () => {
    const gone = await outbox.addEndpoint(merchantId, 'https://gone.example/');
    await outbox.enqueue({ merchantId });
    await outbox.addEndpoint(merchantId, 'https://well.example/');
    const written = await record({ nextStatus: 'EXHAUSTED', pauseEndpoint: true });
    assert.equal(written.endpointPaused, true);
    const paused = await sql(`SELECT id FROM webhook_endpoints WHERE status = 'PAUSED'`);
    assert.deepEqual(paused, [{ id: gone.id }]);
  });

  it('tells whether its origin, its URL or its endpoint has failed lately', async () => {
    const watched = async () => (await record()).isDestinationWatched;
    await fail(`${merchantId} https://elsewhere.example`, {});
    await enqueue('1');
    assert.equal(await watched(), false);
    for (const destination of [origin, await keyOf('1')]) {
      await sql('DELETE FROM webhook_destinations');
      await fail(destination, {});
      await enqueue('1');
      assert.equal(await watched(), true, destination);
    }
    const { id } = await outbox.addEndpoint(merchantId, 'https://b.example/');
    await fail(id, {});
    await outbox.enqueue({ merchantId });
    assert.equal(await watched(), true);
  });

  it('ends the lease', async () => {
    await enqueue('1');
    const { id } = await record({ nextStatus: 'PENDING', delaySeconds: 60 });
    const rows = await sql(
      'SELECT lease_token, leased_until FROM webhook_deliveries WHERE id = $1',
      [id],
    );
    assert.deepEqual(rows, [{ lease_token: null, leased_until: null }]);
  });
});
