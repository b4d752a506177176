import type { Watched } from '../child-processes/watch-process.ts';
import { answerOf } from '../limits/bare-server.ts';
import type { Contender, Line, Sample } from '../line.ts';
import { generateLoad, type LoadRequest } from '../load/generate-load.ts';
import type { Bench } from '../open-bench.ts';
import type { Call } from '../service/calls.ts';
import type { ServiceUnderTest } from '../service/service-under-test.ts';

/** The connections that a merchant's busy servers keep open in all. */
const CONNECTIONS = 64;

export interface CallLine {
  readonly name: string;
  readonly call: Call;
  readonly beside?: readonly Contender[];
  /** Calls a second. Without a rate, the highest possible number of calls is the figure. */
  readonly rate?: () => Promise<number>;
}

/** Makes the line of a call, beside a bare server that answers the call with the same bytes. */
export async function callLine(
  bench: Bench,
  service: ServiceUnderTest,
  { name, call, beside = [], rate }: CallLine,
): Promise<Line> {
  const { pathname, search } = new URL(call.url);
  const answer = await answerOf(call.url, initOf(call), call.expectedStatus);
  const bare = await bench.bare();
  await bare.addAnswer(answer);
  const { others: _, ...single } = call;
  const bareCall = { ...single, url: `${bare.url}${pathname}${search}` };
  return {
    name,
    figure: rate ? 'p99Ms' : 'perSecond',
    ours: { name: 'ours', run: () => measure(call, service) },
    beside: [
      { name: `bare node:http ${call.method}`, run: () => measure(bareCall, bare) },
      ...beside,
    ],
  };

  async function measure(measured: Call, watched: Watched): Promise<Sample> {
    return measureCall(bench, measured, watched, rate && { rate: await rate() });
  }
}

/** Measures a round of a call over CONNECTIONS connections. */
export function measureCall(
  { effort }: Bench,
  call: Call,
  watched: Watched,
  more: Pick<LoadRequest, 'rate'> = {},
): Promise<Sample> {
  const { seconds, warmUpSeconds } = effort;
  // An idempotency key works once, so that no two rounds may send the same keys.
  const mark = `${process.pid}-${Math.round(performance.now())}-[<number>]`;
  const marked = <Some extends Pick<Call, 'headers'>>(one: Some) => ({
    ...one,
    headers: mapHeaders(one, (value) => value.replace('[<number>]', mark)),
  });
  const others = (call.others ?? []).map(marked);
  return generateLoad(
    { ...marked(call), others, ...more, seconds, warmUpSeconds, connections: CONNECTIONS },
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
