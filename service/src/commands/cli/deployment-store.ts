import type { Executor } from '#database/database.ts';

const HAS_SCHEMA = {
  name: 'deployment-has-schema',
  text: `SELECT to_regclass('deployment') IS NOT NULL AS "hasSchema"`,
};

const FIND_ENVIRONMENT = {
  name: 'deployment-find-environment',
  text: 'SELECT environment FROM deployment',
};

/** Which environment the database belongs to; `null` where it is not set up yet. */
export async function findEnvironment(db: Executor): Promise<string | null> {
  const [schema] = await db.query<{ hasSchema: boolean }>(HAS_SCHEMA);
  if (!schema?.hasSchema) return null;
  const [row] = await db.query<{ environment: string }>(FIND_ENVIRONMENT);
  return row?.environment ?? null;
}
