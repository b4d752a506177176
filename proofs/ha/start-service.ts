import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { settingsOf } from '../../service/test/support/service/service.ts';
import { RECEIVER_SETTINGS } from '../history/receiver.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Member } from './cluster/patroni-api.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

const DATABASE = 'payment_requests';
/** Two processes of each role, so that one could always work. */
const ROLES = ['api', 'api', 'background', 'background'] as const;

/** The processes of the service; none of them is ever started again. */
export interface Deployment {
  readonly settings: Readonly<Record<string, string>>;
  readonly processes: readonly ServiceProcess[];
  /** The addresses of the API. */
  readonly origins: readonly string[];
  /** Whether every process says that it can write. */
  areReady(): Promise<boolean>;
  stop(): void;
}

/** Makes the database on the leader, and starts the service on it through HAProxy. */
export async function startDeployment(
  cluster: Cluster,
  leader: Member,
  caPem: string,
): Promise<Deployment> {
  const password = 'of-a-proof-that-is-thrown-away';
  await makeDatabase(cluster.urlOn(leader.name, 'postgres'), password);
  const caFile = join(cluster.folder, 'receiver-ca.pem');
  writeFileSync(caFile, caPem);
  const settings = {
    ...settingsOf('sandbox', cluster.url(DATABASE, password, DATABASE)),
    ...RECEIVER_SETTINGS,
    WEBHOOK_CA_FILE: caFile,
  };
  const processes: ServiceProcess[] = [];
  // In turn: the first migrates, and a busy machine starts each of them faster alone.
  for (const role of ROLES) processes.push(await startServiceProcess(settings, role));
  return {
    settings,
    processes,
    origins: processes.filter(({ role }) => role === 'api').map(({ url }) => url),
    async areReady() {
      const ready = await Promise.all(processes.map((each) => each.isReady()));
      return ready.every(Boolean);
    },
    stop() {
      for (const each of processes) each.kill();
    },
  };
}

async function makeDatabase(connectionString: string, password: string): Promise<void> {
  const admin = new pg.Client({ connectionString });
  await admin.connect();
  await admin.query(`CREATE ROLE ${DATABASE} LOGIN PASSWORD '${password}'`);
  await admin.query(`CREATE DATABASE ${DATABASE} OWNER ${DATABASE}`);
  await admin.end();
}
