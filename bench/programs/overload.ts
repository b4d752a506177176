/**
 * `npm run bench -- overload`: what is served, and how soon, when creates come faster than they can be
 * served. First the capacity is found, then 0.5, 1, 1.5, 2 and 4 times as much is offered at a fixed
 * rate, whether or not answers come. Options: `--seconds <n>` for each step (10), `--json`.
 */

import { describeMachine } from '../describe-machine.ts';
import { generateLoad, type LoadRequest } from '../load/generate-load.ts';
import { setStage } from '../service/service-under-test.ts';

/** As for the table of `npm run bench`: what the capacity is of. */
const CAPACITY_CONNECTIONS = 64;
/** More than the service works on at once, so that it is the service that refuses, and not the
 *  generator that waits for a free connection. */
const CONNECTIONS = 2_000;
const SHARES = [0.5, 1, 1.5, 2, 4];
const OVERLOADED = 503;

const args = process.argv.slice(2);
const isJson = args.includes('--json');
const seconds = args.includes('--seconds') ? Number(args[args.indexOf('--seconds') + 1]) : 10;
const serverUrl = process.env.BENCH_DATABASE_URL;
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is not set: run npm run bench.');

interface Step {
  /** Of the capacity. */
  readonly share: number;
  readonly offeredPerSecond: number;
  readonly servedPerSecond: number;
  readonly refusedPerSecond: number;
  /** Neither served nor refused. */
  readonly lost: number;
  /** Of what was served, from the moment at which it was due. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly generatorCpuPercent: number;
}

const stage = await setStage(serverUrl);
try {
  const create: Omit<LoadRequest, 'connections'> = {
    url: `${stage.url}/v1/payment-requests`,
    method: 'POST',
    headers: { ...stage.headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: 25.5,
      type: 'ECOMM',
      payer: { name: 'Ada Payer', email: 'ada@example.com' },
    }),
    seconds,
    expectedStatus: 201,
  };
  const { perSecond: capacity } = await generateLoad({
    ...create,
    connections: CAPACITY_CONNECTIONS,
    warmUpSeconds: seconds / 2,
  });
  if (!isJson) console.log(`capacity, ${CAPACITY_CONNECTIONS} connections: ${whole(capacity)}/s`);
  const steps: Step[] = [];
  for (const share of SHARES) {
    steps.push(await offer(create, share, Math.round(capacity * share)));
    if (!isJson) console.log(inWords(steps.at(-1) as Step));
  }
  const machine = describeMachine();
  if (isJson) console.log(JSON.stringify({ machine, seconds, capacity, steps }, null, 2));
  else console.log(`${machine}; ${seconds} s a step, ${CONNECTIONS} connections`);
} finally {
  await stage.end();
}
process.exit();

async function offer(
  create: Omit<LoadRequest, 'connections'>,
  share: number,
  rate: number,
): Promise<Step> {
  const load = await generateLoad({
    ...create,
    connections: CONNECTIONS,
    rate,
    allowsFailures: true,
  });
  const count = (status: number) => load.statuses[`${status}`] ?? 0;
  const [served, refused] = [count(create.expectedStatus), count(OVERLOADED)];
  const all = Object.values(load.statuses).reduce((sum, each) => sum + each, 0);
  const tookSeconds = served / load.perSecond || create.seconds;
  return {
    share,
    offeredPerSecond: rate,
    servedPerSecond: load.perSecond,
    refusedPerSecond: refused / tookSeconds,
    lost: all - served - refused,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    generatorCpuPercent: load.generatorCpuPercent,
  };
}

function inWords(step: Step): string {
  return [
    `${step.share.toFixed(1)} × capacity`,
    `offered ${whole(step.offeredPerSecond)}/s`,
    `served ${whole(step.servedPerSecond)}/s`,
    `refused ${whole(step.refusedPerSecond)}/s`,
    `lost ${step.lost}`,
    `p50 ${whole(step.p50Ms)} ms`,
    `p99 ${whole(step.p99Ms)} ms`,
    `generator ${whole(step.generatorCpuPercent)} % of a core`,
  ].join('  ');
}

function whole(value: number): string {
  return value.toFixed(0);
}
