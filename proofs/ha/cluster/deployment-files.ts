import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Replacements, renderFile } from './render-file.ts';

const FOLDER = new URL('../../../deploy/high-availability/', import.meta.url);

/** The database machines, as the files name them. */
export const MACHINES = ['db1', 'db2', 'db3'] as const;
export type MachineName = (typeof MACHINES)[number];

/** The ports of a machine; all machines of the proof share one address. */
export interface MachinePorts {
  readonly postgres: number;
  readonly restApi: number;
  readonly etcdClient: number;
  readonly etcdPeer: number;
}

/** The values for the files of `deploy/high-availability`. */
export interface ClusterPlan {
  readonly ports: Readonly<Record<MachineName, MachinePorts>>;
  /** The port at which the service finds the leader. */
  readonly haproxyPort: number;
  readonly passwords: {
    readonly superuser: string;
    readonly replication: string;
    readonly restApi: string;
  };
  /** Holds PostgreSQL's programs. */
  readonly binDir: string;
  /** Holds one folder for each machine. */
  readonly folder: string;
}

const HOST = '127.0.0.1';
const PLACES = ['@DB1@', '@DB2@', '@DB3@'] as const;

const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
const folderOf = (plan: ClusterPlan, name: MachineName) => join(plan.folder, name);

/** The settings of Patroni on one machine. */
export function patroniFile(plan: ClusterPlan, name: MachineName): string {
  const { postgres, restApi } = plan.ports[name];
  const folder = folderOf(plan, name);
  return renderFile(read('patroni.yml'), [
    ...everyMachine(plan, 2379, ({ etcdClient }) => etcdClient),
    ['@ADDRESS@:8008', `${HOST}:${restApi}`],
    ['@ADDRESS@:5432', `${HOST}:${postgres}`],
    ['@NODE@', name],
    ['@NETWORK@', `${HOST}/32`],
    ['@SUPERUSER_PASSWORD@', plan.passwords.superuser],
    ['@REPLICATION_PASSWORD@', plan.passwords.replication],
    ['@RESTAPI_PASSWORD@', plan.passwords.restApi],
    ['/usr/lib/postgresql/15/bin', plan.binDir],
    ['/var/lib/postgresql/15/payment-requests', join(folder, 'data')],
    ['/var/lib/postgresql/patroni.pgpass', join(folder, 'patroni.pgpass')],
    ['/var/run/postgresql', folder],
    ['/etc/patroni', plan.folder],
  ]);
}

/** The environment of etcd on one machine. */
export function etcdEnvironment(plan: ClusterPlan, name: MachineName): Record<string, string> {
  const { etcdClient, etcdPeer } = plan.ports[name];
  const text = renderFile(read('etcd.env'), [
    ...everyMachine(plan, 2380, (ports) => ports.etcdPeer),
    ['@ADDRESS@:2380', `${HOST}:${etcdPeer}`],
    ['@ADDRESS@:2379', `${HOST}:${etcdClient}`],
    ['@NODE@', name],
    ['/var/lib/etcd/payment-requests', join(folderOf(plan, name), 'etcd')],
  ]);
  return parseEnv(text) as Record<string, string>;
}

/** The settings of HAProxy on a machine of the service. */
export function haproxyFile(plan: ClusterPlan): string {
  const checks: Replacements = MACHINES.map((name) => [
    `${HOST}:${plan.ports[name].postgres} port 8008`,
    `${HOST}:${plan.ports[name].postgres} port ${plan.ports[name].restApi}`,
  ]);
  return renderFile(read('haproxy.cfg'), [
    ['bind 127.0.0.1:5432', `bind ${HOST}:${plan.haproxyPort}`],
    // The proof starts HAProxy without root's rights.
    ['    user haproxy\n    group haproxy\n', ''],
    ...everyMachine(plan, 5432, ({ postgres }) => postgres),
    ...checks,
  ]);
}

function everyMachine(
  plan: ClusterPlan,
  port: number,
  portOf: (ports: MachinePorts) => number,
): Replacements {
  return MACHINES.map((name, index) => [
    `${PLACES[index]}:${port}`,
    `${HOST}:${portOf(plan.ports[name])}`,
  ]);
}
