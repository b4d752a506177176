/**
 * `npm run bench -- webhook-isolation`: how long the first attempt of an event takes to reach its
 * listener, from its commit on, while half of all listeners hang and 100 events a second arrive.
 * Options: `--seconds <n>` for each case (60), `--json`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectDatabase, type Database } from '../service/src/database/database.ts';
import { systemClock } from '../service/src/lib/clock.ts';
import { onboardMerchant } from '../service/src/merchants/onboard-merchant.ts';
import { createSenderSignal } from '../service/src/webhooks/wake-senders.ts';
import { enqueueWebhookEvents } from '../service/src/webhooks/webhook-outbox.ts';
import { setStage } from './stage.ts';

const LISTENERS = 100;
const EVENTS_PER_SECOND = 100;
/** Connections, code and statements of their first use are not what is measured. */
const WARM_UP_SECONDS = 3;
/** After the last event, for those that are late. */
const PATIENCE_MS = 3_000;
const LISTENERS_PROCESS = fileURLToPath(new URL('webhook-listeners.ts', import.meta.url));

interface Case {
  readonly name: string;
  readonly hanging: number;
  readonly hasEndpoints: boolean;
}

const CASES: readonly Case[] = [
  { name: '100 endpoints, none hangs', hanging: 0, hasEndpoints: true },
  { name: '100 endpoints, 50 hang', hanging: 50, hasEndpoints: true },
  { name: "one merchant's 100 webhookUrls, 50 hang", hanging: 50, hasEndpoints: false },
];

const args = process.argv.slice(2);
const seconds = args.includes('--seconds') ? Number(args[args.indexOf('--seconds') + 1]) : 60;
const serverUrl = process.env.BENCH_DATABASE_URL;
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is not set: run npm run bench.');
const results = [];
for (const one of CASES) {
  const result = { name: one.name, ...(await measure(serverUrl, one)) };
  results.push(result);
  if (!args.includes('--json')) process.stdout.write(`${describe(result)}\n`);
}
const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`;
if (args.includes('--json')) console.log(JSON.stringify({ machine, seconds, results }, null, 2));
else console.log(`${machine}; ${EVENTS_PER_SECOND} events a second for ${seconds} s`);

type Result = Awaited<ReturnType<typeof measure>> & { readonly name: string };

function describe({ name, sent, missing, p50Ms, p99Ms, mostMs }: Result): string {
  const times = `p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  max ${mostMs.toFixed(0)} ms`;
  return `${name.padEnd(42)} ${times}  ${sent} events to those that answer, ${missing} did not come`;
}

async function measure(server: string, { hanging, hasEndpoints }: Case) {
  const folder = mkdtempSync(join(tmpdir(), 'payment-requests-bench-'));
  const listeners = await startListeners(hanging);
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, listeners.caPem);
  const stage = await setStage(server, folder, {
    WEBHOOK_CA_FILE: caFile,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
    WEBHOOK_ALLOW_PORTS: '*',
    // One line an attempt is a production's habit; here it would be the terminal's work.
    LOG_LEVEL: 'warn',
  });
  const db = connectDatabase({ url: stage.databaseUrl, poolSize: 4 });
  try {
    const urls = listeners.ports.map((port) => `https://localhost:${port}/webhooks`);
    const targets: Target[] = [];
    for (const url of urls) {
      const merchantId = hasEndpoints
        ? await onboard(db, stage.settings, url)
        : stage.merchant.merchantId;
      targets.push({ merchantId, webhookUrl: hasEndpoints ? null : url });
    }
    const answering = targets.slice(hanging);
    await send(db, answering, WARM_UP_SECONDS);
    const committedAt = await send(db, targets, seconds);
    await wait(PATIENCE_MS);
    const good = [...committedAt].filter(([, { target }]) => answering.includes(target));
    const lags = good
      .flatMap(([id, { atMs }]) => (listeners.received.get(id) ?? Number.NaN) - atMs)
      .filter((lag) => !Number.isNaN(lag))
      .sort((a, b) => a - b);
    const at = (share: number) => lags[Math.min(lags.length - 1, Math.floor(lags.length * share))];
    return {
      sent: good.length,
      missing: good.length - lags.length,
      p50Ms: at(0.5) ?? Number.NaN,
      p99Ms: at(0.99) ?? Number.NaN,
      mostMs: lags.at(-1) ?? Number.NaN,
    };
  } finally {
    await db.close();
    // What hangs is let go, so that the service need not wait for it at its end.
    listeners.process.kill('SIGKILL');
    await stage.end();
    rmSync(folder, { recursive: true });
  }
}

interface Target {
  readonly merchantId: string;
  readonly webhookUrl: string | null;
}

/** Commits events at an even pace, to one target after the other. @returns when each was committed */
async function send(db: Database, targets: readonly Target[], forSeconds: number) {
  const signal = createSenderSignal(db);
  const committedAt = new Map<string, { readonly atMs: number; readonly target: Target }>();
  const commits: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let n = 0; n < forSeconds * EVENTS_PER_SECOND; n += 1) {
    const target = targets[n % targets.length] as Target;
    const dueMs = startedMs + (n * 1000) / EVENTS_PER_SECOND;
    if (dueMs > performance.now()) await wait(dueMs - performance.now());
    commits.push(
      commit(db, target).then(({ id, atMs }) => {
        committedAt.set(id, { atMs, target });
        signal.raise();
      }),
    );
  }
  await Promise.all(commits);
  return committedAt;
}

/** `atMs` is when the commit was asked for: what waits for the disk counts too. */
async function commit(
  db: Database,
  { merchantId, webhookUrl }: Target,
): Promise<{ readonly id: string; readonly atMs: number }> {
  const paymentRequestId = randomUUID();
  return db.transaction(async (tx) => {
    await enqueueWebhookEvents(tx, [
      {
        merchantId,
        paymentRequestId,
        sequence: 1,
        eventType: 'PAYMENT-COMPLETED',
        message: 'The payer completed the transaction.',
        resource: JSON.stringify({ id: paymentRequestId, amount: 10, note: 'x'.repeat(1_000) }),
        webhookUrl,
        createdAt: new Date(),
      },
    ]);
    const [row] = await tx.query<{ id: string }>(
      { name: 'bench-event', text: 'SELECT id FROM webhook_events WHERE payment_request_id = $1' },
      [paymentRequestId],
    );
    return { id: row?.id ?? '', atMs: performance.timeOrigin + performance.now() };
  });
}

async function onboard(
  db: Database,
  settings: Readonly<Record<string, string>>,
  webhookUrl: string,
): Promise<string> {
  const { merchantId } = await onboardMerchant(
    {
      db,
      clock: systemClock,
      environment: 'sandbox',
      credentialsPepper: Buffer.from(settings.CREDENTIALS_PEPPER ?? '', 'base64'),
      secretsKey: Buffer.from(settings.SECRETS_KEY ?? '', 'base64'),
      judgeWebhookUrl: async () => ({ allowed: true }),
      actor: 'bench',
    },
    { name: 'Bench', webhookUrl, webhookOrigins: [] },
  );
  return merchantId;
}

interface Listeners {
  readonly process: ChildProcess;
  readonly caPem: string;
  readonly ports: readonly number[];
  /** When each event came, the first time. */
  readonly received: ReadonlyMap<string, number>;
}

async function startListeners(hanging: number): Promise<Listeners> {
  const child = spawn(process.execPath, [LISTENERS_PROCESS, `${LISTENERS}`, `${hanging}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const received = new Map<string, number>();
  const first = await new Promise<string>((resolve) => lines.once('line', resolve));
  lines.on('line', (line) => {
    const [id = '', atMs] = line.split(' ');
    if (!received.has(id)) received.set(id, Number(atMs));
  });
  return { process: child, received, ...JSON.parse(first) };
}
