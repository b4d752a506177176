/**
 * `npm run bench -- processes`: creates and reads a second with one process and with more, in turn,
 * medians and the gain. Options: `--counts <n,n>` (1,2), `--seconds <n>` (5), `--rounds <n>` (5),
 * `--json`.
 */

import { describeMachine } from '../describe-machine.ts';
import { generateLoad, type LoadRequest } from '../load/generate-load.ts';
import { median } from '../median.ts';
import { type Stage, setStage } from '../service/service-under-test.ts';

const CONNECTIONS = 64;

const args = process.argv.slice(2);
const option = (name: string, otherwise: string) =>
  args.includes(name) ? (args[args.indexOf(name) + 1] ?? otherwise) : otherwise;
const isJson = args.includes('--json');
const counts = option('--counts', '1,2').split(',').map(Number);
const seconds = Number(option('--seconds', '5'));
const rounds = Number(option('--rounds', '5'));
const serverUrl = process.env.BENCH_DATABASE_URL;
if (!serverUrl) throw new Error('BENCH_DATABASE_URL is not set: run npm run bench.');

type Call = 'create' | 'read';
interface Line {
  readonly call: Call;
  readonly processes: number;
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Beside the first count. */
  readonly gain: number;
}

const stages = new Map<number, Stage>();
try {
  for (const count of counts) {
    stages.set(count, await setStage(serverUrl, {}, ['--processes', `${count}`]));
  }
  const lines: Line[] = [];
  for (const call of ['create', 'read'] as const) lines.push(...(await measure(call)));
  const machine = describeMachine();
  if (isJson) console.log(JSON.stringify({ machine, seconds, rounds, lines }, null, 2));
  else console.log(`${machine}; ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections`);
} finally {
  for (const stage of stages.values()) await stage.end();
}
process.exit();

async function measure(call: Call): Promise<Line[]> {
  const loads = new Map(
    counts.map((count) => [count, [] as { perSecond: number; p99Ms: number }[]]),
  );
  const requests = new Map<number, LoadRequest>();
  for (const [count, stage] of stages) requests.set(count, await requestOf(stage, call));
  // In turn, so that what else the machine does meets all of them.
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
  return medians.map((one) => {
    const line = { ...one, gain: one.perSecond / first };
    if (!isJson) console.log(inWords(line));
    return line;
  });
}

async function requestOf(stage: Stage, call: Call): Promise<LoadRequest> {
  const url = `${stage.url}/v1/payment-requests`;
  const headers = { ...stage.headers, 'content-type': 'application/json' };
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

function inWords({ call, processes, perSecond, p99Ms, gain }: Line): string {
  const times = `${perSecond.toFixed(0)}/s  p99 ${p99Ms.toFixed(1)} ms  × ${gain.toFixed(2)}`;
  return `${call.padEnd(8)} ${processes} ${processes === 1 ? 'process  ' : 'processes'}  ${times}`;
}
