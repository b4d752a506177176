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
import type { ServiceUnderTest } from '../service/service-under-test.ts';
import { commitEvents, connectService, type Target } from '../webhooks/commit-events.ts';

export const EVENTS_PER_SECOND = 100;
/** The unmeasured start: connections open, code is compiled, statements are prepared. */
const WARM_UP_SECONDS = 3;
/** The wait for late webhooks after the last event. */
const LATE_MS = 3_000;
const LISTENERS_PROCESS = fileURLToPath(new URL('../webhooks/listeners.ts', import.meta.url));

export interface LagCase {
  readonly listeners: number;
  /** The number of listeners that never answer: the first of the list. */
  readonly hanging: number;
  /** Without endpoints, all URLs are `webhookUrl`s of a single merchant's payment requests. */
  readonly hasEndpoints: boolean;
  /** The share of events whose wake-up is lost, at random; none when left out. */
  readonly lostWakes?: number;
}

/** The time from COMMIT to the webhook's arrival at its listener. */
export interface Lag extends Use {
  /** Events to listeners that answer. */
  readonly sent: number;
  readonly missing: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Measures the lag of first attempts at 100 events a second, to the listeners in turn. */
export async function webhookLagLine(bench: Bench): Promise<Line> {
  const [service, { tlsFile }] = [await bench.service(), await bench.tls()];
  const measure = await openLagMeasure(service, tlsFile, {
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
        if (missing > 0) throw new Error(`${missing} of ${sent} webhooks did not come.`);
        return { ...lag, count: sent };
      },
    },
    beside: [],
    end: measure.end,
  };
}

/** Starts listeners for a service. Callers may call `run` again. */
export async function openLagMeasure(service: ServiceUnderTest, tlsFile: string, lagCase: LagCase) {
  const { hanging, hasEndpoints, lostWakes = 0 } = lagCase;
  const listeners = await startListeners(lagCase, tlsFile);
  const db = connectService(service);
  const targets: Target[] = [];
  for (const port of listeners.ports) {
    const url = `https://localhost:${port}/webhooks`;
    const merchantId = hasEndpoints
      ? await onboardListener(db, service.settings, url)
      : service.merchant.merchantId;
    targets.push({ merchantId, webhookUrl: hasEndpoints ? null : url });
  }
  const answering = targets.slice(hanging);
  let isWarm = false;
  return {
    async run(seconds: number): Promise<Lag> {
      if (!isWarm) await send(db, answering, Math.min(WARM_UP_SECONDS, seconds), 0);
      isWarm = true;
      const endWatch = await watchProcess(service);
      const committed = await send(db, targets, seconds, lostWakes);
      const use = await endWatch();
      const good = committed.filter(({ target }) => answering.includes(target));
      await waitForArrival(good.map(({ id }) => id));
      const lags = good
        .map((one) => (listeners.received.get(one.id) ?? Number.NaN) - one.atMs)
        .filter((lag) => !Number.isNaN(lag))
        .sort((a, b) => a - b);
      const at = (share: number) => lags[Math.floor(lags.length * share)] ?? Number.NaN;
      const maxMs = lags.at(-1) ?? Number.NaN;
      const missing = good.length - lags.length;
      return { sent: good.length, missing, p50Ms: at(0.5), p99Ms: at(0.99), maxMs, ...use };
    },
    async end() {
      await db.close();
      // SIGKILL ends the hanging exchanges, so that the service's drain does not wait for them.
      listeners.process.kill('SIGKILL');
    },
  };

  async function waitForArrival(ids: readonly string[]): Promise<void> {
    const endsAt = performance.now() + LATE_MS;
    const haveAllCome = () => ids.every((id) => listeners.received.has(id));
    while (!haveAllCome() && performance.now() < endsAt) await wait(50);
  }
}

interface Committed {
  /** The payment request's. */
  readonly id: string;
  readonly atMs: number;
  readonly target: Target;
}

/** Commits events at an even rate, to the targets in turn. */
async function send(
  db: Database,
  targets: readonly Target[],
  forSeconds: number,
  lostWakes: number,
) {
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
    const { paymentRequestIds, atMs } = await commitEvents(db, [target]);
    if (Math.random() >= lostWakes) signal.raise(paymentRequestIds);
    return { id: paymentRequestIds[0] ?? '', atMs, target };
  }
}

interface Listeners {
  readonly process: ChildProcess;
  readonly ports: readonly number[];
  /** The first arrival of a webhook of each payment request. */
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
