import { firstRow } from '#database/statements.ts';

/** The steps of a new merchant, in their order. */
export const STEPS = ['webhook', 'payment', 'returnOrigin', 'logo', 'account'] as const;
export type Step = (typeof STEPS)[number];

/** Some days of a small merchant, and a millisecond of index entries. */
const LATEST_DELIVERIES = 200;

/**
 * Which steps of a merchant are done.
 *
 * A probe into an index for each step; a deleted endpoint proves nothing.
 */
export const findSteps = firstRow<Readonly<Record<Step, boolean>>, [merchantId: string]>(
  'console-checklist',
  `SELECT
    EXISTS (
      SELECT FROM (SELECT status, endpoint_id FROM webhook_deliveries
                   WHERE merchant_id = m.id ORDER BY id DESC LIMIT ${LATEST_DELIVERIES}) latest
        LEFT JOIN webhook_endpoints e ON e.id = latest.endpoint_id
      WHERE latest.status = 'SUCCEEDED' AND e.deleted_at IS NULL) AS webhook,
    EXISTS (
      SELECT FROM payment_requests
      WHERE merchant_id = m.id AND payment_completed_at IS NOT NULL) AS payment,
    cardinality(m.return_origins) > 0 AS "returnOrigin",
    EXISTS (SELECT FROM merchant_profiles
            WHERE merchant_id = m.id AND logo_hash IS NOT NULL) AS logo,
    EXISTS (SELECT FROM creditor_accounts
            WHERE merchant_id = m.id AND replaced_at IS NULL AND closed_at IS NULL) AS account
  FROM merchants m WHERE m.id = $1`,
);
