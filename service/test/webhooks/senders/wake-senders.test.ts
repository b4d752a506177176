import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Database, DatabaseUnavailable, type Executor } from '#database/database.ts';
import { SENDERS_CHANNEL } from '#webhooks/events/outbox.ts';
import { createSenderSignal, type SenderSignal } from '#webhooks/events/wake-senders.ts';
import { eventually } from '../../support/eventually.ts';
import { type HttpsListener, startHttpsListener } from '../../support/webhooks/https-listener.ts';
import {
  createWebhookDeliveries,
  failing,
  type WebhookDeliveries,
} from '../../support/webhooks/webhook-deliveries.ts';

/** The requests of a sender to one origin at once. */
const MOST_AT_ORIGIN = 8;
const WALK = 'webhook-delivery-claim';
const NAMED = 'webhook-delivery-claim-named';
/** A sender polls each second; on a busy machine the webhook takes some time. */
const LONGEST_MS = 10_000;
/** Far more than the polls of the second that they take. */
const SIGNALS = 40;

let outbox: WebhookDeliveries;
let listener: HttpsListener;
let merchantId: string;
let isListenerHanging: boolean;
let unanswered: ServerResponse[];
/** The notifications of other processes. */
let notified: number;
/** The answers of the own sender: whether it has left nothing. */
let claimed: boolean[];
let signal: SenderSignal;

beforeEach(async () => {
  outbox = await createWebhookDeliveries();
  isListenerHanging = false;
  unanswered = [];
  listener = await startHttpsListener({
    authority: outbox.authority,
    answering(_, response) {
      if (isListenerHanging) unanswered.push(response);
      else response.end();
    },
  });
  merchantId = (await outbox.addMerchant()).id;
  notified = 0;
  claimed = [];
  signal = countingSignal();
});
afterEach(async () => {
  for (const response of unanswered) response.end();
  await outbox.close();
  await listener.close();
});

function countingSignal(): SenderSignal {
  const db: Executor = {
    query(statement, values) {
      if (statement.name === 'webhook-notify-senders') notified += 1;
      return outbox.database.db.query(statement, values);
    },
  };
  const real = createSenderSignal(db);
  return {
    ...real,
    setOwnSender(claim) {
      const counting: typeof claim = async (paymentRequestIds) => {
        const isAllTaken = (await claim?.(paymentRequestIds)) ?? false;
        claimed.push(isAllTaken);
        return isAllTaken;
      };
      real.setOwnSender(claim && counting);
    },
  };
}

async function enqueue(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await outbox.enqueue({ merchantId, webhookUrl: listener.url });
  }
}

/** Notes the name of each claim. */
const noting = (claims: string[]): Database =>
  [NAMED, WALK].reduce(
    (db, name) =>
      failing(db, name, () => {
        claims.push(name);
        return null;
      }),
    outbox.database.db,
  );
const enqueueOne = () => outbox.enqueue({ merchantId, webhookUrl: listener.url });
const pendingCount = async () =>
  (await outbox.deliveries()).filter(({ status }) => status === 'PENDING').length;
const hasClaimed = (count: number) =>
  eventually(async () => claimed.length === count, `${count} claims of the own sender`);
const isNotified = () => eventually(async () => notified > 0, 'a notification');

describe('the signal to the senders', () => {
  it('notifies no other process of what the own sender has claimed', async () => {
    outbox.startSender({ signal });
    await enqueue(MOST_AT_ORIGIN - 1);
    signal.raise();
    await listener.received(MOST_AT_ORIGIN - 1);
    await hasClaimed(1);
    // Signals follow each other: before the next claim a notification would have been sent.
    signal.raise();
    await hasClaimed(2);
    assert.deepEqual(claimed, [true, true]);
    assert.equal(notified, 0);
  });

  it('notifies the other processes of what a limit of the own sender leaves', async () => {
    isListenerHanging = true;
    outbox.startSender({ signal });
    await enqueue(MOST_AT_ORIGIN + 1);
    signal.raise();
    await isNotified();
    assert.equal(claimed[0], false);
    assert.equal((await listener.received(MOST_AT_ORIGIN)).length, MOST_AT_ORIGIN);
  });

  it('wakes another sender, and not the own one, by what it leaves', async () => {
    isListenerHanging = true;
    let claims = 0;
    const count = () => {
      claims += 1;
      return null;
    };
    outbox.startSender({
      signal,
      db: failing(outbox.database.db, 'webhook-delivery-claim', count),
    });
    await enqueue(MOST_AT_ORIGIN);
    await listener.received(MOST_AT_ORIGIN);
    const heard: (string | undefined)[] = [];
    const stopListening = outbox.database.db.listen(SENDERS_CHANNEL, (by) => void heard.push(by));
    await eventually(() => heard.length > 0, 'a listener');
    const [before, asked, startedMs] = [claims, claimed.length, performance.now()];
    for (let n = 1; n <= SIGNALS; n += 1) {
      signal.raise();
      await eventually(() => heard.length > n, `notification ${n}`);
    }
    await stopListening();
    assert.deepEqual(new Set(heard), new Set([undefined, signal.id]));
    assert.equal(claimed.length - asked, SIGNALS);
    const polls = 2 + (performance.now() - startedMs) / 1_000;
    const more = claims - before - SIGNALS;
    assert.ok(more <= polls, `${more} claims that nobody asked for, and ${polls} polls at most`);
  });

  it('claims the named payment requests alone, and polls all the same', async () => {
    const claims: string[] = [];
    outbox.startSender({ signal, db: noting(claims) });
    // Its signal is lost, and only a poll can find it.
    const lost = await enqueueOne();
    const isDelivered = async () => {
      const rows = await outbox.deliveries();
      return rows.find((row) => row.payment_request_id === lost)?.status === 'SUCCEEDED';
    };
    await eventually(isDelivered, 'the first poll');
    await outbox.database.sql(
      `UPDATE webhook_deliveries
       SET status = 'PENDING', next_attempt_at = service_now(), completed_at = NULL`,
    );
    const startedMs = performance.now();
    while (!(await isDelivered()) && performance.now() < startedMs + LONGEST_MS) {
      signal.raise([await enqueueOne()]);
      await hasClaimed(claimed.length + 1);
      // Beyond the limit of an origin, the others would be notified.
      await eventually(async () => (await pendingCount()) < MOST_AT_ORIGIN - 1, 'free slots');
    }
    assert.ok(await isDelivered());
    const polls = claims.filter((name) => name === WALK).length;
    assert.ok(polls <= 4 + (performance.now() - startedMs) / 1_000, `${polls} polls`);
    assert.ok(claims.length >= claimed.length, `${claims.length} claims`);
    assert.equal(notified, 0);
  });

  it('names the payment requests to the other processes', async () => {
    const heard: (string | undefined)[] = [];
    const stopListening = outbox.database.db.listen(SENDERS_CHANNEL, (by) => void heard.push(by));
    await eventually(() => heard.length > 0, 'a listener');
    outbox.startSender();
    const id = await enqueueOne();
    signal.raise([id]);
    await listener.received(1);
    await eventually(() => heard.length > 1, 'a notification');
    await stopListening();
    assert.deepEqual(heard, [undefined, `${signal.id} ${id}`]);
  });

  it('sends at once what a claim by name leaves: one at a time to a slow destination', async () => {
    outbox.startSender({ signal });
    const id = await enqueueOne();
    await outbox.database.sql(
      `INSERT INTO webhook_destinations (destination, is_slow)
       SELECT destination, true FROM webhook_deliveries`,
    );
    signal.raise([id]);
    await hasClaimed(1);
    assert.deepEqual(claimed, [true]);
    await listener.received(1);
  });

  it('sends to a slow endpoint as soon as to the own URL of the payment request', async () => {
    await outbox.addEndpoint(merchantId, `${listener.url}/endpoint`);
    await outbox.database.sql(
      `INSERT INTO webhook_destinations (destination, is_slow)
       SELECT id::text, true FROM webhook_endpoints`,
    );
    const claims: string[] = [];
    outbox.startSender({ signal, db: noting(claims) });
    await eventually(async () => claims.includes(WALK), 'the first poll');
    const polls = claims.length;
    signal.raise([await enqueueOne()]);
    await hasClaimed(1);
    // A poll may have come in between.
    assert.ok(claims.slice(polls).includes(WALK));
    assert.deepEqual(claimed, [true]);
    assert.equal((await listener.received(2)).length, 2);
  });

  it('notifies the other processes when the own sender cannot claim', async () => {
    const outage = () => new DatabaseUnavailable(new Error('the claim fails'));
    outbox.startSender({
      signal,
      db: failing(outbox.database.db, 'webhook-delivery-claim', outage),
    });
    await enqueue(1);
    signal.raise();
    await isNotified();
    assert.equal(claimed[0], false);
  });

  it('notifies the other processes when the own sender has stopped', async () => {
    const sender = outbox.startSender({ signal });
    await sender.stop();
    await enqueue(1);
    signal.raise();
    await isNotified();
    assert.deepEqual(claimed, []);
    assert.deepEqual(listener.requests, []);
  });

  it('has an end for each claim that is asked for while the own sender stops', async () => {
    let claim: Parameters<SenderSignal['setOwnSender']>[0] = null;
    const setOwnSender: SenderSignal['setOwnSender'] = (own) => {
      claim ??= own;
    };
    const sender = outbox.startSender({ signal: { ...signal, setOwnSender } });
    const stopped = sender.stop();
    assert.equal(await askOf(claim), false);
    await stopped;
    assert.equal(await askOf(claim), false);
  });
});

function askOf(claim: Parameters<SenderSignal['setOwnSender']>[0]): Promise<boolean> | undefined {
  return claim?.([]);
}
