import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../service/test/support/free-port.ts';
import { settingsOf } from '../../service/test/support/service/service.ts';
import type { Verdict } from '../history/check-history.ts';
import { conclude } from '../history/conclude.ts';
import { createLinkMaker } from '../history/console/make-links.ts';
import { type History, openHistory } from '../history/history.ts';
import { onboardMerchants } from '../history/onboard.ts';
import { RECEIVER_SETTINGS, startReceiver } from '../history/receiver.ts';
import { startWorkload } from '../history/workload.ts';
import { startChaosPostgres } from './chaos-postgres.ts';
import { listImpossible, runNemesis, type Targets } from './nemesis.ts';
import { planFaults } from './plan-faults.ts';
import { migrateDatabase, runDoctor } from './run-payreq.ts';
import { startServiceSlot } from './service-slot.ts';

export interface ChaosRun {
  readonly seed: number;
  readonly seconds: number;
  /** Holds history, logs and, during the run, the data of PostgreSQL. */
  readonly folder: string;
  readonly hasNamespace: boolean;
  readonly signal: AbortSignal;
  /** Registers a step to undo; the last registered step runs first, also after a failure. */
  readonly onStop: (undo: () => unknown) => void;
  readonly print: (line: string) => void;
  /** The limit of each of settling, draining and reading to the end. */
  readonly limitMs: number;
}

/** Two processes of each role, so that one can do the work of both. */
const PROCESSES = ['api-1', 'api-2', 'background-1', 'background-2'] as const;
/** It sends what its own calls commit, before it tells the other senders. */
const BOTH_ROLES: (typeof PROCESSES)[number] = 'api-2';
const MERCHANTS = 2;
/** The first start of all processes at once, on a machine that has other work to do. */
const READY_MS = 180_000;

/** Starts the deployment, injects the faults of the seed, heals them, and compares. */
export async function runChaos(run: ChaosRun): Promise<Verdict> {
  const { seed, seconds, folder, signal, print } = run;
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const history = openHistory(join(folder, 'history.jsonl'), seed);
  print(`seed ${seed}, ${seconds} s of faults, history ${history.path}`);
  const { targets, databaseUrl, settings } = await startTargets(run, history);
  const merchants = await onboardMerchants(databaseUrl, settings, MERCHANTS);
  const apis = targets.slots.filter(({ role }) => role === 'api');
  for (const slot of targets.slots) {
    if (!(await slot.untilReady(READY_MS))) throw new Error(`${slot.name} does not become ready.`);
  }
  for (const merchant of merchants) {
    await targets.receiver.register(apis[0]?.origin ?? '', merchant);
  }
  for (const [kind, reason] of listImpossible(targets)) print(`skipped ${kind}: ${reason}`);

  let calls = 0;
  const nextOrigin = () => apis[calls++ % apis.length]?.origin ?? '';
  const links = createLinkMaker(databaseUrl);
  run.onStop(() => links.close());
  const people = { links, origins: apis.map(({ origin }) => origin) };
  const workload = startWorkload({ history, merchants, nextOrigin, people });
  run.onStop(() => workload.stop());
  history.append({ kind: 'phase', phase: 'load' });
  const plan = planFaults(seed, seconds * 1_000);
  const load = wait(seconds * 1_000, undefined, { signal }).catch(() => {});
  await Promise.all([runNemesis({ targets, plan, history, signal }), load]);
  signal.throwIfAborted();
  history.append({ kind: 'phase', phase: 'heal' });
  print('healed; waiting for the end of the work …');
  await heal(targets);
  const verdict = await conclude({
    history,
    workload,
    databaseUrl,
    merchantIds: merchants.map(({ merchantId }) => merchantId),
    limitMs: run.limitMs,
  });
  const doctor = await runDoctor({ ...settings, DATABASE_URL: databaseUrl });
  const lost = targets.slots.reduce((sum, { proxy }) => sum + proxy.lost(), 0);
  print(`answers of PostgreSQL that were lost after its work: ${lost}`);
  const failedStarts = targets.slots.flatMap((slot) => slot.failedStarts);
  print(`starts that gave up and were repeated: ${failedStarts.length}`);
  const ends = targets.slots.flatMap((slot) => slot.ends);
  return { ...verdict, unexpected: [...verdict.unexpected, ...ends, ...doctor] };
}

async function startTargets(run: ChaosRun, history: History) {
  const { folder, hasNamespace, signal, onStop } = run;
  const receiver = await startReceiver(history);
  onStop(() => receiver.close());
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, receiver.caPem);
  const postgres = await startChaosPostgres({ folder, hasNamespace, signal });
  onStop(() => postgres.stop());
  const settings = {
    ...settingsOf('sandbox', postgres.databaseUrl),
    ...RECEIVER_SETTINGS,
    WEBHOOK_CA_FILE: caFile,
  };
  await migrateDatabase(settings);
  const slots: Targets['slots'][number][] = [];
  for (const name of PROCESSES) {
    const role = name.startsWith('api') ? 'api' : 'background';
    const roles = name === BOTH_ROLES ? 'api,background' : role;
    // Each process keeps its ports through all of its starts.
    const ports = { port: await freePort(), opsPort: await freePort() };
    const logPath = join(folder, 'logs', `${name}.log`);
    const slot = await startServiceSlot({ name, role, roles, ports, settings, postgres, logPath });
    onStop(() => slot.close());
    slots.push(slot);
  }
  const targets: Targets = { slots, postgres, receiver };
  return { targets, databaseUrl: postgres.databaseUrl, settings };
}

async function heal({ slots, postgres, receiver }: Targets): Promise<void> {
  receiver.heal();
  postgres.emptyDisk();
  await postgres.start();
  for (const { proxy } of slots) proxy.restore();
  for (const slot of slots) {
    if (!(await slot.untilReady(READY_MS))) {
      throw new Error(`${slot.name} does not become ready after the faults.`);
    }
  }
}
