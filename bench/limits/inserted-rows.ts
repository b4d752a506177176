import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startChild } from '../child-processes/start-child.ts';
import type { Contender, Sample } from '../line.ts';
import { createOne } from '../measures/merchant-calls.ts';
import type { Bench } from '../open-bench.ts';
import type { Stage } from '../service/service-under-test.ts';
import type { InsertOrder } from './pg-clients.ts';
import { runPgbench } from './run-pgbench.ts';

const PG_CLIENTS = fileURLToPath(new URL('pg-clients.ts', import.meta.url));
/** Where Debian keeps the programs of each version. */
const DEBIAN = '/usr/lib/postgresql';
/** As the target says (issue 6); more of them only wait for the same disk. */
const CLIENTS = 8;
/** The first that makes time-ordered UUIDs by itself, which costs less than our function. */
const FIRST_WITH_UUIDV7 = 180_000;

/**
 * The limit of PostgreSQL: the rows of a create from eight clients, with pgbench where there is one,
 * else with a bare loop of `pg`, which costs more and is so the easier limit: its name says which.
 *
 * @param script a file of this folder
 */
export async function insertedRows(bench: Bench, stage: Stage, script: string): Promise<Contender> {
  const sql = await readScript(script, stage.databaseUrl);
  const { merchantId } = stage.merchant;
  const order: InsertOrder = {
    sql,
    databaseUrl: stage.databaseUrl,
    clients: CLIENTS,
    seconds: bench.effort.seconds,
    values: { merchant: merchantId, body: JSON.stringify(await createOne(stage)) },
  };
  const pgbench = findPgbench();
  if (pgbench) {
    const run = () => runPgbench({ ...order, pgbench, folder: bench.folder });
    return { name: `pgbench, same rows, ${CLIENTS} clients`, run };
  }
  return { name: `pg, same rows, ${CLIENTS} clients`, run: () => runClients(order) };
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

/** On PATH, or else of the highest version that Debian has installed. */
function findPgbench(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...newestFirst.map((version) => join(DEBIAN, version, 'bin')),
  ];
  return folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path));
}

async function runClients(order: InsertOrder): Promise<Sample> {
  const child = await startChild(PG_CLIENTS);
  try {
    return await child.ask<Sample>(order);
  } finally {
    await child.end();
  }
}
