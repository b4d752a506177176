import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../service/test/support/free-port.ts';
import { settingsOf } from '../../service/test/support/service/service.ts';
import type { WorkloadMerchant } from '../history/call-service.ts';
import { type History, openHistory } from '../history/history.ts';
import { RECEIVER_SETTINGS, type Receiver, startReceiver } from '../history/receiver.ts';
import { makeRollingSlot, type Roles, type RollingSlot } from './rolling-slot.ts';

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const PLACES: readonly Roles[] = ['api', 'api', 'background', 'background'];

/** A database of its own, places for four processes, and what the load needs. */
export interface RollingDeployment {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly history: History;
  readonly receiver: Receiver;
  /** Two of each role: the first ones serve calls. */
  readonly slots: readonly RollingSlot[];
  /** Runs a command of a version. @returns its output */
  run(cli: string, ...args: string[]): string;
  /** A merchant that this version has made. */
  onboard(cli: string, name: string): WorkloadMerchant;
  newestMigration(): Promise<number>;
  /** The address of an API process that was ready lately, in turn. */
  nextOrigin(): string;
  close(): Promise<void>;
}

/** Makes an empty database and empty places; no process runs yet. */
export async function makeRollingDeployment(seed: number): Promise<RollingDeployment> {
  const folder = mkdtempSync(join(tmpdir(), 'rolling-upgrade-'));
  chmodSync(folder, 0o711);
  const database = `payreq_rolling_${randomBytes(6).toString('hex')}`;
  await query(SERVER, `CREATE DATABASE ${database}`);
  const url = new URL(SERVER);
  url.pathname = `/${database}`;
  const databaseUrl = url.href;
  const history = openHistory(join(folder, 'history.jsonl'), seed);
  const receiver = await startReceiver(history);
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, receiver.caPem);
  const settings = {
    ...settingsOf('sandbox', databaseUrl),
    ...RECEIVER_SETTINGS,
    WEBHOOK_CA_FILE: caFile,
    START_TIMEOUT: '120',
  };
  const slots = await makeSlots(folder, settings);
  const apis = slots.filter(({ roles }) => roles === 'api');
  const env = { PATH: process.env.PATH, ...settings };
  const run = (cli: string, ...args: string[]) =>
    execFileSync(process.execPath, [cli, ...args], { env, encoding: 'utf8' });
  let calls = 0;
  return {
    folder,
    databaseUrl,
    history,
    receiver,
    slots,
    run,
    onboard(cli, name) {
      const merchant = JSON.parse(run(cli, 'merchant', 'create', '--name', name, '--json'));
      const limits = ['--merchant', merchant.merchantId, '--refunds-per-day', '10000000'];
      run(cli, 'merchant', 'set-limits', ...limits);
      return merchant;
    },
    async newestMigration() {
      const text = 'SELECT max(left(name, 4)::int) AS newest FROM schema_migrations';
      return (await query(databaseUrl, text))[0].newest;
    },
    nextOrigin() {
      const ready = apis.filter((slot) => slot.isReady());
      const from = ready.length > 0 ? ready : apis;
      return from[calls++ % from.length]?.origin ?? '';
    },
    async close() {
      await Promise.all(slots.map((slot) => slot.close()));
      await receiver.close();
      await query(SERVER, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function makeSlots(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<RollingSlot[]> {
  const slots: RollingSlot[] = [];
  for (const [index, roles] of PLACES.entries()) {
    const ports = { port: await freePort(), opsPort: await freePort() };
    const name = `${roles} ${index}`;
    const logPath = join(folder, `${name}.log`);
    slots.push(makeRollingSlot({ name, roles, ports, settings, logPath }));
  }
  return slots;
}

// biome-ignore lint/suspicious/noExplicitAny: rows of any statement
async function query(connectionString: string, text: string): Promise<any[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
