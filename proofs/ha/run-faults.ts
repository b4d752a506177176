import { setTimeout as wait } from 'node:timers/promises';
import { type History, readHistory } from '../history/history.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { MachineName } from './cluster/deployment-files.ts';
import type { Member } from './cluster/patroni-api.ts';
import { countSplitBrainRows, openSplitBrain } from './split-brain.ts';
import type { Deployment } from './start-service.ts';

/** Before each fault the load runs in good order for so long. */
const CALM_MS = 5_000;
/** A failover takes 20 s and the election; more than a minute breaks the promise. */
const WRITES_BACK_MS = 90_000;
/** A former leader rewinds, and replays what it missed. */
const WHOLE_AGAIN_MS = 90_000;
const LOOK_MS = 250;
/** A line of Patroni's log. */
const WAS_REWOUND = /running pg_rewind from/;
/** No fault begins later: the run has 8 minutes, and a fault and the drain take up to two. */
const FAULTS_MS = 4 * 60_000;
/** Longer than a leader's right lasts, so that the last machine has to give it up. */
const ALONE_MS = 25_000;

export interface FaultRun {
  readonly cluster: Cluster;
  readonly deployment: Deployment;
  readonly history: History;
  readonly print: (line: string) => void;
  /** Collects the broken promises that the history cannot show. */
  readonly broken: string[];
  readonly signal: AbortSignal;
}

/** Every fault, by name. Each leaves a cluster in good order. */
export const FAULTS = {
  'kill the leader': killLeader,
  'freeze the leader': freezeLeader,
  'switch over': switchOver,
  'crash PostgreSQL of the leader': crashLeader,
  'kill the synchronous standby': killStandby,
  'lose two machines': loseTwoMachines,
} as const;
export type FaultName = keyof typeof FAULTS;

/**
 * Runs the faults one after another, each on a cluster in good order and under load. On a machine
 * with much other work the last faults are left out, so that the run ends in time.
 */
export async function runFaults(run: FaultRun, names: readonly FaultName[]): Promise<void> {
  const endsMs = performance.now() + FAULTS_MS;
  for (const name of names) {
    if (performance.now() > endsMs) {
      run.print(`${name}: left out, because this machine has too much other work`);
      continue;
    }
    const leader = await run.cluster.untilWhole(WHOLE_AGAIN_MS);
    await wait(CALM_MS, undefined, { signal: run.signal });
    run.cluster.machines[leader.name].newLog();
    run.print(`${name}: ${leader.name} leads on timeline ${leader.timeline} …`);
    await FAULTS[name](run, leader, name);
  }
}

async function killLeader(run: FaultRun, leader: Member, name: string): Promise<void> {
  const machine = run.cluster.machines[leader.name];
  run.history.append({ kind: 'fault', fault: name, detail: leader.name });
  await machine.kill();
  await untilWritesAreBack(run, leader.name);
  machine.start();
  await rejoin(run, leader);
}

async function freezeLeader(run: FaultRun, leader: Member, name: string): Promise<void> {
  const { cluster, history, broken } = run;
  const machine = cluster.machines[leader.name];
  const splitBrain = await openSplitBrain(cluster.urlOn(leader.name, 'postgres'));
  history.append({ kind: 'fault', fault: name, detail: leader.name });
  machine.freeze();
  await untilWritesAreBack(run, leader.name);
  const over = new AbortController();
  const writing = splitBrain.writeUntil(over.signal);
  splitBrain.sendIntoFrozen();
  machine.thaw();
  await rejoin(run, leader);
  over.abort();
  await writing;
  await splitBrain.close();
  const { acknowledged, tried } = splitBrain;
  run.print(`  the deposed leader was sent ${tried} writes and acknowledged ${acknowledged}`);
  const now = await cluster.untilWhole(WHOLE_AGAIN_MS);
  const rows = await countSplitBrainRows(cluster.urlOn(now.name, 'postgres'));
  if (acknowledged > 0) broken.push(`the deposed leader acknowledged ${acknowledged} writes`);
  if (rows > 0) broken.push(`${rows} writes of the deposed leader came back`);
}

async function crashLeader(run: FaultRun, leader: Member, name: string): Promise<void> {
  run.history.append({ kind: 'fault', fault: name, detail: leader.name });
  run.cluster.machines[leader.name].crashPostgres();
  await untilWritesAreBack(run, leader.name);
  await rejoin(run, leader);
}

async function killStandby(run: FaultRun, leader: Member, name: string): Promise<void> {
  const members = (await run.cluster.members()) ?? [];
  const standby = members.find(({ role }) => role === 'sync_standby');
  if (!standby) throw new Error('The cluster has no synchronous standby.');
  const machine = run.cluster.machines[standby.name];
  run.history.append({ kind: 'fault', fault: name, detail: standby.name });
  await machine.kill();
  await untilReady(run, standby.name);
  machine.start();
  await run.cluster.untilWhole(WHOLE_AGAIN_MS);
  run.print(`  ${standby.name} follows ${leader.name} again`);
}

async function switchOver(run: FaultRun, leader: Member, name: string): Promise<void> {
  run.history.append({ kind: 'fault', fault: name, detail: leader.name });
  await run.cluster.switchOver(leader.name);
  await untilWritesAreBack(run, leader.name);
  await rejoin(run, leader);
}

/** The last machine must acknowledge nothing, and the service must work again with a second one. */
async function loseTwoMachines(run: FaultRun, leader: Member, name: string): Promise<void> {
  const { cluster, history, broken, print, signal } = run;
  const lost = Object.values(cluster.machines).filter((machine) => machine.name !== leader.name);
  history.append({ kind: 'fault', fault: name, detail: lost.map((each) => each.name).join(' ') });
  await Promise.all(lost.map((machine) => machine.kill()));
  const before = countAcknowledged(history);
  await wait(ALONE_MS, undefined, { signal });
  const acknowledged = countAcknowledged(history) - before;
  print(
    `  ${leader.name} was alone for ${ALONE_MS / 1e3} s and acknowledged ${acknowledged} writes`,
  );
  if (acknowledged > 0) broken.push(`a machine that was alone acknowledged ${acknowledged} writes`);
  for (const machine of lost) machine.start();
  await cluster.untilWhole(WHOLE_AGAIN_MS);
  await until(run, 'Writes are not back', () => run.deployment.areReady());
}

/** Creations are the writes that a merchant pays for. */
function countAcknowledged({ path }: History): number {
  const lines = readHistory(path);
  const creates = new Set<number>();
  for (const line of lines) {
    if (line.kind === 'sent' && line.asked.name === 'create') creates.add(line.call);
  }
  return lines.filter(
    (line) => line.kind === 'answered' && line.outcome === 'ok' && creates.has(line.call),
  ).length;
}

/** Waits until another machine leads and every process of the service can write. */
async function untilWritesAreBack(run: FaultRun, former: MachineName): Promise<void> {
  await until(run, 'Writes are not back', async () => {
    const members = await run.cluster.members();
    const leader = members?.find(({ role }) => role === 'leader');
    return leader !== undefined && leader.name !== former && run.deployment.areReady();
  });
}

/** Waits until the leader has chosen another synchronous standby, and the service can write. */
async function untilReady(run: FaultRun, former: MachineName): Promise<void> {
  await until(run, 'Writes are not back', async () => {
    const members = await run.cluster.members();
    const standby = members?.find(({ role }) => role === 'sync_standby');
    return standby !== undefined && standby.name !== former && run.deployment.areReady();
  });
}

async function until(
  { signal }: FaultRun,
  fault: string,
  check: () => Promise<boolean>,
): Promise<void> {
  const endsMs = performance.now() + WRITES_BACK_MS;
  while (!(await check())) {
    if (performance.now() > endsMs) throw new Error(`${fault} after ${WRITES_BACK_MS / 1e3} s.`);
    await wait(LOOK_MS, undefined, { signal });
  }
}

/** Waits until the former leader follows the new one, on the new timeline. */
async function rejoin({ cluster, print, broken }: FaultRun, former: Member): Promise<void> {
  const leader = await cluster.untilWhole(WHOLE_AGAIN_MS);
  const way = WAS_REWOUND.test(cluster.machines[former.name].newLog())
    ? 'was rewound and follows'
    : 'follows';
  print(`  ${former.name} ${way} ${leader.name} on timeline ${leader.timeline}`);
  if (leader.name === former.name) broken.push(`${former.name} leads again without an order`);
  if ((leader.timeline ?? 0) <= (former.timeline ?? 0)) broken.push('the timeline has not grown');
}
