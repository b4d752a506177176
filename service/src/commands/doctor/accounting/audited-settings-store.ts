import type { Executor, Statement } from '#database/database.ts';
import { type Found, MOST_COUNTED } from '../consistency/delivery-store.ts';

/**
 * The latest entry about each setting, beside the setting. An entry that was pruned proves
 * nothing. Few entries are about a merchant, by index; those of the deployment are found by their
 * action.
 */
const FIND_UNAUDITED: Statement = {
  name: 'doctor-find-unaudited-settings',
  text: `
    SELECT count(*) AS count, (array_agg(setting))[1:5] AS examples FROM (
      SELECT 'refunds a day of ' || m.id AS setting
      FROM merchants m CROSS JOIN LATERAL (
        SELECT details ->> 'refundsPerDayCents' AS cents FROM audit_log
        WHERE merchant_id = m.id AND action IN ('MERCHANT_CREATED', 'MERCHANT_LIMITS_CHANGED')
        ORDER BY position DESC LIMIT 1) latest
      WHERE cents <> m.refunds_per_day_cents::text
      UNION ALL
      SELECT 'status of ' || m.id
      FROM merchants m CROSS JOIN LATERAL (
        SELECT action FROM audit_log
        WHERE merchant_id = m.id
          AND action IN ('MERCHANT_CREATED', 'MERCHANT_SUSPENDED', 'MERCHANT_RESUMED')
        ORDER BY position DESC LIMIT 1) latest
      WHERE (action = 'MERCHANT_SUSPENDED') <> (m.status = 'SUSPENDED')
      UNION ALL
      SELECT 'approvals' FROM deployment d CROSS JOIN LATERAL (
        SELECT details -> 'to' AS policy FROM audit_log
        WHERE action = 'APPROVALS_CHANGED' ORDER BY position DESC LIMIT 1) latest
      WHERE (policy ->> 'isOn', policy ->> 'refundsAboveCents')
            <> (d.approvals_on::text, d.approval_refunds_above_cents::text)
      LIMIT ${MOST_COUNTED}) unaudited`,
};

/** Settings whose value is not that of their latest entry in the audit log. */
export async function findUnauditedSettings(db: Executor): Promise<Found> {
  const [row] = await db.query<Found>(FIND_UNAUDITED);
  return row ?? { count: 0, examples: null };
}
