/**
 * `npm run bench -- attack`: holds 2,000 connections open in several ways, opens a new connection
 * for each that the service closes, and calls the service meanwhile as honest callers of the same
 * address do. Options: `--seconds <n>` for each attack (10), `--json`, and parts of names to run
 * only these attacks.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPaymentRequest, readCall, tokenCall } from '../service/calls.ts';
import { startServiceUnderTest } from '../service/service-under-test.ts';
import { type Attack, attacksOn } from './attacks.ts';
import { readOptions } from './read-options.ts';

const HOLDER = fileURLToPath(new URL('../load/hold-connections.ts', import.meta.url));

const CONNECTIONS = 2_000;
/** Honest calls a second: enough for a p99, far below the capacity of the service. */
const CALLS_PER_SECOND = 50;
/** Fresh ids of payment requests; some are asked for again in the seconds of an attack. */
const IDS = 2_000;
/** The holder opens 2,000 connections within a second. */
const OPENING_MS = 1_500;
/** Between two attacks the service closes the connections that the holder has left. */
const CLOSING_MS = 1_000;

interface Outcome {
  readonly attack: string;
  readonly connections: number;
  readonly calls: number;
  readonly good: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const { serverUrl, isJson, args, numberOf } = readOptions();
const seconds = numberOf('--seconds', 10);
const nameParts = args.filter((arg) => /^[a-z ]+$/i.test(arg));
const service = await startServiceUnderTest(serverUrl, {
  ENVIRONMENT: 'production',
  E_TRANSFER_NETWORK: 'simulated',
  ALLOW_SIMULATED_NETWORK: 'yes',
});
const { hostname, port } = new URL(service.url);
const { id, shortCode } = await createPaymentRequest(service);
/** The latest link: an address may open the same link only 300 times a minute. */
let latestShortCode = shortCode;
const gateway = (await call(`/pay/${shortCode}`)).headers.get('location') ?? '';
const token = tokenCall(service);
const ids: string[] = [];
while (ids.length < IDS) {
  const batch = Array.from({ length: 100 }, () => createPaymentRequest(service));
  for (const created of await Promise.all(batch)) ids.push(created.id);
}

const HONEST_CALLS: readonly (() => Promise<boolean>)[] = [
  async () => {
    latestShortCode = (await createPaymentRequest(service)).shortCode;
    return true;
  },
  async () => (await fetch(readCall(service, id).url, { headers: service.headers })).ok,
  async () => (await call(`/pay/${latestShortCode}`)).status === 303,
  async () =>
    (await call('/oauth2/token', { method: 'POST', headers: token.headers, body: `${token.body}` }))
      .ok,
];

try {
  const attacks = attacksOn(service, { gateway: new URL(gateway, service.url).pathname });
  const isAsked = ({ name }: Attack) => nameParts.some((part) => name.includes(part));
  for (const attack of nameParts.length === 0 ? attacks : attacks.filter(isAsked)) {
    const outcome = await measure(attack);
    console.log(isJson ? JSON.stringify(outcome) : describe(outcome));
  }
} finally {
  await service.end();
}

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(service.url + path, { redirect: 'manual', ...init });
}

async function measure(attack: Attack): Promise<Outcome> {
  const endHold = attack.head === '' ? null : hold(attack);
  await wait(OPENING_MS);
  const timesMs: number[] = [];
  let good = 0;
  const calls = seconds * CALLS_PER_SECOND;
  const running: Promise<void>[] = [];
  for (let n = 0; n < calls; n += 1) {
    const startMs = performance.now();
    const honestCall = HONEST_CALLS[n % HONEST_CALLS.length] as () => Promise<boolean>;
    const done = honestCall().then(
      (isGood) => {
        if (isGood) good += 1;
        timesMs.push(performance.now() - startMs);
      },
      () => timesMs.push(performance.now() - startMs),
    );
    running.push(done.then(() => {}));
    await wait(1_000 / CALLS_PER_SECOND);
  }
  await Promise.all(running);
  timesMs.sort((a, b) => a - b);
  const at = (share: number) => Math.round(timesMs[Math.floor(share * (calls - 1))] ?? 0);
  const connections = endHold ? await endHold() : 0;
  await wait(CLOSING_MS);
  return { attack: attack.name, connections, calls, good, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/**
 * Holds the connections in a separate process, so that they do not delay the honest calls.
 *
 * @returns a function that ends the hold and gives the number of connections opened
 */
function hold(attack: Attack): () => Promise<number> {
  const { head, drip, connections = CONNECTIONS, isReset = false } = attack;
  const at = { host: hostname, port: Number(port) };
  const request = JSON.stringify({ ...at, head, drip, connections, ids, isReset });
  const child = spawn(process.execPath, [HOLDER], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${request}\n`);
  return async () => {
    const opened = text(child.stdout);
    child.stdin.end();
    return Number(await opened);
  };
}

function describe({ attack, connections, calls, good, p50Ms, p99Ms }: Outcome): string {
  return (
    `${attack}: ${connections} connections; ${good} of ${calls} honest calls good, ` +
    `p50 ${p50Ms} ms, p99 ${p99Ms} ms`
  );
}
