import type { Watched } from '../child-processes/watch-process.ts';
import { answerOf } from '../limits/bare-server.ts';
import type { Contender, Line, Sample } from '../line.ts';
import { generateLoad, type LoadRequest } from '../load/generate-load.ts';
import type { Bench } from '../open-bench.ts';
import type { Stage } from '../service/service-under-test.ts';

/** As many as a merchant's busy servers keep open together. */
const CONNECTIONS = 64;

export type Call = Pick<LoadRequest, 'url' | 'method' | 'headers' | 'expectedStatus'> & {
  readonly body?: string;
};

export interface CallLine {
  readonly name: string;
  readonly call: Call;
  readonly beside?: readonly Contender[];
  /** Calls a second; as many as can be when left out, and then their number is the figure. */
  readonly rate?: () => Promise<number>;
}

/** A line for a call of the service, beside a bare server that answers it with the same bytes. */
export async function callLine(
  bench: Bench,
  stage: Stage,
  { name, call, beside = [], rate }: CallLine,
): Promise<Line> {
  const { pathname, search } = new URL(call.url);
  const answer = await answerOf(call.url, initOf(call), call.expectedStatus);
  const bare = await bench.bare();
  await bare.learn(answer);
  const bareCall = { ...call, url: `${bare.url}${pathname}${search}` };
  return {
    name,
    figure: rate ? 'p99Ms' : 'perSecond',
    ours: { name: 'ours', run: () => load(call, stage) },
    beside: [{ name: `bare node:http ${call.method}`, run: () => load(bareCall, bare) }, ...beside],
  };

  async function load(asked: Call, watched: Watched): Promise<Sample> {
    return loadCall(bench, asked, watched, rate && { rate: await rate() });
  }
}

/** One round of a call, from as many connections as every call has. */
export function loadCall(
  { effort }: Bench,
  call: Call,
  watched: Watched,
  more: Pick<LoadRequest, 'rate'> = {},
): Promise<Sample> {
  const { seconds, warmUpSeconds } = effort;
  // Some headers are used once; no two rounds may make the same ones.
  const mark = `${process.pid}-${Math.round(performance.now())}-[<number>]`;
  const headers = mapHeaders(call, (value) => value.replace('[<number>]', mark));
  return generateLoad(
    { ...call, headers, ...more, seconds, warmUpSeconds, connections: CONNECTIONS },
    watched,
  );
}

function initOf({ method, body, ...call }: Call): RequestInit {
  const headers = mapHeaders(call, (value) =>
    value.replace('[<number>]', 'first').replace('[<address>]', '10.1.0.1'),
  );
  return { method, headers, ...(body !== undefined && { body }) };
}

function mapHeaders({ headers }: Pick<Call, 'headers'>, map: (value: string) => string) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(value)]));
}
