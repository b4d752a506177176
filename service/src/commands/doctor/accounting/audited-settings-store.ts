import { countsRows } from '../found-store.ts';

/**
 * Settings whose value is not that of their latest entry in the audit log. An entry that was pruned
 * proves nothing. Few entries are about a merchant, by index; those of the deployment are found by
 * their action.
 */
export const findUnauditedSettings = countsRows(
  'doctor-find-unaudited-settings',
  `SELECT 'refunds a day of ' || m.id AS setting
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
         <> (d.approvals_on::text, d.approval_refunds_above_cents::text)`,
);
