import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Executor } from '#database/database.ts';
import { firstValue } from '#database/statements.ts';

/** The files of this version: its tables, and its migrations since 1.0.0 (decision 0118). */
export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** JSON, because the table of a version before 1.0.0 has no column `sha256`. */
const LIST_APPLIED = {
  name: '',
  text: `SELECT name, to_jsonb(m) ->> 'sha256' AS sha256 FROM schema_migrations m`,
};
const LIST_COMPATIBILITY = {
  name: '',
  text: 'SELECT schema, works_with AS oldest FROM schema_compatibility',
};
/** The schema of the database and this version of the code do not fit. Exit code 78. */
export class SchemaFault extends Error {
  override name = 'SchemaFault';
}

/** The database was made from other files than those of this version. Exit code 78. */
export class OtherFilesFault extends SchemaFault {
  constructor(names: readonly string[]) {
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    super(
      'The database was made from other table files than those of this version: ' +
        `${names.slice(0, NAMED).join(', ')}${more}. Versions before 1.0.0 and pre-releases ` +
        'promise no upgrade (docs/operations/upgrade.md). Nothing was changed. Name an empty ' +
        'database in DATABASE_URL; for npm start, move LOCAL_DIR away.',
    );
    this.name = 'OtherFilesFault';
  }
}

/** Three names tell a person which version made the database. */
const NAMED = 3;

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
 * @throws OtherFilesFault where the database was made from other files, or from other contents
 * @throws SchemaFault where a later version has migrated the database in a way that this version
 *   does not work with (decision 0031)
 */
export async function readSchemaState(db: Executor, folder = MIGRATIONS): Promise<SchemaState> {
  const known = await hashFiles(folder);
  const applied = await listApplied(db);
  const missing = [...known.keys()].filter((name) => !applied.has(name));
  const newer = [...applied.keys()].filter((name) => !known.has(name)).sort();
  const changed = [...known].filter(([name, sha256]) => (applied.get(name) ?? sha256) !== sha256);
  if (changed.length > 0) throw new OtherFilesFault(changed.map(([name]) => name));
  if (newer.length > 0 && missing.length > 0) throw new OtherFilesFault(newer);
  const last = [...known.keys()].at(-1) ?? '';
  await refuseIncompatible(db, newer, numberOf(last));
  return { missing, newer, last };
}

/** The SHA-256 of each file in a folder, by its name without `.sql`, in the order of the names. */
export async function hashFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const hashes = names.map(async (file): Promise<[string, string]> => {
    return [file.slice(0, -4), hash('sha256', await readFile(join(folder, file)))];
  });
  return new Map(await Promise.all(hashes));
}

/** The migrations of the database, each with the SHA-256 of its file; null: not recorded. */
async function listApplied(db: Executor): Promise<ReadonlyMap<string, string | null>> {
  if (!(await hasTable(db, 'schema_migrations'))) return new Map();
  const rows = await db.query<{ name: string; sha256: string | null }>(LIST_APPLIED);
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

/** Each migration that this version does not know must say that this version works on it. */
async function refuseIncompatible(
  db: Executor,
  newer: readonly string[],
  ours: number,
): Promise<void> {
  if (newer.length === 0) return;
  const rows = await db.query<{ schema: number; oldest: number }>(LIST_COMPATIBILITY);
  const worksWith = new Map(rows.map(({ schema, oldest }) => [schema, oldest]));
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

const hasTable = firstValue<boolean, [name: string]>(
  '',
  'SELECT to_regclass($1) IS NOT NULL AS "isThere"',
  false,
);

/** 8 of "0008-ledger". */
function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}
