import { allValues } from '#database/statements.ts';

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
