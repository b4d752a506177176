import type { Executor } from '#database/database.ts';

const LIST_TRANSITIONS = {
  name: 'doctor-list-transitions',
  text: `SELECT from_status AS "from", to_status AS "to" FROM payment_request_transitions`,
};

export function listTransitions(db: Executor): Promise<{ from: string; to: string }[]> {
  return db.query(LIST_TRANSITIONS);
}
