import assert from 'node:assert/strict';
import { systemClock } from '#lib/clock.ts';
import { runChecks } from '../../../src/commands/doctor/run-checks.ts';
import { readConfig } from '../../../src/config.ts';
import { eventually } from '../eventually.ts';
import type { Trial } from './trial.ts';

/** Work that a process still has to do; a refund at a bank waits for the bank. */
const OPEN_WORK = `
  SELECT 'delivery ' || to_json(d) AS work FROM webhook_deliveries d WHERE status = 'PENDING'
  UNION ALL SELECT 'step' FROM sandbox_steps WHERE done_at IS NULL
  UNION ALL SELECT 'refund' FROM refunds
    WHERE $1 = 'sandbox' AND status IN ('CREATED', 'PROCESSING')
  UNION ALL SELECT 'expiry' FROM payment_requests
    WHERE status IN ('CREATED', 'PROCESSING') AND expires_at <= service_now()
  UNION ALL SELECT 'message' FROM messages
    WHERE status = 'SCHEDULED' AND next_attempt_at <= service_now()
  UNION ALL SELECT 'replay' FROM webhook_replays WHERE status = 'RUNNING'
  UNION ALL SELECT 'bank file' FROM bank_files WHERE state <> 'COMPLETE'
  UNION ALL SELECT 'money' FROM bank_movements WHERE reported_at IS NULL AND outcome <> 'WAITING'`;

/** Waits until the background processes have nothing left to do. */
export async function untilDrained(trial: Trial): Promise<void> {
  const { database, settings } = trial;
  let left: readonly unknown[] = [];
  await eventually(async () => {
    left = await database.sql(OPEN_WORK, [settings.ENVIRONMENT]);
    return left.length === 0;
  }, 'the end of all work').catch((error) => {
    const rows = JSON.stringify(left);
    throw new Error(`left: ${rows}; ${trial.backgroundOutput()}`, { cause: error });
  });
}

/** Money that is doubled or missing: each row is a fault. */
const MONEY_FAULTS = `
  SELECT 'doubled reference ' || network_reference AS fault FROM ledger_entries
    GROUP BY network_reference HAVING count(*) > 1
  UNION ALL
  SELECT p.status || ' with payments ' || coalesce(sum(l.amount_cents), 0) || ' ' || p.id
    FROM payment_requests p
    LEFT JOIN ledger_entries l ON l.payment_request_id = p.id AND l.type = 'PAYMENT'
    GROUP BY p.id
    HAVING count(l.*) <> (p.status = 'PAID')::int
      OR coalesce(sum(l.amount_cents), 0) <> CASE WHEN p.status = 'PAID' THEN p.amount_cents ELSE 0 END
  UNION ALL
  SELECT r.status || ' with ' || count(l.*) || ' refund entries ' || r.id FROM refunds r
    LEFT JOIN ledger_entries l ON l.refund_id = r.id AND l.type = 'REFUND'
    GROUP BY r.id
    HAVING count(l.*) <> (r.status = 'COMPLETED')::int
      OR coalesce(sum(l.amount_cents), 0) <> CASE WHEN r.status = 'COMPLETED' THEN -r.amount_cents ELSE 0 END`;

/**
 * Checks the whole deployment after its work is done. Nothing is lost, nothing is doubled, and the
 * merchant has received each event in order.
 */
export async function checkBooks(trial: Trial): Promise<void> {
  const { database, settings, received, created } = trial;
  const { sql, db } = database;
  const stored = await sql<{ id: string }>('SELECT id FROM payment_requests ORDER BY id');
  const acknowledged = [...created.values()].sort();
  assert.deepEqual(
    stored.map(({ id }) => id),
    acknowledged,
    'each acknowledged creation exists, and no other',
  );
  assert.deepEqual(await sql(MONEY_FAULTS), []);
  const events = await sql<{ id: string }>('SELECT id FROM webhook_events');
  const missed = events.filter(({ id }) => !received.counts.has(id));
  assert.deepEqual(missed, [], 'each event was received');
  assert.deepEqual(received.changed, new Set(), 'the same bytes each time');
  assert.deepEqual(received.disordered, []);
  const known = await sql<{ id: string }>(
    'SELECT id FROM webhook_events UNION SELECT unnest($1::uuid[])',
    [[...pruned(trial)]],
  );
  const ids = new Set(known.map(({ id }) => id));
  const invented = [...received.counts.keys()].filter((id) => !ids.has(id));
  assert.deepEqual(invented, [], 'no event that is not stored');
  const config = readConfig(settings);
  const verdicts = await runChecks({ ...config, db, clock: systemClock, showProgress() {} });
  assert.deepEqual(
    verdicts.filter(({ ok }) => !ok),
    [],
    'payreq doctor',
  );
}

const prunedOf = new WeakMap<Trial, Set<string>>();

/** The events that a trial let grow old: they may be gone. */
export function pruned(trial: Trial): Set<string> {
  const ids = prunedOf.get(trial) ?? new Set();
  prunedOf.set(trial, ids);
  return ids;
}
