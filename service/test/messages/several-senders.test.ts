import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { MailFault } from '#lib/mail/mailer.ts';
import { createMessageKey } from '#messages/addresses/message-key.ts';
import type { SendMessagesDeps } from '#messages/sending/record-outcome.ts';
import { sendMessages } from '#messages/sending/send-messages.ts';
import type { Transport } from '#messages/sending/transport.ts';
import { readChannelGauges } from '#messages/upkeep/upkeep-store.ts';
import {
  type PaymentRequestCalls,
  PUBLIC_SETTINGS,
  paymentRequestCalls,
} from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let sent: { readonly id: string; readonly merchantId: string; readonly kind: string }[];
/** How often a breaker has opened. */
let breaks = 0;

/** The service only answers calls here: the tests are its senders. */
before(async () => {
  service = await startTestService({ roles: ['api'] });
});
after(() => service.stop());
beforeEach(async () => {
  sent = [];
  await service.database.sql('DELETE FROM messages');
  await service.database.sql('UPDATE message_channels SET claimed = 0, data_refusals = 0');
});

const never = new AbortController().signal;
const key = createMessageKey({ current: randomBytes(32), previous: null });

function sender(more: Partial<Transport> = {}, ratePerSecond = 1_000): SendMessagesDeps {
  const silent = { info() {}, warn() {}, error() {}, debug() {} } as never;
  const transport: Transport = {
    hasInbox: false,
    outcomeOf: () => null,
    async send({ message }, _signal, check) {
      if (!(await check())) return 'STOPPED';
      sent.push({ id: message.id, merchantId: message.merchantId, kind: message.kind });
      return 'SENT';
    },
    ...more,
  };
  const { db } = service.database;
  const { clock } = service;
  return {
    ...{ db, clock, log: silent, ratePerSecond, key },
    metrics: { messageEnded() {}, channelBroken: () => void breaks++ },
    settings: {
      ...PUBLIC_SETTINGS,
      ...{ mailFrom: null, timeZone: 'UTC', smsCountryCode: '', isTest: true },
    },
    transports: { EMAIL: transport },
    move: {
      ...{ db, clock, settings: PUBLIC_SETTINGS },
      wakeSenders() {},
      onStatusChanged() {},
      onCaseOpened() {},
    },
  };
}

async function merchantWith(links: number): Promise<[TestMerchant, PaymentRequestCalls]> {
  const merchant = await service.createMerchant();
  const calls = paymentRequestCalls(service, merchant);
  for (let n = 0; n < links; n += 1) await calls.create({ deliveryMode: 'EMAIL' });
  return [merchant, calls];
}

const run = (deps = sender()) => sendMessages(deps, 'EMAIL', never);

describe('senders of messages', () => {
  it('of two processes send each message once', async () => {
    await merchantWith(30);
    const both = [sender(), sender()];
    const [row] = await service.database.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM messages',
    );
    for (let turn = 0; turn < 10; turn += 1) await Promise.all(both.map(run));
    assert.equal(sent.length, row?.count);
    assert.equal(new Set(sent.map(({ id }) => id)).size, 30);
  });

  it('give merchants turns, however many messages one of them has', async () => {
    const [busy] = await merchantWith(20);
    const [calm] = await merchantWith(1);
    await run();
    assert.equal(sent.length, 8);
    assert.ok(sent.some(({ merchantId }) => merchantId === calm.merchantId));
    assert.ok(sent.some(({ merchantId }) => merchantId === busy.merchantId));
  });

  it('send a reminder behind every other message', async () => {
    await merchantWith(4);
    await service.database.sql(
      `UPDATE messages SET kind = 'REMINDER', number = 1, priority = 1,
         next_attempt_at = next_attempt_at - interval '1 hour'
       WHERE id IN (SELECT id FROM messages ORDER BY id LIMIT 2)`,
    );
    for (let turn = 0; turn < 4; turn += 1) await run(sender({}, 1)).then(() => service.advance(2));
    assert.deepEqual(
      sent.map(({ kind }) => kind),
      ['REQUEST', 'REQUEST', 'REMINDER', 'REMINDER'],
    );
  });

  it('together send no more in a second than the rate', async () => {
    await merchantWith(12);
    const both = [sender({}, 3), sender({}, 3)];
    for (let turn = 0; turn < 3; turn += 1) await Promise.all(both.map(run));
    assert.equal(sent.length, 3);
    await service.advance(2);
    await Promise.all(both.map(run));
    assert.equal(sent.length, 6);
  });

  it('leave to another one what a process held when it died', async () => {
    await merchantWith(1);
    const died = Promise.withResolvers<never>();
    void run(sender({ send: () => died.promise }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await run();
    assert.equal(sent.length, 0, 'leased');
    await service.leap(200);
    await run();
    assert.equal(sent.length, 1);
    died.reject(new MailFault('GONE', 'TRANSIENT', null));
  });

  it('repeat a message whose connection broke after the data, with the same id', async () => {
    await merchantWith(1);
    const lost = sender({
      async send({ message }, _signal, check) {
        await check();
        sent.push({ id: message.id, merchantId: message.merchantId, kind: message.kind });
        throw new MailFault('ECONNECTION', 'TRANSIENT', null);
      },
    });
    await run(lost);
    await service.leap(31);
    await run();
    assert.equal(sent.length, 2);
    assert.equal(sent[0]?.id, sent[1]?.id);
  });

  it('stop for a minute after more than 20 refusals in a row behind the data', async () => {
    await merchantWith(30);
    breaks = 0;
    const refused = sender({
      async send(_outgoing, _signal, check) {
        await check();
        throw new MailFault('EMESSAGE 554', 'CONTENT', null);
      },
    });
    for (let turn = 0; turn < 6; turn += 1) await run(refused);
    const failed = async () =>
      (
        await service.database.sql<{ count: number }>(
          `SELECT count(*)::int AS count FROM messages WHERE status = 'FAILED'`,
        )
      )[0]?.count ?? 0;
    const before = await failed();
    assert.ok(before > 20 && before <= 24, `${before}`);
    assert.equal(breaks, 1, 'operators are told once');
    await run(refused);
    assert.equal(await failed(), before);
    await service.leap(61);
    await run();
    assert.equal(sent.length, 1, 'a probe');
    await run();
    assert.ok(sent.length > 1, 'the breaker is closed');
  });

  it('put a message off that a fault of their own ends, for a day at most', async () => {
    const [, calls] = await merchantWith(0);
    const expiryDateTime = new Date(service.clock.now().getTime() + 5 * 86_400_000).toISOString();
    await calls.create({ deliveryMode: 'EMAIL', expiryDateTime });
    const faulty = sender({
      async send() {
        throw new TypeError('a fault of this service');
      },
    });
    const read = async () =>
      (
        await service.database.sql<{ status: string; reason: string | null; attempts: number }>(
          'SELECT status, reason, jsonb_array_length(attempt_log) AS attempts FROM messages',
        )
      )[0];
    await run(faulty);
    await run(faulty);
    assert.deepEqual(await read(), { status: 'SCHEDULED', reason: null, attempts: 1 });
    await service.leap(31);
    await run(faulty);
    assert.equal((await read())?.attempts, 2);
    await service.leap(86_400);
    await run(faulty);
    assert.deepEqual(await read(), { status: 'FAILED', reason: 'OUT_OF_TIME', attempts: 2 });
  });

  it('are late only with what may be sent: a suspended merchant’s links wait by a rule', async () => {
    const [{ merchantId }] = await merchantWith(1);
    const waitSeconds = async () => (await readChannelGauges(service.database.db))?.waitSeconds;
    assert.equal(await waitSeconds(), 0);
    await service.leap(600);
    assert.equal(await waitSeconds(), 600);
    await service.database.sql(`UPDATE merchants SET status = 'SUSPENDED' WHERE id = $1`, [
      merchantId,
    ]);
    assert.equal(await waitSeconds(), 0);
  });
});
