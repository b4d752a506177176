/**
 * `npm run bench -- webhook-isolation`: how long the first attempt of an event takes to reach its
 * listener, from its commit on, while half of all listeners hang and 100 events a second arrive.
 * Options: `--seconds <n>` for each case (60), `--json`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from '../describe-machine.ts';
import {
  EVENTS_PER_SECOND,
  type Lag,
  type LagCase,
  openLagMeasure,
} from '../measures/webhook-lag.ts';
import { setStage } from '../service/service-under-test.ts';
import { loopbackWebhooks, makeListenerTls } from '../webhooks/listener-tls.ts';

const CASES: readonly (LagCase & { readonly name: string })[] = [
  { name: '100 endpoints, none hangs', listeners: 100, hanging: 0, hasEndpoints: true },
  { name: '100 endpoints, 50 hang', listeners: 100, hanging: 50, hasEndpoints: true },
  {
    name: "one merchant's 100 webhookUrls, 50 hang",
    listeners: 100,
    hanging: 50,
    hasEndpoints: false,
  },
];

const args = process.argv.slice(2);
const isJson = args.includes('--json');
const seconds = args.includes('--seconds') ? Number(args[args.indexOf('--seconds') + 1]) : 60;
const serverUrl = process.env.BENCH_DATABASE_URL;
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is not set: run npm run bench.');
const folder = mkdtempSync(join(tmpdir(), 'payment-requests-bench-'));
const results: Result[] = [];
try {
  const tls = await makeListenerTls(folder);
  for (const one of CASES) {
    const stage = await setStage(serverUrl, loopbackWebhooks(tls));
    const measure = await openLagMeasure(stage, tls.tlsFile, one);
    const lag = await measure.run(seconds).finally(measure.end);
    await stage.end();
    results.push({ name: one.name, ...lag });
    if (!isJson) process.stdout.write(`${describe({ name: one.name, ...lag })}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
const machine = describeMachine();
if (isJson) console.log(JSON.stringify({ machine, seconds, results }, null, 2));
else console.log(`${machine}; ${EVENTS_PER_SECOND} events a second for ${seconds} s`);

type Result = Lag & { readonly name: string };

function describe({ name, sent, missing, p50Ms, p99Ms, mostMs }: Result): string {
  const times = `p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  max ${mostMs.toFixed(0)} ms`;
  return `${name.padEnd(42)} ${times}  ${sent} events to those that answer, ${missing} did not come`;
}
