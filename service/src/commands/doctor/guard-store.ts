import { allValues } from '#database/statements.ts';
import { countsRows } from './found-store.ts';

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

/** Settings of the server, and tables, that keep autovacuum off. */
export const findWithoutVacuum = allValues<string>(
  'doctor-find-without-vacuum',
  `SELECT s.name FROM pg_settings s
   WHERE s.name IN ('autovacuum', 'track_counts') AND s.setting = 'off'
   UNION ALL
   SELECT DISTINCT t.relname::text FROM pg_class t
   LEFT JOIN pg_class toast ON toast.oid = t.reltoastrelid
   CROSS JOIN unnest(t.reloptions || toast.reloptions) AS option
   WHERE t.relnamespace = current_schema()::regnamespace
     AND split_part(option, '=', 1) = 'autovacuum_enabled'
     AND NOT split_part(option, '=', 2)::boolean
   ORDER BY 1`,
);
