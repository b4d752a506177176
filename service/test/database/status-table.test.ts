import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type NetworkTask,
  STATUS_FACTS,
  STATUSES,
  type Status,
  TRANSITIONS,
  type Transition,
} from '#payment-requests/model/statuses.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const ROWS: readonly Transition[] = TRANSITIONS;

/** The data that a payment request can have in a status. */
interface Stored {
  readonly hasPayment: boolean;
  readonly hasReason: boolean;
  readonly isPaidLate: boolean;
}

const NOTHING: Stored = { hasPayment: false, hasReason: false, isPaidLate: false };

/** Follows the effects of the table from the creation on: status → the data that it can have. */
function storedByStatus(): ReadonlyMap<Status, readonly Stored[]> {
  const found = new Map<Status, Stored[]>(STATUSES.map((status) => [status, []]));
  const follow = (from: Status | null, before: Stored): void => {
    for (const row of ROWS.filter((each) => each.from === from)) {
      const after: Stored = {
        hasPayment: row.payment === 'SET' || before.hasPayment,
        hasReason: row.reason === 'KEPT' ? before.hasReason : row.reason !== 'CLEARED',
        isPaidLate: row.paidLate ?? before.isPaidLate,
      };
      const known = found.get(row.to) ?? [];
      if (known.some((each) => isSame(each, after))) continue;
      known.push(after);
      follow(row.to, after);
    }
  };
  follow(null, NOTHING);
  return found;
}

const isSame = (one: Stored, other: Stored) => JSON.stringify(one) === JSON.stringify(other);

const STORED = storedByStatus();
const FLAGS = [false, true];
const COMBINATIONS = FLAGS.flatMap((hasPayment) =>
  FLAGS.flatMap((hasReason) =>
    FLAGS.map((isPaidLate): Stored => ({ hasPayment, hasReason, isPaidLate })),
  ),
);

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase('production', NOW);
  await database.sql(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
       signing_secret_encrypted) VALUES ('mer_1', 'Harbour Books', 'u', '', '')`,
  );
});
after(() => database.drop());

let count = 0;

/** Inserts a payment request with these data, and no trigger in the way. */
async function insert(status: string, { hasPayment, hasReason, isPaidLate }: Stored) {
  count += 1;
  const id = `01890000-0000-7000-8000-${String(count).padStart(12, '0')}`;
  const shortCode = String(count).padStart(16, '0');
  await database.db.transaction(async (tx) => {
    const run = (text: string, values: unknown[] = []) => tx.query({ name: '', text }, values);
    await run("SET LOCAL session_replication_role = 'replica'");
    await run(
      `INSERT INTO payment_requests (id, merchant_id, amount_cents, type, payer_name, payer_email,
         short_code, created_at, expires_at, status, status_reason_code, payment_completed_at,
         paid_late)
       VALUES ($1, 'mer_1', 1, 'ECOMM', 'Ada', 'ada@example.com', $7, $2, $2,
         $3, $4, $5, $6)`,
      [id, NOW, status, hasReason ? 'X' : null, hasPayment ? NOW : null, isPaidLate, shortCode],
    );
  });
  return id;
}

const CHECK_VIOLATION = { code: '23514' };

describe('the CHECKs of payment_requests follow the table of statuses', () => {
  for (const status of STATUSES) {
    it(`reaches ${status} by the table`, () => assert.notDeepEqual(STORED.get(status), []));

    for (const stored of COMBINATIONS) {
      const isPossible = STORED.get(status)?.some((each) => isSame(each, stored));
      const words = JSON.stringify(stored).replace(/[{}"]/g, '').replaceAll(',', ', ');
      it(`${isPossible ? 'take' : 'refuse'} ${status} with ${words}`, async () => {
        const inserting = insert(status, stored);
        if (isPossible) await inserting;
        else await assert.rejects(inserting, CHECK_VIOLATION);
      });
    }
  }

  it('refuse a status that the table lacks', async () => {
    await assert.rejects(insert('LOST', NOTHING), CHECK_VIOLATION);
  });
});

describe('the trigger of payment_requests follows the table of transitions', () => {
  for (const from of STATUSES) {
    for (const to of STATUSES) {
      if (from === to) continue;
      const isAllowed = ROWS.some((row) => row.from === from && row.to === to);
      it(`${isAllowed ? 'takes' : 'refuses'} ${from} → ${to}`, async () => {
        const id = await insert(from, STORED.get(from)?.[0] ?? NOTHING);
        const { hasPayment, hasReason, isPaidLate } = STORED.get(to)?.[0] ?? NOTHING;
        const writing = database.sql(
          `UPDATE payment_requests
           SET status = $2, status_reason_code = $3, payment_completed_at = $4, paid_late = $5
           WHERE id = $1`,
          [id, to, hasReason ? 'X' : null, hasPayment ? NOW : null, isPaidLate],
        );
        if (isAllowed) await writing;
        else {
          const refusal = { ...CHECK_VIOLATION, constraint: 'payment_request_transition' };
          await assert.rejects(writing, refusal);
        }
      });
    }
  }
});

/** The seconds until reconciliation acts after a change; null: never. */
const SECONDS_TO_TASK: Readonly<Record<NetworkTask, number | null>> = {
  UPDATE: 0,
  POLL: 30,
  CANCEL: 0,
  NONE: null,
};

describe('the trigger that plans the network’s part follows the table of statuses', () => {
  for (const status of STATUSES) {
    const task = STATUS_FACTS[status].network;
    const seconds = SECONDS_TO_TASK[task];
    it(`plans ${task} for ${status}: ${seconds === null ? 'never' : `in ${seconds} s`}`, async () => {
      const id = await insert(status, STORED.get(status)?.[0] ?? NOTHING);
      const { sql } = database;
      await sql(
        `INSERT INTO network_requests (payment_request_id, looks, next_look_at)
         VALUES ($1, 7, service_now() + interval '9 h')`,
        [id],
      );
      await sql('UPDATE payment_requests SET version = version + 1 WHERE id = $1', [id]);
      const [row] = await sql<{ looks: number; ahead: number | null }>(
        `SELECT looks, extract(epoch FROM next_look_at - service_now())::int AS ahead
         FROM network_requests WHERE payment_request_id = $1`,
        [id],
      );
      assert.deepEqual(row, { looks: 0, ahead: seconds });
    });
  }
});
