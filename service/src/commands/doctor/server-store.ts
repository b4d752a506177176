import { allRows, firstValue } from '#database/statements.ts';

/** The database's own time. */
export const readDatabaseClock = firstValue<Date>(
  'doctor-read-clock',
  'SELECT clock_timestamp() AS now',
  new Date(Number.NaN),
);

export const listTransitions = allRows<{ from: string; to: string }>(
  'doctor-list-transitions',
  `SELECT from_status AS "from", to_status AS "to" FROM payment_request_transitions`,
);
