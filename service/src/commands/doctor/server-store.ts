import { firstValue } from '#database/statements.ts';

/** The database's own time. */
export const readDatabaseClock = firstValue<Date>(
  'doctor-read-clock',
  'SELECT clock_timestamp() AS now',
  new Date(Number.NaN),
);
