/**
 * `npm run bench -- overload`: the creates a second that are served, and their times, when more
 * creates arrive than the service can serve. The first step measures the capacity. The next steps
 * send 0.5, 1, 1.5, 2 and 4 times the capacity at a fixed rate, without waiting for answers.
 * Options: `--seconds <n>` for each step (10), `--json`.
 */
import { describeMachine } from '../describe-machine.ts';
import { generateLoad, type LoadRequest } from '../load/generate-load.ts';
import { startServiceUnderTest } from '../service/service-under-test.ts';
import { readOptions } from './read-options.ts';

/** The connections of the lines of `npm run bench`. */
const CAPACITY_CONNECTIONS = 64;
/** More than the load gate has permits: the service sheds, and the generator never waits for a
 *  free connection. */
const CONNECTIONS = 2_000;
const SHARES = [0.5, 1, 1.5, 2, 4];
const OVERLOADED = 503;

type CreateLoad = Omit<LoadRequest, 'connections'>;

interface Step {
  /** The offered rate as a multiple of the capacity. */
  readonly share: number;
  readonly offeredPerSecond: number;
  readonly servedPerSecond: number;
  readonly refusedPerSecond: number;
  /** Calls with neither a good answer nor a 503. */
  readonly lost: number;
  /** Times of served calls, from the instant at which a call was due. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time in percent of a core. */
  readonly serviceCpuPercent: number | undefined;
  readonly generatorCpuPercent: number;
}

const { serverUrl, isJson, numberOf } = readOptions();
const seconds = numberOf('--seconds', 10);
const service = await startServiceUnderTest(serverUrl);
try {
  const create: CreateLoad = {
    url: `${service.url}/v1/payment-requests`,
    method: 'POST',
    headers: { ...service.headers, 'content-type': 'application/json' },
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
    const step = await measureStep(create, share, Math.round(capacity * share));
    steps.push(step);
    if (!isJson) console.log(describe(step));
  }
  const machine = describeMachine();
  if (isJson) console.log(JSON.stringify({ machine, seconds, capacity, steps }, null, 2));
  else console.log(`${machine}; ${seconds} s a step, ${CONNECTIONS} connections`);
} finally {
  await service.end();
}
process.exit();

async function measureStep(create: CreateLoad, share: number, rate: number): Promise<Step> {
  const load = await generateLoad(
    { ...create, connections: CONNECTIONS, rate, allowsFailures: true },
    service,
  );
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
    serviceCpuPercent: load.cpuPercent,
    generatorCpuPercent: load.generatorCpuPercent,
  };
}

function describe(step: Step): string {
  return [
    `${step.share.toFixed(1)} × capacity`,
    `offered ${whole(step.offeredPerSecond)}/s`,
    `served ${whole(step.servedPerSecond)}/s`,
    `refused ${whole(step.refusedPerSecond)}/s`,
    `lost ${step.lost}`,
    `p50 ${whole(step.p50Ms)} ms`,
    `p99 ${whole(step.p99Ms)} ms`,
    `service ${whole(step.serviceCpuPercent ?? Number.NaN)} % of a core`,
    `generator ${whole(step.generatorCpuPercent)} %`,
  ].join('  ');
}

function whole(value: number): string {
  return value.toFixed(0);
}
