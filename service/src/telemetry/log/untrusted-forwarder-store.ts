import type { Executor, Statement } from '#database/database.ts';
import { allRows } from '#database/statements.ts';

/**
 * A deployment has a few proxies; strangers must not fill the table. A new row replaces the oldest.
 */
const MOST_PEERS = 20;
/** Long enough for an operator who runs `payreq doctor` once a week. */
const KEPT_DAYS = 7;

const NOTE: Statement = {
  name: 'untrusted-forwarder-note',
  text: `INSERT INTO untrusted_forwarders (peer) VALUES ($1)
         ON CONFLICT (peer) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
};

const PRUNE: Statement = {
  name: 'untrusted-forwarder-prune',
  text: `DELETE FROM untrusted_forwarders
         WHERE last_seen_at < service_now() - make_interval(days => $1) OR peer IN (
           SELECT peer FROM untrusted_forwarders ORDER BY last_seen_at DESC, peer OFFSET $2)`,
};

/** A peer that sent X-Forwarded-For and is not a trusted proxy. */
export interface UntrustedForwarder {
  /** Its IP address. */
  readonly peer: string;
  readonly lastSeenAt: Date;
}

export async function noteUntrustedForwarder(db: Executor, peer: string): Promise<void> {
  await db.query(NOTE, [peer]);
  await db.query(PRUNE, [KEPT_DAYS, MOST_PEERS]);
}

/** The peers of the last days, the latest first. */
export const listUntrustedForwarders = allRows<UntrustedForwarder>(
  'untrusted-forwarder-list',
  `SELECT peer, last_seen_at AS "lastSeenAt" FROM untrusted_forwarders
   WHERE last_seen_at > service_now() - make_interval(days => $1)
   ORDER BY last_seen_at DESC, peer LIMIT $2`,
  () => [KEPT_DAYS, MOST_PEERS],
);
