import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Executor } from '#database/database.ts';

/** The migrations of this version. */
export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

const LIST_APPLIED = { name: '', text: 'SELECT name FROM schema_migrations' };
const LIST_COMPATIBILITY = {
  name: '',
  text: 'SELECT schema, works_with AS oldest FROM schema_compatibility',
};
const HAS_TABLE = { name: '', text: 'SELECT to_regclass($1) IS NOT NULL AS "isThere"' };

/** The schema of the database and this version of the code do not fit. Exit code 78. */
export class SchemaFault extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'SchemaFault';
  }
}

/** How the migrations of the database stand to those of this version; names without `.sql`. */
export interface SchemaState {
  /** This version brings them, and the database does not have them yet. */
  readonly missing: readonly string[];
  /** The database has them, and this version does not know them. */
  readonly newer: readonly string[];
  /** The last migration of this version. */
  readonly last: string;
}

/**
 * Compares the migrations of the database with the files of this version.
 *
 * @throws SchemaFault where a later version has migrated the database in a way that this version
 *   does not work with (decision 0031)
 */
export async function readSchemaState(db: Executor, folder = MIGRATIONS): Promise<SchemaState> {
  const files = await readdir(folder);
  const known = files.filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -4));
  const applied = await listApplied(db);
  const missing = known.filter((name) => !applied.includes(name)).sort();
  const newer = applied.filter((name) => !known.includes(name)).sort();
  const last = [...known].sort().at(-1) ?? '';
  if (newer.length === 0) return { missing, newer, last };
  if (missing.length > 0) {
    throw new SchemaFault(
      `The database has ${newer.join(', ')}, which this version does not know, and lacks ` +
        `${missing.join(', ')}: it was migrated by a version of another line.`,
    );
  }
  await refuseIncompatible(db, newer, Math.max(...known.map(numberOf)));
  return { missing, newer, last };
}

async function listApplied(db: Executor): Promise<readonly string[]> {
  if (!(await hasTable(db, 'schema_migrations'))) return [];
  const rows = await db.query<{ name: string }>(LIST_APPLIED);
  return rows.map(({ name }) => name);
}

/** Each migration that this version does not know must say that this version works on it. */
async function refuseIncompatible(
  db: Executor,
  newer: readonly string[],
  ours: number,
): Promise<void> {
  const worksWith = new Map<number, number>();
  if (await hasTable(db, 'schema_compatibility')) {
    const rows = await db.query<{ schema: number; oldest: number }>(LIST_COMPATIBILITY);
    for (const { schema, oldest } of rows) worksWith.set(schema, oldest);
  }
  for (const name of newer) {
    const oldest = worksWith.get(numberOf(name));
    if (oldest !== undefined && oldest <= ours) continue;
    const needed = oldest === undefined ? 'a later version' : `schema ${oldest} or a later one`;
    throw new SchemaFault(
      `A later version has migrated the database: ${name} works with ${needed}, and this version ` +
        `knows schema ${ours}. Start the later version (docs/operations/upgrade.md).`,
    );
  }
}

async function hasTable(db: Executor, name: string): Promise<boolean> {
  const [row] = await db.query<{ isThere: boolean }>(HAS_TABLE, [name]);
  return row?.isThere ?? false;
}

/** 19 of "0019-schema-compatibility". */
function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}
