import { execute, firstValue } from '#database/statements.ts';

/** Sets a merchant's limit of refunds in a day, in cents; 0: refunds are off. */
export const setRefundsPerDay = execute<[id: string, cents: number]>(
  'merchant-set-refunds-per-day',
  'UPDATE merchants SET refunds_per_day_cents = $2 WHERE id = $1',
);

/** A merchant's limit of refunds in a day, in cents; 0 also for an unknown merchant. */
export const findRefundsPerDay = firstValue<number, [id: string]>(
  'merchant-find-refunds-per-day',
  'SELECT refunds_per_day_cents AS cents FROM merchants WHERE id = $1',
  0,
);
