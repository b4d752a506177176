import type pg from 'pg';

/**
 * Settings of every connection; they override defaults of the server, the database and the role.
 * A statement sets them: connection poolers refuse most of them as startup parameters.
 */
const ALWAYS = {
  // Dates and instants are read as ISO 8601 text.
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  // A call that loses a race sees the row that it waited for, and no error 40001.
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
  // Only a warning reports a cancelled wait for a standby (watch-replication.ts).
  client_min_messages: 'warning',
} as const;

/** In milliseconds; 0 is no limit. */
export interface SessionLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
  readonly transaction_timeout: number;
}

/**
 * Servers before PostgreSQL 17 have no transaction_timeout. An acknowledged commit is durable. With
 * the default synchronous_commit = off a crash loses the latest commits, and with local a failover
 * loses them.
 */
const SET = `
  SELECT set_config(name, value, false) FROM json_each_text($1::json) AS wanted (name, value)
  WHERE name <> 'transaction_timeout' OR current_setting('server_version_num')::int >= 170000
  UNION ALL
  SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') IN ('off', 'local')`;

/** The first statement of a new connection. */
export function sessionSettings(limits: SessionLimits): pg.QueryConfig {
  return { text: SET, values: [JSON.stringify({ ...ALWAYS, ...limits })] };
}
