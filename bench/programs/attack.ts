/**
 * `npm run bench -- attack`: holds 2,000 connections open in each of several ways, opens those anew
 * that the service closes, and calls the service meanwhile as honest callers of the same address
 * do. Options: `--seconds <n>` for each attack (10), `--json`,
 * and parts of names to run only these attacks.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setStage } from '../service/service-under-test.ts';

const HOLDER = fileURLToPath(new URL('../load/hold-connections.ts', import.meta.url));

const CONNECTIONS = 2_000;
/** Honest calls a second: enough for a p99, far below what the service can do. */
const CALLS_PER_SECOND = 50;

const args = process.argv.slice(2);
const isJson = args.includes('--json');
const seconds = args.includes('--seconds') ? Number(args[args.indexOf('--seconds') + 1]) : 10;
const only = args.slice(1).filter((arg) => /^[a-z ]+$/i.test(arg));
const serverUrl = process.env.BENCH_DATABASE_URL;
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is not set: run npm run bench.');

const stage = await setStage(serverUrl, {
  ENVIRONMENT: 'production',
  E_TRANSFER_NETWORK: 'simulated',
  ALLOW_SIMULATED_NETWORK: 'yes',
});
const { hostname, port, host } = new URL(stage.url);
const HOST = `Host: ${host}\r\n`;
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n';
const CREDENTIALS = Object.entries(stage.headers)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

interface Attack {
  readonly name: string;
  readonly head: string;
  /** Sent again and again, one byte at a time. */
  readonly drip?: string;
  /** 2,000 unless told otherwise. */
  readonly connections?: number;
}

interface Outcome {
  readonly attack: string;
  readonly connections: number;
  readonly calls: number;
  readonly good: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(stage.url + path, { redirect: 'manual', ...init });
}

async function create(): Promise<{ id: string; shortCode: string }> {
  const answer = await call('/v1/payment-requests', {
    method: 'POST',
    headers: { ...stage.headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: 1,
      type: 'ECOMM',
      payer: { name: 'A', email: 'a@example.com' },
    }),
  });
  if (answer.status !== 201) throw new Error(`a creation is answered ${answer.status}`);
  return (await answer.json()) as { id: string; shortCode: string };
}

const { id, shortCode } = await create();
/** The link of the latest creation: one link may be opened 300 times a minute from an address. */
let latestCode = shortCode;
const gateway = (await call(`/pay/${shortCode}`)).headers.get('location') ?? '';

const ATTACKS: readonly Attack[] = [
  { name: 'none', head: '' },
  { name: 'half heads', head: `POST /oauth2/token HTTP/1.1\r\nHost: ${hostname}` },
  { name: 'token calls without a body', head: `POST /oauth2/token HTTP/1.1\r\n${HOST}${FORM}\r\n` },
  {
    name: 'token calls that expect 100-continue',
    head: `POST /oauth2/token HTTP/1.1\r\n${HOST}${FORM}Expect: 100-continue\r\n\r\n`,
  },
  {
    name: 'token calls whose body drips',
    head: `POST /oauth2/token HTTP/1.1\r\n${HOST}${FORM}\r\n`,
    drip: 'a',
  },
  {
    name: 'gateway forms without a body',
    head: `POST ${new URL(gateway, stage.url).pathname}/choose HTTP/1.1\r\n${HOST}${FORM}\r\n`,
  },
  {
    name: 'creations without a body, good credentials',
    head:
      `POST /v1/payment-requests HTTP/1.1\r\n${HOST}${CREDENTIALS}` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n',
  },
  {
    name: '50 kB of requests behind a live page',
    connections: 1,
    head:
      `GET /pay/live/${id}?seen=9 HTTP/1.1\r\n${HOST}Accept: text/event-stream\r\n\r\n` +
      `GET /problems HTTP/1.1\r\n${HOST}\r\n`.repeat(1_200),
  },
  {
    name: '50 kB of pipelined requests on each connection',
    head: `GET /problems HTTP/1.1\r\n${HOST}\r\n`.repeat(1_200),
  },
  { name: 'answers not read', head: `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(16) },
];

/** Holds the connections in a process of its own, so that the honest calls' times are their own. */
function hold({ head, drip, connections = CONNECTIONS }: Attack): () => Promise<number> {
  const how = JSON.stringify({ host: hostname, port: Number(port), head, drip, connections });
  const child = spawn(process.execPath, [HOLDER], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${how}\n`);
  return async () => {
    const opened = text(child.stdout);
    child.stdin.end();
    return Number(await opened);
  };
}

const basic = Buffer.from(`${stage.merchant.username}:${stage.merchant.password}`);
const HONEST: readonly (() => Promise<boolean>)[] = [
  async () => {
    latestCode = (await create()).shortCode;
    return true;
  },
  async () => (await call(`/v1/payment-requests/${id}`, { headers: stage.headers })).ok,
  async () => (await call(`/pay/${latestCode}`)).status === 303,
  async () =>
    (
      await call('/oauth2/token', {
        method: 'POST',
        headers: { authorization: `Basic ${basic.toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
    ).ok,
];

async function measure(attack: Attack): Promise<Outcome> {
  const held = attack.head === '' ? null : hold(attack);
  await wait(1_500);
  const timesMs: number[] = [];
  let good = 0;
  const calls = seconds * CALLS_PER_SECOND;
  const running: Promise<void>[] = [];
  for (let n = 0; n < calls; n += 1) {
    const startMs = performance.now();
    const honest = HONEST[n % HONEST.length] as () => Promise<boolean>;
    const done = honest().then(
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
  timesMs.sort((one, other) => one - other);
  const at = (share: number) => Math.round(timesMs[Math.floor(share * (calls - 1))] ?? 0);
  const connections = held ? await held() : 0;
  await wait(1_000);
  return { attack: attack.name, connections, calls, good, p50Ms: at(0.5), p99Ms: at(0.99) };
}

try {
  const wanted = ({ name }: Attack) => only.some((part) => name.includes(part));
  for (const attack of only.length === 0 ? ATTACKS : ATTACKS.filter(wanted)) {
    const outcome = await measure(attack);
    if (isJson) console.log(JSON.stringify(outcome));
    else {
      const { connections, calls, good, p50Ms, p99Ms } = outcome;
      console.log(
        `${attack.name}: ${connections} connections; ${good} of ${calls} honest calls good, ` +
          `p50 ${p50Ms} ms, p99 ${p99Ms} ms`,
      );
    }
  }
} finally {
  await stage.end();
}
