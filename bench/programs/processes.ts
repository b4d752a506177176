/**
 * `npm run bench -- processes`: creates and reads a second of services with different numbers of
 * processes, measured in turn; medians and the gain. Options: `--counts <n,n>` (1,2),
 * `--seconds <n>` (5), `--rounds <n>` (5), `--json`.
 */
import { describeMachine } from '../describe-machine.ts';
import { generateLoad, type LoadRequest } from '../load/generate-load.ts';
import { median } from '../median.ts';
import { type ServiceUnderTest, startServiceUnderTest } from '../service/service-under-test.ts';
import { readOptions } from './read-options.ts';

const CONNECTIONS = 64;

type Call = 'create' | 'read';
interface Line {
  readonly call: Call;
  readonly processes: number;
  readonly perSecond: number;
  readonly p99Ms: number;
  /** The rate divided by the rate of the first count. */
  readonly gain: number;
}

const { serverUrl, isJson, numberOf, textOf } = readOptions();
const counts = textOf('--counts', '1,2').split(',').map(Number);
const seconds = numberOf('--seconds', 5);
const rounds = numberOf('--rounds', 5);
const services = new Map<number, ServiceUnderTest>();
try {
  for (const count of counts) {
    services.set(count, await startServiceUnderTest(serverUrl, {}, ['--processes', `${count}`]));
  }
  const lines: Line[] = [];
  for (const call of ['create', 'read'] as const) lines.push(...(await measure(call)));
  const machine = describeMachine();
  if (isJson) console.log(JSON.stringify({ machine, seconds, rounds, lines }, null, 2));
  else console.log(`${machine}; ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections`);
} finally {
  for (const service of services.values()) await service.end();
}
process.exit();

async function measure(call: Call): Promise<Line[]> {
  const loads = new Map(
    counts.map((count) => [count, [] as { perSecond: number; p99Ms: number }[]]),
  );
  const requests = new Map<number, LoadRequest>();
  for (const [count, service] of services) requests.set(count, await requestOf(service, call));
  // All counts are measured in each round, so that a disturbance meets all of them.
  for (let round = 0; round < rounds; round += 1) {
    for (const [count, request] of requests) loads.get(count)?.push(await generateLoad(request));
  }
  const medians = counts.map((processes) => {
    const all = loads.get(processes) ?? [];
    const perSecond = median(all.map((load) => load.perSecond)) ?? Number.NaN;
    const p99Ms = median(all.map((load) => load.p99Ms)) ?? Number.NaN;
    return { call, processes, perSecond, p99Ms };
  });
  const first = medians[0]?.perSecond ?? Number.NaN;
  return medians.map((figures) => {
    const line = { ...figures, gain: figures.perSecond / first };
    if (!isJson) console.log(describe(line));
    return line;
  });
}

async function requestOf(service: ServiceUnderTest, call: Call): Promise<LoadRequest> {
  const url = `${service.url}/v1/payment-requests`;
  const headers = { ...service.headers, 'content-type': 'application/json' };
  const body = JSON.stringify({
    amount: 25.5,
    type: 'ECOMM',
    payer: { name: 'Ada Payer', email: 'ada@example.com' },
  });
  const shared = { headers, connections: CONNECTIONS, seconds };
  if (call === 'create') return { ...shared, url, method: 'POST', body, expectedStatus: 201 };
  const answer = await fetch(url, { method: 'POST', headers, body });
  const { id } = (await answer.json()) as { id: string };
  return { ...shared, url: `${url}/${id}`, method: 'GET', expectedStatus: 200 };
}

function describe({ call, processes, perSecond, p99Ms, gain }: Line): string {
  const times = `${perSecond.toFixed(0)}/s  p99 ${p99Ms.toFixed(1)} ms  × ${gain.toFixed(2)}`;
  return `${call.padEnd(8)} ${processes} ${processes === 1 ? 'process  ' : 'processes'}  ${times}`;
}
