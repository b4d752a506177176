/**
 * `npm run bench -- webhook-isolation`: the time from an event's COMMIT to its first attempt at the
 * listener, while 100 events a second arrive and half of all listeners hang, or 1 % of the wake-ups
 * are lost. Fails where a lost one costs an event, or more than a poll of the sender.
 * Options: `--seconds <n>` for each case (60), `--only <part of a case's name>`, `--json`.
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
import { startServiceUnderTest } from '../service/service-under-test.ts';
import { loopbackWebhooks, makeListenerTls } from '../webhooks/listener-tls.ts';
import { readOptions } from './read-options.ts';

const CASES: readonly (LagCase & { readonly name: string })[] = [
  { name: '100 endpoints, none hangs', listeners: 100, hanging: 0, hasEndpoints: true },
  { name: '100 endpoints, 50 hang', listeners: 100, hanging: 50, hasEndpoints: true },
  {
    name: "one merchant's 100 webhookUrls, 50 hang",
    listeners: 100,
    hanging: 50,
    hasEndpoints: false,
  },
  {
    name: '100 endpoints, 1 % of wake-ups lost',
    listeners: 100,
    hanging: 0,
    hasEndpoints: true,
    lostWakes: 0.01,
  },
];
/** A sender polls a second after its last poll; the poll itself and the request take the rest. */
const LATEST_MS = 1_500;

type Result = Lag & { readonly name: string };

const { serverUrl, isJson, numberOf, textOf } = readOptions();
const seconds = numberOf('--seconds', 60);
const folder = mkdtempSync(join(tmpdir(), 'payment-requests-bench-'));
const results: Result[] = [];
try {
  const tls = await makeListenerTls(folder);
  for (const lagCase of CASES.filter(({ name }) => name.includes(textOf('--only', '')))) {
    const service = await startServiceUnderTest(serverUrl, loopbackWebhooks(tls));
    const measure = await openLagMeasure(service, tls.tlsFile, lagCase);
    const lag = await measure.run(seconds).finally(measure.end);
    await service.end();
    const result = { name: lagCase.name, ...lag };
    if (lagCase.lostWakes && !(lag.missing === 0 && lag.maxMs <= LATEST_MS)) process.exitCode = 1;
    results.push(result);
    if (!isJson) process.stdout.write(`${describe(result)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
const machine = describeMachine();
if (isJson) console.log(JSON.stringify({ machine, seconds, results }, null, 2));
else console.log(`${machine}; ${EVENTS_PER_SECOND} events a second for ${seconds} s`);

function describe({ name, sent, missing, p50Ms, p99Ms, maxMs }: Result): string {
  const [p50, p99, max] = [p50Ms.toFixed(1), p99Ms.toFixed(1), maxMs.toFixed(0)];
  const times = `p50 ${p50} ms  p99 ${p99} ms  max ${max} ms`;
  const lost = `${missing} of ${sent} events did not reach listeners that answer`;
  return `${name.padEnd(42)} ${times}  ${lost}`;
}
