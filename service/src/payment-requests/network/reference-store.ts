import type { Executor, Statement } from '#database/database.ts';

/** In the order of the keys, so that two transactions with the same references cannot deadlock. */
const LOCK_REFERENCES: Statement = {
  name: 'network-reference-lock',
  text: `SELECT pg_advisory_xact_lock(key) FROM (
           SELECT DISTINCT hashtextextended('network reference ' || value, 0) AS key
           FROM json_array_elements_text($1::json) ORDER BY key) AS keys`,
};

const FIND_OWNERS: Statement = {
  name: 'network-reference-find-owners',
  text: `SELECT payment_network_reference AS reference, id FROM payment_requests
         WHERE payment_network_reference IN (SELECT json_array_elements_text($1::json))
         ORDER BY payment_completed_at DESC`,
};

/**
 * Locks network references until the transaction ends, and finds the payment request that each
 * reference has paid. A reference that has paid several, which this lock prevents, has the first.
 */
export async function lockNetworkReferences(
  tx: Executor,
  references: readonly string[],
): Promise<Map<string, string>> {
  if (references.length === 0) return new Map();
  const values = [JSON.stringify(references)];
  // Two statements: the second one's snapshot is taken after the locks.
  await tx.query(LOCK_REFERENCES, values);
  const rows = await tx.query<{ reference: string; id: string }>(FIND_OWNERS, values);
  return new Map(rows.map(({ reference, id }) => [reference, id]));
}
