import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { readOpen, withClient } from './read-books.ts';

const POLL_MS = 250;

/**
 * Moves due times nearer, as waiting for hours would: attempts after failures wait up to a day
 * (delivery §2). A lease that is older than 20 s belongs to a dead process and ends at once,
 * because an exchange takes 15 s at most.
 */
const HASTEN: readonly string[] = [
  `UPDATE webhook_deliveries SET next_attempt_at = service_now()
   WHERE status = 'PENDING' AND next_attempt_at > service_now() AND lease_token IS NULL`,
  `UPDATE webhook_deliveries SET leased_until = service_now()
   WHERE lease_token IS NOT NULL
     AND leased_until BETWEEN service_now() AND service_now() + interval '25 s'`,
  `UPDATE webhook_destinations SET next_probe_at = service_now()
   WHERE next_probe_at > service_now()`,
  `UPDATE webhook_destinations SET alone_until = service_now() WHERE alone_until > service_now()`,
  `UPDATE sandbox_steps SET due_at = service_now()
   WHERE done_at IS NULL AND due_at > service_now()`,
];

/**
 * Waits until no work is left: deliveries, leases, steps of the simulator and refunds. The service
 * runs and its receivers answer.
 *
 * @returns whether nothing is left within the limit
 */
export async function drain(databaseUrl: string, limitMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + limitMs;
  while (performance.now() < giveUpAt) {
    const open = await withClient(databaseUrl, hasten).catch(() => null);
    if (open && Object.values(open).every((count) => count === 0)) return true;
    await wait(POLL_MS);
  }
  return false;
}

async function hasten(client: pg.Client): Promise<Record<string, number>> {
  for (const text of HASTEN) await client.query(text);
  return readOpen(client);
}
