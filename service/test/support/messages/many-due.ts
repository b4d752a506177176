import assert from 'node:assert/strict';
import pg from 'pg';
import type { SendMessagesDeps } from '#messages/sending/record-outcome.ts';
import { sendingWork } from '#messages/sending/send-messages.ts';
import { paymentRequestCalls, SMALLEST_BODY } from '../payment-requests/payment-requests.ts';
import type { TestService } from '../service/service.ts';
import { createSender } from './create-sender.ts';

export interface ManyDue {
  /** A service that sends nothing by itself. */
  readonly service: TestService;
  readonly messages: number;
  readonly ratePerSecond: number;
}

/** Two processes send what is due at once: no second has more than the rate, and nothing is lost. */
export async function sendManyAtTheRate(many: ManyDue): Promise<void> {
  const { service, messages, ratePerSecond } = many;
  await makeDue(service, messages, 24);
  const sent: string[] = [];
  const one = { ratePerSecond, onSent: ({ id }: { readonly id: string }) => void sent.push(id) };
  const hourlyLimits = { EMAIL: messages, SMS: 1 };
  const deps = [one, one].map((each) => ({ ...createSender(service, each), hourlyLimits }));
  let seconds = 0;
  for (; sent.length < messages && seconds <= messages / ratePerSecond; seconds += 1) {
    const before = sent.length;
    await Promise.all(deps.map(sendUntilNone));
    assert.ok(sent.length - before <= ratePerSecond, `${sent.length - before} in a second`);
    // A claim counts for a whole second.
    await service.leap(1.1);
  }
  assert.equal(new Set(sent).size, messages);
  assert.equal(sent.length, messages);
  assert.deepEqual(await outcomes(service), [{ status: 'SENT', reason: null, count: messages }]);
  assert.equal(seconds, messages / ratePerSecond);
}

/** Messages beyond one merchant's hours wait, and end as untrue with their payment requests. */
export async function sendManyInHours(
  many: ManyDue & { readonly perHour: number; readonly hours: number },
): Promise<void> {
  const { service, messages, ratePerSecond, perHour, hours } = many;
  await makeDue(service, messages, hours);
  const sent: string[] = [];
  const deps = {
    ...createSender(service, { ratePerSecond, onSent: ({ id }) => void sent.push(id) }),
    hourlyLimits: { EMAIL: perHour, SMS: 1 },
  };
  for (let hour = 1; hour <= hours; hour += 1) {
    await sendInSeconds(service, deps, perHour / ratePerSecond);
    assert.equal(sent.length, hour * perHour);
    assert.deepEqual(await outcomes(service), [
      { status: 'SCHEDULED', reason: null, count: messages - sent.length },
      { status: 'SENT', reason: null, count: sent.length },
    ]);
    await service.leap(3_601);
  }
  const rest = messages - hours * perHour;
  await sendInSeconds(service, deps, rest / ratePerSecond);
  assert.deepEqual(await outcomes(service), [
    { status: 'CANCELLED', reason: 'NO_LONGER_TRUE', count: rest },
    { status: 'SENT', reason: null, count: hours * perHour },
  ]);
}

async function sendInSeconds(
  service: TestService,
  deps: SendMessagesDeps,
  seconds: number,
): Promise<void> {
  for (let second = 0; second <= seconds; second += 1) {
    await sendUntilNone(deps);
    await service.leap(1.1);
  }
}

/** Fills the slots of a process until a claim finds nothing that may leave in this second. */
async function sendUntilNone(deps: SendMessagesDeps): Promise<void> {
  const work = sendingWork(deps, 'EMAIL');
  let begun = 0;
  do {
    begun = 0;
    await work.run(new AbortController().signal, () => {
      begun += 1;
    });
    await work.over();
  } while (begun > 0);
}

const outcomes = ({ database }: TestService) =>
  database.sql<{ status: string; reason: string | null; count: number }>(
    'SELECT status, reason, count(*)::int FROM messages GROUP BY 1, 2 ORDER BY 1',
  );

/** Payment requests of one merchant, each with a message that is due now, to its own address. */
async function makeDue(service: TestService, messages: number, hours: number): Promise<void> {
  const calls = paymentRequestCalls(service, await service.createMerchant());
  const expiresAt = new Date(service.clock.now().getTime() + hours * 3_600_000);
  const payer = { ...SMALLEST_BODY.payer, email: 'payer0@example.com' };
  const { json } = await calls.create({
    ...{ deliveryMode: 'EMAIL', payer, expiryDateTime: expiresAt.toISOString() },
  });
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  // The copies have no moves and no rows of other features.
  await client.query("SET session_replication_role = 'replica'");
  await client.query(
    `CREATE TEMPORARY TABLE copies AS
     SELECT n, gen_random_uuid() AS id, gen_random_uuid() AS message_id
     FROM generate_series(1, $1::int - 1) n`,
    [messages],
  );
  await client.query(
    `INSERT INTO payment_requests SELECT r.*
     FROM payment_requests p, copies c, jsonb_populate_record(p, jsonb_build_object(
       'id', c.id, 'short_code', substr(replace(c.id::text, '-', ''), 1, 16),
       'payer_email', 'payer' || c.n || '@example.com')) r
     WHERE p.id = $1`,
    [json.id],
  );
  await client.query(
    `INSERT INTO messages SELECT r.*
     FROM messages g, copies c, jsonb_populate_record(g, jsonb_build_object(
       'id', c.message_id, 'payment_request_id', c.id)) r
     WHERE g.payment_request_id = $1`,
    [json.id],
  );
  await client.end();
}
