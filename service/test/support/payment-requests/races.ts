import assert from 'node:assert/strict';
import fc from 'fast-check';
import { connectDatabase, type Database } from '#database/database.ts';
import type { Cause } from '#payment-requests/model/cause.ts';
import { TRANSITIONS, type Transition } from '#payment-requests/model/statuses.ts';
import {
  type ChangeStatusDeps,
  changeStatus,
  type StatusChange,
} from '#payment-requests/status/change-status.ts';
import { expirePaymentRequests } from '#payment-requests/status/expire-overdue.ts';
import { auditWholeOutbox } from '../../../src/commands/doctor/consistency/audit-whole-outbox.ts';
import { type Answer, startTestService, type TestService } from '../service/service.ts';
import { startServiceBeside } from '../service/service-beside.ts';
import {
  type PaymentRequestCalls,
  PUBLIC_SETTINGS,
  paymentRequestCalls,
  SMALLEST_BODY,
} from './payment-requests.ts';

/** Requests of one run: few, so that what happens at once often meets on one of them. */
const REQUESTS = 2;
/** Their expiry lies this far ahead at first, so that it passes in about half of all runs. */
const EXPIRY_SECONDS = 20;

const REASONS = ['PAYER_DECLINED', 'NETWORK_REJECTED', 'NETWORK_TIMEOUT'] as const;
const OUTCOMES = ['PAID', 'FAILED', 'EXPIRED', 'PROCESSING'] as const;

/** An act on a payment request, through one of the two processes. */
type Happening =
  | { readonly kind: 'SUCCEED'; readonly offCents: number }
  | { readonly kind: 'ACCEPT' }
  | { readonly kind: 'REFUSE'; readonly reasonCode: (typeof REASONS)[number] }
  | { readonly kind: 'CANCEL'; readonly key: number | null; readonly ifMatch: string | null }
  | { readonly kind: 'UPDATE'; readonly patch: object; readonly ifMatch: string | null }
  | { readonly kind: 'EXTEND' }
  | { readonly kind: 'SIMULATE'; readonly outcome: string; readonly key: number | null }
  | { readonly kind: 'TIMER' }
  | { readonly kind: 'PASS'; readonly seconds: number };

type Step = { readonly request: number; readonly process: number; readonly twice: boolean } & {
  readonly happening: Happening;
};

const key = fc.option(fc.constantFrom(1, 2), { freq: 2 });
const ifMatch = fc.option(fc.constantFrom('"1"', '"2"', 'W/"1"', '*'), { freq: 2 });

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('SUCCEED'), offCents: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('SUCCEED'), offCents: fc.constant(1) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'ACCEPT' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('REFUSE'),
      reasonCode: fc.constantFrom(...REASONS),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('CANCEL'), key, ifMatch }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('UPDATE'),
      patch: fc.record({ displayMessage: fc.constantFrom('one', 'two', null) }),
      ifMatch,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'EXTEND' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('SIMULATE'),
      outcome: fc.constantFrom(...OUTCOMES),
      key,
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'TIMER' }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('PASS'), seconds: fc.nat(12) }) },
) as fc.Arbitrary<Happening>;

const step: fc.Arbitrary<Step> = fc.record({
  request: fc.nat(REQUESTS - 1),
  process: fc.nat(1),
  // Networks and merchants send again what they have sent.
  twice: fc.boolean(),
  happening,
});

/** Rounds one after the other; what stands in one round happens at once. */
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 5,
});

/**
 * Lets everything that can move a payment request happen in random orders and at once, through two
 * processes with a pool each, and checks after each run that what is stored is what the table of
 * moves allows.
 */
export async function checkRaces(runs: number): Promise<void> {
  const world = await openWorld();
  try {
    await fc.assert(
      fc.asyncProperty(rounds, (drawn) => playRun(world, drawn)),
      // Shrinking plays other interleavings than the one that failed: the first is what to look at.
      { numRuns: runs, endOnFailure: true },
    );
    const audit = await auditWholeOutbox(world.services[0].database.db, 90);
    assert.equal(audit.paymentRequests, runs * REQUESTS);
    assert.deepEqual(audit.brokenIds, []);
  } finally {
    await world.close();
  }
}

interface World {
  readonly services: readonly [TestService, TestService];
  readonly deps: readonly [ChangeStatusDeps, ChangeStatusDeps];
  /** The changes published by the direct calls; the services log theirs. */
  readonly moves: StatusChange[];
  close(): Promise<void>;
}

async function openWorld(): Promise<World> {
  const first = await startTestService({ roles: ['api'] });
  const second = await startServiceBeside(first, { roles: ['api'] });
  const pools = [1, 2].map(() => connectDatabase({ url: first.database.url, poolSize: 4 }));
  const moves: StatusChange[] = [];
  const depsOn = (service: TestService, db: Database): ChangeStatusDeps => ({
    db,
    clock: service.clock,
    settings: PUBLIC_SETTINGS,
    wakeSenders() {},
    onStatusChanged: (change) => moves.push(change),
    onCaseOpened() {},
  });
  return {
    services: [first, second],
    deps: [depsOn(first, pools[0] as Database), depsOn(second, pools[1] as Database)],
    moves,
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
      await second.stop();
      await first.stop();
    },
  };
}

/** The answers of one run, beside what is stored. */
interface Told {
  readonly answers: { readonly id: string; readonly of: Happening; readonly answer: Answer }[];
  readonly held: string[];
}

async function playRun(world: World, drawn: readonly (readonly Step[])[]): Promise<void> {
  const [first] = world.services;
  // A new one each time: the clock only moves on, and tokens last an hour.
  const merchant = await first.createMerchant({ webhookUrl: 'https://1.1.1.1/hook' });
  const calls = world.services.map((service) => paymentRequestCalls(service, merchant));
  const ids: string[] = [];
  for (let count = 0; count < REQUESTS; count++) {
    const { json } = await (calls[0] as PaymentRequestCalls).create();
    ids.push(json.id);
  }
  await first.database.sql(
    `UPDATE payment_requests SET expires_at = created_at + $2 * interval '1 s'
     WHERE id = ANY ($1::uuid[])`,
    [ids, EXPIRY_SECONDS],
  );
  world.moves.length = 0;
  for (const service of world.services) service.logLines.length = 0;
  const told: Told = { answers: [], held: [] };
  for (const round of drawn) {
    const playing = round.flatMap((one) => (one.twice ? [one, one] : [one]));
    await Promise.all(
      playing.map((one) => play(world, calls, ids[one.request] as string, one, told)),
    );
  }
  for (const id of ids) await checkOne(world, id, told);
}

async function play(
  { services, deps }: World,
  calls: readonly PaymentRequestCalls[],
  id: string,
  { process, happening: of }: Step,
  { answers, held }: Told,
): Promise<void> {
  const changeDeps = deps[process] as ChangeStatusDeps;
  const call = calls[process] as PaymentRequestCalls;
  const move = async (cause: Cause) => {
    const result = await changeStatus(changeDeps, id, cause);
    if (result?.outcome === 'HELD_FOR_OPERATOR') held.push(id);
    return result;
  };
  const keep = (answer: Answer) => answers.push({ id, of, answer });
  switch (of.kind) {
    case 'SUCCEED': {
      const result = await move({
        name: 'PAYMENT_SUCCEEDED',
        amountCents: SMALLEST_BODY.amount * 100 + of.offCents,
        institution: 'Maple Bank',
        networkReference: 'REF-1',
        completedAt: changeDeps.clock.now(),
      });
      // The drawn amount decides what is expected, not the answer: another amount moves nothing.
      const isHeld = result?.outcome === 'HELD_FOR_OPERATOR';
      if (of.offCents === 0) assert.equal(isHeld, false, 'the asked amount is never held');
      else assert.notEqual(result?.outcome, 'MOVED', 'another amount never makes PAID');
      return;
    }
    case 'ACCEPT':
      return void (await move({ name: 'PAYMENT_ACCEPTED' }));
    case 'REFUSE':
      return void (await move({ name: 'PAYMENT_REFUSED', reasonCode: of.reasonCode }));
    case 'TIMER':
      return void (await expirePaymentRequests(changeDeps, new AbortController().signal));
    case 'PASS':
      for (const service of services) service.clock.advance(of.seconds * 1_000);
      return;
    case 'CANCEL':
      return void keep(await call.cancel(id, {}, headersOf(id, of)));
    case 'UPDATE':
      return void keep(await call.update(id, of.patch, headersOf(id, of)));
    case 'EXTEND': {
      const at = new Date(changeDeps.clock.now().getTime() + 400_000);
      return void keep(await call.update(id, { expiryDateTime: at.toISOString() }));
    }
    case 'SIMULATE':
      return void keep(await call.simulate(id, { outcome: of.outcome }, headersOf(id, of)));
  }
}

function headersOf(
  id: string,
  { key = null, ifMatch = null }: { key?: number | null; ifMatch?: string | null },
): Record<string, string> {
  return {
    ...(key !== null && { 'idempotency-key': `${id} ${key}`.replace(' ', '-') }),
    ...(ifMatch !== null && { 'if-match': ifMatch }),
  };
}

interface Stored {
  status: string;
  version: number;
  webhook_sequence: number;
  paid_late: boolean;
  expires_at: Date;
  events: { position: number; status: string; cause: string; at: string }[];
  webhooks: { sequence: number; type: string; resource: { status: string; events: object[] } }[];
  deliveries: number;
  notes: { type: string }[];
  cases: number;
}

const STORED = `SELECT status, version, webhook_sequence, paid_late, expires_at,
  (SELECT json_agg(json_build_object('position', position, 'status', e.status, 'cause', cause,
                                     'at', occurred_at) ORDER BY position)
   FROM payment_request_events e WHERE payment_request_id = p.id) AS events,
  (SELECT coalesce(json_agg(json_build_object('sequence', sequence, 'type', event_type,
                                'resource', body::json -> 'resource') ORDER BY sequence), '[]')
   FROM webhook_events WHERE payment_request_id = p.id AND NOT is_test) AS webhooks,
  (SELECT count(*)::int FROM webhook_deliveries WHERE payment_request_id = p.id) AS deliveries,
  (SELECT coalesce(json_agg(json_build_object('type', type)), '[]')
   FROM payment_request_timeline WHERE payment_request_id = p.id) AS notes,
  (SELECT count(*)::int FROM operator_cases WHERE payment_request_id = p.id) AS cases
  FROM payment_requests p WHERE id = $1`;

const ROWS: readonly Transition[] = TRANSITIONS;
const OVER = ['FAILED', 'EXPIRED', 'CANCELLED'];

async function checkOne({ services, moves }: World, id: string, told: Told): Promise<void> {
  const [stored] = await services[0].database.sql<Stored>(STORED, [id]);
  assert.ok(stored);
  const { events, webhooks } = stored;
  const statuses = events.map((event) => event.status);

  // The history is a walk through the table, and the status is where it ends.
  const rows = events.map((event, index) => {
    const from = events[index - 1]?.status ?? null;
    const row = ROWS.find((each) => each.from === from && each.cause === event.cause);
    assert.equal(row?.to, event.status, `${from} ${event.cause} ${event.status}`);
    return row as Transition;
  });
  assert.deepEqual(
    events.map((event) => event.position),
    [...events.keys()].map((i) => i + 1),
  );
  assert.equal(stored.status, statuses.at(-1));
  const times = events.map((event) => Date.parse(event.at));
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );

  // It left CREATED before its expiry, or at that very moment by it.
  const [, left] = events;
  const expiresAt = stored.expires_at.getTime();
  if (left?.status === 'EXPIRED') assert.equal(times[1], expiresAt);
  else if (left) assert.ok((times[1] as number) < expiresAt, `${left.status} after the expiry`);

  // It ended at most once, and money came at most once.
  assert.ok(statuses.filter((status) => OVER.includes(status)).length <= 1, statuses.join());
  assert.ok(statuses.filter((status) => status === 'PAID').length <= 1, statuses.join());
  const isLate = stored.status === 'PAID' && statuses.some((status) => OVER.includes(status));
  assert.equal(stored.paid_late, isLate);

  // Each row that owes a webhook has one event, in its place, which shows that very moment.
  const owing = [...rows.entries()].filter(([, row]) => row.webhook !== null);
  assert.deepEqual(
    webhooks.map(({ sequence, type, resource }) => [
      sequence,
      type,
      resource.status,
      resource.events.length,
    ]),
    owing.map(([index, row], place) => [place + 1, row.webhook, row.to, index + 1]),
  );
  assert.equal(stored.webhook_sequence, owing.length);
  assert.equal(stored.deliveries, owing.length);

  // Everybody was told of every move, once.
  const logged = services.flatMap(({ logLines }) =>
    logLines.filter((line) => line.msg === 'payment request moved' && line.paymentRequestId === id),
  );
  const toldOf = [...moves.filter((move) => move.id === id), ...logged];
  assert.deepEqual(toldOf.map(({ to }) => to).sort(), statuses.slice(1).sort());
  // Money of another amount is the same report each time it comes, and one case.
  assert.equal(stored.cases, told.held.includes(id) ? 1 : 0);
  checkAnswers(
    stored,
    told.answers.filter((one) => one.id === id),
  );
}

const STATUS_OF_CODE: Readonly<Record<string, string>> = {
  ALREADY_PAID: 'PAID',
  ALREADY_FAILED: 'FAILED',
  ALREADY_EXPIRED: 'EXPIRED',
  ALREADY_CANCELLED: 'CANCELLED',
  PAYMENT_IN_PROGRESS: 'PROCESSING',
};

/** Callers were told what became of the payment request, and what they did is what is stored. */
function checkAnswers({ status, version, events, notes }: Stored, answers: Told['answers']): void {
  const statuses = events.map((event) => event.status);
  for (const { of, answer } of answers) {
    const { code } = answer.json;
    const what = `${of.kind} ${answer.text}`;
    if (answer.status === 409 && code !== 'IDEMPOTENCY_IN_PROGRESS') {
      const met = STATUS_OF_CODE[code] ?? '';
      // An expiry that was judged when read is written by the next move or by the timer.
      const isUnwritten = met === 'EXPIRED' && status === 'CREATED';
      assert.ok(statuses.includes(met) || isUnwritten, what);
    } else if (answer.status < 300) {
      if (of.kind === 'CANCEL') assert.equal(answer.json.status, 'CANCELLED', what);
      if (of.kind === 'SIMULATE') assert.equal(answer.json.status, of.outcome, what);
      const wasExtended = of.kind === 'UPDATE' || of.kind === 'EXTEND';
      if (wasExtended) assert.equal(answer.json.status, 'CREATED', what);
      assert.ok(statuses.includes(answer.json.status), what);
    } else {
      assert.ok([409, 412, 422].includes(answer.status), what);
    }
  }
  const count = (type: string) => notes.filter((note) => note.type === type).length;
  // Here only calls cancel, and the one that did has said so.
  assert.equal(count('CANCELLATION_REQUESTED'), statuses.includes('CANCELLED') ? 1 : 0);
  const isForward = ({ of, answer }: Told['answers'][number]) =>
    of.kind === 'SIMULATE' &&
    of.outcome === 'EXPIRED' &&
    answer.status === 202 &&
    answer.headers.get('idempotency-replayed') === null;
  const changes = events.length - 1 + count('UPDATED') + answers.filter(isForward).length;
  assert.equal(version, 1 + changes);
}
