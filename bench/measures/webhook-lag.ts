import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../service/src/database/database.ts';
import { createSenderSignal } from '../../service/src/webhooks/events/wake-senders.ts';
import { type Use, watchProcess } from '../child-processes/watch-process.ts';
import type { Line } from '../line.ts';
import type { Bench } from '../open-bench.ts';
import { onboardListener } from '../service/onboard.ts';
import type { Stage } from '../service/service-under-test.ts';
import { commitEvents, connectStage, type Target } from '../webhooks/commit-events.ts';

export const EVENTS_PER_SECOND = 100;
/** Connections, code and statements of their first use are not what is measured. */
const WARM_UP_SECONDS = 3;
/** After the last event, for those that are late. */
const PATIENCE_MS = 3_000;
const LISTENERS_PROCESS = fileURLToPath(new URL('../webhooks/listeners.ts', import.meta.url));

export interface LagCase {
  readonly listeners: number;
  /** So many of them, the first, never answer. */
  readonly hanging: number;
  /** Else all URLs are one merchant's, given with its payment requests. */
  readonly hasEndpoints: boolean;
}

/** From the moment at which the commit was asked for to the webhook's arrival at its listener. */
export interface Lag extends Use {
  /** Events to listeners that answer. */
  readonly sent: number;
  readonly missing: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

/** The lag of first attempts at 100 events a second, to one listener after the other. */
export async function webhookLagLine(bench: Bench): Promise<Line> {
  const [stage, { tlsFile }] = [await bench.stage(), await bench.tls()];
  const measure = await openLagMeasure(stage, tlsFile, {
    listeners: bench.effort.lagListeners,
    hanging: 0,
    hasEndpoints: true,
  });
  return {
    name: `commit to first attempt, ${EVENTS_PER_SECOND} events/s`,
    figure: 'p99Ms',
    ours: {
      name: 'ours',
      async run() {
        const { missing, sent, ...lag } = await measure.run(bench.effort.lagSeconds);
        if (missing > 0) throw new Error(`${missing} of ${sent} webhooks did not come`);
        return lag;
      },
    },
    beside: [],
    end: measure.end,
  };
}

/** Listeners of their own for a service. `run` may be called again. */
export async function openLagMeasure(stage: Stage, tlsFile: string, lagCase: LagCase) {
  const { hanging, hasEndpoints } = lagCase;
  const listeners = await startListeners(lagCase, tlsFile);
  const db = connectStage(stage);
  const targets: Target[] = [];
  for (const port of listeners.ports) {
    const url = `https://localhost:${port}/webhooks`;
    const merchantId = hasEndpoints
      ? await onboardListener(db, stage.settings, url)
      : stage.merchant.merchantId;
    targets.push({ merchantId, webhookUrl: hasEndpoints ? null : url });
  }
  const answering = targets.slice(hanging);
  let isWarm = false;
  return {
    async run(seconds: number): Promise<Lag> {
      if (!isWarm) await send(db, answering, Math.min(WARM_UP_SECONDS, seconds));
      isWarm = true;
      const endWatch = await watchProcess(stage);
      const committed = await send(db, targets, seconds);
      const use = await endWatch();
      const good = committed.filter(({ target }) => answering.includes(target));
      await arrivalOf(good.map(({ id }) => id));
      const lags = good
        .map((one) => (listeners.received.get(one.id) ?? Number.NaN) - one.atMs)
        .filter((lag) => !Number.isNaN(lag))
        .sort((a, b) => a - b);
      const at = (share: number) => lags[Math.floor(lags.length * share)] ?? Number.NaN;
      const mostMs = lags.at(-1) ?? Number.NaN;
      const missing = good.length - lags.length;
      return { sent: good.length, missing, p50Ms: at(0.5), p99Ms: at(0.99), mostMs, ...use };
    },
    async end() {
      await db.close();
      // What hangs is let go, so that the service need not wait for it at its end.
      listeners.process.kill('SIGKILL');
    },
  };

  async function arrivalOf(ids: readonly string[]): Promise<void> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    const isAll = () => ids.every((id) => listeners.received.has(id));
    while (!isAll() && performance.now() < giveUpAt) await wait(50);
  }
}

interface Committed {
  /** Its webhook-id. */
  readonly id: string;
  readonly atMs: number;
  readonly target: Target;
}

/** Commits events at an even pace, to one target after the other. */
async function send(db: Database, targets: readonly Target[], forSeconds: number) {
  const signal = createSenderSignal(db);
  const commits: Promise<Committed>[] = [];
  const startedMs = performance.now();
  for (let n = 0; n < forSeconds * EVENTS_PER_SECOND; n += 1) {
    const target = targets[n % targets.length] as Target;
    const dueMs = startedMs + (n * 1000) / EVENTS_PER_SECOND;
    if (dueMs > performance.now()) await wait(dueMs - performance.now());
    commits.push(commit(target));
  }
  return Promise.all(commits);

  async function commit(target: Target): Promise<Committed> {
    const { ids, atMs } = await commitEvents(db, [target]);
    signal.raise();
    return { id: ids[0] ?? '', atMs, target };
  }
}

interface Listeners {
  readonly process: ChildProcess;
  readonly ports: readonly number[];
  /** When each event came, the first time. */
  readonly received: ReadonlyMap<string, number>;
}

async function startListeners(lagCase: LagCase, tlsFile: string): Promise<Listeners> {
  const args = [LISTENERS_PROCESS, `${lagCase.listeners}`, `${lagCase.hanging}`, tlsFile];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const lines = createInterface({ input: child.stdout });
  const received = new Map<string, number>();
  const first = await new Promise<string>((resolve) => lines.once('line', resolve));
  lines.on('line', (line) => {
    const [id = '', atMs] = line.split(' ');
    if (!received.has(id)) received.set(id, Number(atMs));
  });
  return { process: child, received, ports: JSON.parse(first) };
}
