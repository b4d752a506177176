import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startChild } from '../child-processes/start-child.ts';
import { spentBetween } from '../child-processes/watch-process.ts';
import type { Contender, Sample } from '../line.ts';
import type { Bench } from '../open-bench.ts';
import { createPaymentRequest } from '../service/calls.ts';
import type { ServiceUnderTest } from '../service/service-under-test.ts';
import type { InsertLoad } from './pg-clients.ts';
import { runPgbench } from './run-pgbench.ts';

const PG_CLIENTS = fileURLToPath(new URL('pg-clients.ts', import.meta.url));
/** Debian's folder with the programs of each version. */
const DEBIAN = '/usr/lib/postgresql';
/** The number in the target's name; more clients only wait for the same disk. */
const CLIENTS = 8;
/** The first version with its own time-ordered UUIDs, which cost less than our function. */
const FIRST_WITH_UUIDV7 = 180_000;

/**
 * The limit of PostgreSQL: eight clients insert the rows of a create, with pgbench if it is
 * installed.
 * Otherwise a loop of `pg` inserts them; it costs more CPU, so that limit is lower. The contender's
 * name says which program ran.
 *
 * @param script a file of this folder
 */
export async function insertedRows(
  bench: Bench,
  service: ServiceUnderTest,
  script: string,
): Promise<Contender> {
  const sql = await readScript(script, service.databaseUrl);
  const { merchantId } = service.merchant;
  const load: InsertLoad = {
    sql,
    databaseUrl: service.databaseUrl,
    clients: CLIENTS,
    seconds: bench.effort.seconds,
    values: { merchant: merchantId, body: JSON.stringify(await createPaymentRequest(service)) },
  };
  const pgbench = findPgbench();
  if (pgbench) {
    const run = () =>
      withDatabaseTime(service, () => runPgbench({ ...load, pgbench, folder: bench.folder }));
    return { name: `pgbench, same rows, ${CLIENTS} clients`, run };
  }
  return {
    name: `pg, same rows, ${CLIENTS} clients`,
    run: () => withDatabaseTime(service, () => runClients(load)),
  };
}

async function withDatabaseTime(
  { database }: ServiceUnderTest,
  run: () => Promise<Sample>,
): Promise<Sample> {
  const before = await database.read();
  const sample = await run();
  return { ...sample, ...spentBetween(before, await database.read()) };
}

async function readScript(script: string, databaseUrl: string): Promise<string> {
  const sql = readFileSync(new URL(script, import.meta.url), 'utf8');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('SHOW server_version_num');
  await client.end();
  const hasUuidv7 = Number(rows[0].server_version_num) >= FIRST_WITH_UUIDV7;
  return hasUuidv7 ? sql.replaceAll('time_ordered_uuid()', 'uuidv7()') : sql;
}

/** Finds pgbench on PATH, else in Debian's folder of the highest version. */
function findPgbench(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...newestFirst.map((version) => join(DEBIAN, version, 'bin')),
  ];
  return folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path));
}

async function runClients(load: InsertLoad): Promise<Sample> {
  const child = await startChild(PG_CLIENTS);
  try {
    return await child.ask<Sample>(load);
  } finally {
    await child.end();
  }
}
