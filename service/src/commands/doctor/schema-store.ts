import type { Executor } from '#database/database.ts';

const LIST_MIGRATIONS = {
  name: 'doctor-list-migrations',
  text: 'SELECT name FROM schema_migrations ORDER BY name',
};

const LIST_TRANSITIONS = {
  name: 'doctor-list-transitions',
  text: `SELECT from_status AS "from", to_status AS "to" FROM payment_request_transitions`,
};

export async function listMigrations(db: Executor): Promise<string[]> {
  return (await db.query<{ name: string }>(LIST_MIGRATIONS)).map(({ name }) => name);
}

export function listTransitions(db: Executor): Promise<{ from: string; to: string }[]> {
  return db.query(LIST_TRANSITIONS);
}
