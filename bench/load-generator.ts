/** The process behind load.ts: reads one LoadRequest from standard input, prints one Load. */
import autocannon from 'autocannon';
import type { Load, LoadRequest } from './load.ts';

/** Before what counts: connections open, code gets compiled. */
const WARM_UP_SECONDS = 1;

async function main(): Promise<void> {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  const asked = JSON.parse(input) as LoadRequest;
  await burst({ ...asked, seconds: WARM_UP_SECONDS });
  process.stdout.write(JSON.stringify(await burst(asked)));
}

async function burst(asked: LoadRequest): Promise<Load> {
  const result = await autocannon({
    url: asked.url,
    method: asked.method,
    headers: { ...asked.headers },
    ...(asked.body !== undefined && { body: asked.body }),
    connections: asked.connections,
    duration: asked.seconds,
    // Every `[<id>]` in a header becomes a number of its own: an Idempotency-Key is used once.
    idReplacement: asked.isNumbered ?? false,
    ...(asked.rate !== undefined && { overallRate: asked.rate }),
  });
  const good = result.statusCodeStats?.[`${asked.expectedStatus}`]?.count ?? 0;
  return {
    perSecond: good / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.requests.total - good + result.errors,
  };
}

await main();
