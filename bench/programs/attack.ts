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
import { createPaymentRequest } from '../service/calls.ts';
import { createHonestCallers, type HonestAnswers } from '../service/honest-callers.ts';
import { startServiceUnderTest } from '../service/service-under-test.ts';
import { type Attack, attacksOn } from './attacks.ts';
import { readOptions } from './read-options.ts';

const HOLDER = fileURLToPath(new URL('../load/hold-connections.ts', import.meta.url));

const CONNECTIONS = 2_000;
/** Fresh ids of payment requests; some are asked for again in the seconds of an attack. */
const IDS = 2_000;
/** The holder opens 2,000 connections within a second. */
const OPENING_MS = 1_500;
/** Between two attacks the service closes the connections that the holder has left. */
const CLOSING_MS = 1_000;

interface Outcome extends HonestAnswers {
  readonly attack: string;
  readonly connections: number;
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
const { shortCode } = await createPaymentRequest(service);
const opened = await fetch(`${service.url}/pay/${shortCode}`, { redirect: 'manual' });
const gateway = opened.headers.get('location') ?? '';
const callHonestly = await createHonestCallers(service);
const ids: string[] = [];
while (ids.length < IDS) {
  const batch = Array.from({ length: 100 }, () => createPaymentRequest(service));
  for (const created of await Promise.all(batch)) ids.push(created.id);
}

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

async function measure(attack: Attack): Promise<Outcome> {
  const endHold = attack.head === '' ? null : hold(attack);
  await wait(OPENING_MS);
  const honest = await callHonestly(seconds);
  const connections = endHold ? await endHold() : 0;
  await wait(CLOSING_MS);
  return { attack: attack.name, connections, ...honest };
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
