import { allRows } from '#database/statements.ts';

export const listTransitions = allRows<{ from: string; to: string }>(
  'doctor-list-transitions',
  `SELECT from_status AS "from", to_status AS "to" FROM payment_request_transitions`,
);
