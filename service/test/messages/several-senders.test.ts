import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { connectDatabase } from '#database/database.ts';
import { startLoop } from '#lib/loop.ts';
import { MailFault } from '#lib/mail/mailer.ts';
import { claimMessages } from '#messages/sending/claim-store.ts';
import type { SendMessagesDeps } from '#messages/sending/record-outcome.ts';
import { sendingWork } from '#messages/sending/send-messages.ts';
import type { Transport } from '#messages/sending/transport.ts';
import { readChannelGauges } from '#messages/upkeep/upkeep-store.ts';
import { eventually } from '../support/eventually.ts';
import { createSender } from '../support/messages/create-sender.ts';
import { sendManyAtTheRate, sendManyInHours } from '../support/messages/many-due.ts';
import {
  type PaymentRequestCalls,
  paymentRequestCalls,
  SMALLEST_BODY,
} from '../support/payment-requests/payment-requests.ts';
import { type ExplainedPlan, planNodes } from '../support/plan-nodes.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let sent: { readonly id: string; readonly merchantId: string; readonly kind: string }[];
/** How often a breaker has opened. */
let breaks = 0;
/** How often an address had got more than a person should. */
let overloads = 0;

/** The service only answers calls here: the tests are its senders. */
before(async () => {
  service = await startTestService({ roles: ['api'] });
});
after(() => service.stop());
beforeEach(async () => {
  sent = [];
  await service.database.sql('DELETE FROM messages');
  await service.database.sql(
    `UPDATE message_channels SET claimed_at = DEFAULT, claimed = DEFAULT,
       data_refusals = 0`,
  );
  await service.database.sql('DELETE FROM message_turns');
});

const never = new AbortController().signal;
function sender(transport: Partial<Transport> = {}, ratePerSecond = 1_000): SendMessagesDeps {
  return createSender(service, {
    ...{ transport, ratePerSecond },
    onSent: ({ id, merchantId, kind }) => void sent.push({ id, merchantId, kind }),
    metrics: {
      channelBroken: () => void breaks++,
      addressOverloaded: () => void overloads++,
    },
  });
}

const linkTo = (email: string) => ({
  deliveryMode: 'EMAIL',
  payer: { ...SMALLEST_BODY.payer, email },
});

async function merchantWith(links: number): Promise<[TestMerchant, PaymentRequestCalls]> {
  const merchant = await service.createMerchant();
  const calls = paymentRequestCalls(service, merchant);
  for (let n = 0; n < links; n += 1) await calls.create(linkTo(`payer${n}@example.com`));
  return [merchant, calls];
}

/** Fills the slots of a process once, and waits for what it sends. */
async function run(deps = sender()): Promise<void> {
  const work = sendingWork(deps, 'EMAIL');
  await work.run(never, () => {});
  await work.over();
}

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

  it('that send one message at a time give each merchant its turn', async () => {
    const [busy] = await merchantWith(6);
    const [calm] = await merchantWith(3);
    await service.database.sql(
      `UPDATE messages SET next_attempt_at = next_attempt_at - interval '1 hour'
       WHERE merchant_id = $1`,
      [busy.merchantId],
    );
    for (let turn = 0; turn < 6; turn += 1) await run(sender({}, 1)).then(() => service.advance(1));
    const turns = sent.map(({ merchantId }) => merchantId === calm.merchantId);
    assert.equal(turns.filter(Boolean).length, 3, `${turns}`);
  });

  it('fill each slot by itself: a slow exchange holds no other message', async () => {
    await merchantWith(20);
    const slow = Promise.withResolvers<void>();
    let isFirst = true;
    const work = sendingWork(
      sender({
        async send({ message }, _signal, check) {
          const isSlow = isFirst;
          isFirst = false;
          assert.ok(await check());
          if (isSlow) await slow.promise;
          sent.push({ id: message.id, merchantId: message.merchantId, kind: message.kind });
          return 'SENT';
        },
      }),
      'EMAIL',
    );
    const onError = (error: unknown) => assert.fail(`${error}`);
    const loop = startLoop({ ...work, intervalMs: 60_000, onError });
    await eventually(() => sent.length === 19, 'all but the slow one');
    slow.resolve();
    await loop.stop();
    assert.equal(sent.length, 20, 'the stop waits for it');
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

  it('keep to the rate in each second, also in one that begins between two claims', async () => {
    const [, calls] = await merchantWith(1);
    await run(sender({}, 3));
    for (let n = 0; n < 9; n += 1) await calls.create(linkTo(`more${n}@example.com`));
    await service.advance(0.9);
    await run(sender({}, 3));
    assert.equal(sent.length, 3);
    await service.advance(0.2);
    await run(sender({}, 3));
    assert.equal(sent.length, 4, 'the claim before the last one is a second old');
  });

  it('go on when the clock is set back, and forget the claims of the hour that comes again', async () => {
    const [, calls] = await merchantWith(3);
    await run(sender({}, 3));
    assert.equal(sent.length, 3);
    await service.leap(-3_600);
    for (let n = 0; n < 3; n += 1) await calls.create(linkTo(`again${n}@example.com`));
    await run(sender({}, 3));
    assert.equal(sent.length, 6);
    await service.leap(3_600);
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
    assert.equal(before, 21, 'the messages that were leaving meanwhile end by none of it');
    assert.equal(breaks, 1, 'operators are told once');
    await run(refused);
    assert.equal(await failed(), before);
    await service.leap(61);
    await run(refused);
    assert.equal(await failed(), before, 'the probe is refused, and no message ends by it');
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

describe('hundreds of messages that are due at once', () => {
  it('leave at the rate, each once, where no limit holds them', () =>
    sendManyAtTheRate({ service, messages: 160, ratePerSecond: 40 }));

  it('leave as an hour allows, and end as untrue after the expiry: none is lost', () =>
    sendManyInHours({ service, messages: 60, perHour: 12, hours: 3, ratePerSecond: 40 }));
});

describe('a claim among thousands of merchants', () => {
  /** Messages that are due, or will be; each merchant has the same number. */
  async function messagesOf(merchants: number, each: number, columns: object): Promise<void> {
    const client = new pg.Client({ connectionString: service.database.url });
    await client.connect();
    // The messages are of no payment requests.
    await client.query("SET session_replication_role = 'replica'");
    await client.query(
      `INSERT INTO merchants SELECT r.*
       FROM merchants m, generate_series(1, $1::int) n, jsonb_populate_record(
         null::merchants, to_jsonb(m) || jsonb_build_object('id', 'many_' || n)) r
       WHERE m.id = $2 ON CONFLICT DO NOTHING`,
      [merchants, (await service.createMerchant()).merchantId],
    );
    await client.query(
      `INSERT INTO messages SELECT r.*
       FROM generate_series(1, $1::int * $2::int) n,
         jsonb_populate_record(null::messages, jsonb_build_object(
           'id', gen_random_uuid(), 'payment_request_id', gen_random_uuid(),
           'merchant_id', 'many_' || 1 + (n - 1) % $1::int, 'kind', 'REQUEST', 'number', 0,
           'channel', 'EMAIL', 'status', 'SCHEDULED', 'is_asked', false, 'priority', 0,
           'due_at', service_now(), 'attempts', 0, 'attempt_log', '[]'::jsonb,
           'next_attempt_at', service_now() - interval '1 second' * n,
           'created_at', service_now()) || $3::jsonb) r`,
      [merchants, each, JSON.stringify(columns)],
    );
    await client.end();
  }

  it('reads a few of what waits, and serves the merchants that wait longest', async () => {
    const merchants = 2_000;
    await messagesOf(merchants, 3, {});
    const db = connectDatabase({ url: service.database.url, poolSize: 1 });
    await db.query({ name: '', text: 'SET plan_cache_mode = force_generic_plan' });
    const served = (await claimMessages(db, 'EMAIL', 8, randomUUID(), 60, 1_000)).map(
      ({ merchantId }) => merchantId,
    );
    const longest = Array.from({ length: 8 }, (_, n) => `many_${merchants - n}`);
    assert.deepEqual(served.sort(), longest.sort());
    await service.database.sql(
      `INSERT INTO message_turns (merchant_id, channel, served_at)
       SELECT id, 'EMAIL', now() FROM merchants ON CONFLICT DO NOTHING`,
    );
    await service.database.sql('ANALYZE messages, merchants, message_turns');
    const plan = await db.query<ExplainedPlan>({
      name: '',
      text: `EXPLAIN (ANALYZE, FORMAT JSON)
             EXECUTE "message-claim" ('EMAIL', 8, '${randomUUID()}', 60, 1000)`,
    });
    await db.close();
    const read = planNodes(plan)
      .filter((node) => /^(messages|merchants|message_turns)$/.test(node['Relation Name'] ?? ''))
      .map(
        (node) =>
          node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
      );
    const rows = read.reduce((sum, each) => sum + each);
    assert.ok(rows <= 1_600, `${rows} rows of ${merchants} merchants and their messages`);
  });

  describe('of which one waits for its hour, and one is suspended', () => {
    let calm: TestMerchant;
    beforeEach(async () => {
      const soon = new Date(service.clock.now().getTime() + 3_600_000);
      await messagesOf(200, 1, { next_attempt_at: soon });
      await service.database.sql(`UPDATE merchants SET status = 'SUSPENDED' WHERE id = 'many_1'`);
      await messagesOf(2, 200, { number: 1 });
      await service.database.sql(
        `INSERT INTO message_turns (merchant_id, channel, waits_until, waiting_since)
         VALUES ('many_2', 'EMAIL', service_now() + interval '1 hour', service_now())`,
      );
      [calm] = await merchantWith(1);
    });
    const sentAfter = async (claims: number) => {
      for (let n = 0; n < claims; n += 1) await run();
      return sent.map(({ merchantId }) => merchantId);
    };

    it('sends the message of another one at once', async () => {
      assert.deepEqual(await sentAfter(1), [calm.merchantId]);
    });

    it('sends it also where newer and older ones wait, once it has come to each merchant', async () => {
      await service.database.sql(
        `UPDATE messages SET next_attempt_at = next_attempt_at - interval '200 seconds'
         WHERE merchant_id = $1`,
        [calm.merchantId],
      );
      assert.deepEqual(await sentAfter(4), [calm.merchantId]);
    });
  });
});

describe('a payment request without a delivery mode', () => {
  /** The names of the statements of an act; the service of this file runs no loop. */
  async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
    const names: string[] = [];
    const { query } = pg.Client.prototype;
    const note = function (this: pg.Client, ...given: unknown[]) {
      const [asked] = given as [{ readonly name?: string; readonly text?: string } | string];
      names.push(typeof asked === 'string' ? asked : (asked.name ?? asked.text ?? ''));
      return Reflect.apply(query, this, given);
    };
    pg.Client.prototype.query = note as never;
    await act().finally(() => {
      pg.Client.prototype.query = query;
    });
    return names.sort();
  }

  it('costs no statement and no row of messages, from its creation to its end', async () => {
    const [, calls] = await merchantWith(0);
    await calls.create(linkTo('first@example.com'));
    await service.database.sql('DELETE FROM messages');
    const ids: string[] = [];
    const create = (members: object) => async () => {
      ids.push((await calls.create(members)).json.id);
    };
    const without = await statementsOf(create({}));
    assert.deepEqual(await statementsOf(create({ deliveryMode: 'NONE' })), without);
    const cancelled = await statementsOf(() => calls.cancel(ids[0] ?? ''));
    const ofMessages = (names: readonly string[]) => names.filter((name) => /message/.test(name));
    assert.deepEqual([ofMessages(without), ofMessages(cancelled)], [[], []]);
    assert.deepEqual(await service.database.sql('SELECT FROM messages'), []);
    const byEmail = await statementsOf(create(linkTo('ada@example.com')));
    assert.deepEqual(ofMessages(byEmail), ['message-insert']);
    assert.ok(byEmail.length > without.length, `${without}`);
  });
});

describe('a merchant', () => {
  const limited = (EMAIL: number) => ({ ...sender(), hourlyLimits: { EMAIL, SMS: 1 } });
  const gauge = async () => (await readChannelGauges(service.database.db))?.limitSeconds;
  const kinds = () => sent.map(({ kind }) => kind);

  it('sends no more in any hour than it may: the rest waits, reminders last', async () => {
    await merchantWith(6);
    await service.database.sql(
      `UPDATE messages SET kind = 'REMINDER', number = 1, priority = 1,
         next_attempt_at = next_attempt_at - interval '1 hour'
       WHERE id IN (SELECT id FROM messages ORDER BY id LIMIT 2)`,
    );
    await run(limited(3));
    await service.leap(1_800);
    const [other] = await merchantWith(2);
    await run(limited(3));
    await run(limited(3));
    assert.equal(sent.filter(({ merchantId }) => merchantId === other.merchantId).length, 2);
    assert.deepEqual(kinds(), new Array(5).fill('REQUEST'));
    assert.equal(await gauge(), 0, 'it waits from the first message on that found no place');
    await service.leap(660);
    assert.equal(await gauge(), 660);
    assert.equal((await readChannelGauges(service.database.db))?.waitSeconds, 0);
    await service.leap(1_141);
    await run(limited(3));
    assert.deepEqual(kinds().slice(5).sort(), ['REMINDER', 'REMINDER', 'REQUEST']);
    assert.equal(await gauge(), 0);
  });

  it('has a limit of its own where operators have set one', async () => {
    const [{ merchantId }] = await merchantWith(5);
    await service.database.sql('UPDATE merchants SET mails_per_hour = 4 WHERE id = $1', [
      merchantId,
    ]);
    for (let time = 0; time < 3; time += 1) await run(limited(2));
    assert.equal(sent.length, 4);
  });

  it('counts what is leaving for its hour', async () => {
    await merchantWith(4);
    const away = Promise.withResolvers<never>();
    const slow = run({ ...limited(3), ...sendingNothing(away.promise) });
    await eventually(async () => (await leased()) === 3, 'three leases');
    await run(limited(3));
    assert.equal(sent.length, 0);
    away.reject(new MailFault('GONE', 'TRANSIENT', null));
    await slow;
  });

  it('sends an address ten messages in a day: others wait, a reminder ends', async () => {
    const [, calls] = await merchantWith(0);
    const expiryDateTime = new Date(service.clock.now().getTime() + 5 * 86_400_000).toISOString();
    for (let n = 0; n < 13; n += 1) {
      await calls.create({
        ...linkTo(n % 2 ? 'Ada@example.com' : 'ada@EXAMPLE.com'),
        expiryDateTime,
      });
      await service.leap(1);
    }
    const outcomes = () =>
      service.database.sql<{ status: string; reason: string | null; count: number }>(
        `SELECT status, reason, count(*)::int FROM messages GROUP BY 1, 2 ORDER BY 1`,
      );
    for (let time = 0; time < 20; time += 1) await run().then(() => service.leap(11));
    assert.deepEqual(await outcomes(), [
      { status: 'SCHEDULED', reason: null, count: 3 },
      { status: 'SENT', reason: null, count: 10 },
    ]);
    await service.database.sql(
      `UPDATE messages SET kind = 'REMINDER', number = 1, priority = 1,
         next_attempt_at = service_now()
       WHERE id = (SELECT id FROM messages WHERE status = 'SCHEDULED' LIMIT 1)`,
    );
    await run();
    assert.deepEqual((await outcomes())[0], { status: 'FAILED', reason: 'LIMIT', count: 1 });
    await service.leap(86_400);
    await run();
    await service.leap(11);
    await run();
    assert.deepEqual(await outcomes(), [
      { status: 'FAILED', reason: 'LIMIT', count: 1 },
      { status: 'SENT', reason: null, count: 12 },
    ]);
  });

  it('never learns that an address gets more than thirty a day from all; operators do', async () => {
    overloads = 0;
    const calls: PaymentRequestCalls[] = [];
    for (let n = 0; n < 4; n += 1) calls.push((await merchantWith(0))[1]);
    const all = async (each: number) => {
      for (const { create } of calls) {
        for (let n = 0; n < each; n += 1) await create(linkTo('popular@example.com'));
      }
      for (let time = 0; time < 5; time += 1) await run().then(() => service.leap(11));
    };
    await all(7);
    assert.deepEqual([sent.length, overloads], [28, 0]);
    await all(1);
    assert.equal(sent.length, 32);
    assert.ok(overloads > 0);
  });
});

const leased = async () =>
  (
    await service.database.sql<{ count: number }>(
      'SELECT count(*)::int FROM messages WHERE lease_token IS NOT NULL',
    )
  )[0]?.count;

/** Transports that have not answered yet. */
const sendingNothing = (answer: Promise<never>) => ({
  transports: sender({ send: () => answer }).transports,
});
