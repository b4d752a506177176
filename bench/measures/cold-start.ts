import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../service/test/support/free-port.ts';
import { endChild, spawnNode } from '../child-processes/start-child.ts';
import { residentMB } from '../child-processes/watch-process.ts';
import { answerOf, BARE_HTTP } from '../limits/bare-server.ts';
import type { Line, Sample } from '../line.ts';
import type { Bench } from '../open-bench.ts';
import { startService } from '../service/service-under-test.ts';

const PATH = '/v1/payment-requests?limit=1';
/** The pause between two calls: a start is measured too long by this time at most. */
const POLL_MS = 2;
const START_TIMEOUT_MS = 30_000;

/**
 * Measures the time from the start of the process to its first good answer, on a migrated database,
 * and the memory at rest.
 */
export async function coldStartLine(bench: Bench): Promise<Line> {
  const service = await bench.service();
  const answer = await answerOf(`${service.url}${PATH}`, { headers: service.headers }, 200);

  async function startOurs(): Promise<Sample> {
    const [port, opsPort] = [await freePort(), await freePort()];
    const settings = { ...service.settings, PORT: `${port}`, OPS_PORT: `${opsPort}` };
    return timeStart(bench, port, service.headers, () => startService(settings));
  }
  async function startBare(): Promise<Sample> {
    const port = await freePort();
    return timeStart(bench, port, service.headers, () => {
      const child = spawnNode([BARE_HTTP, `${port}`]);
      child.send(answer);
      return child;
    });
  }
  return {
    name: 'cold start, then at rest',
    figure: 'p50Ms',
    ours: { name: 'ours', run: startOurs },
    beside: [{ name: 'bare node:http', run: startBare }],
  };
}

async function timeStart(
  { effort }: Bench,
  port: number,
  headers: Readonly<Record<string, string>>,
  start: () => ReturnType<typeof spawnNode>,
): Promise<Sample> {
  const startedMs = performance.now();
  const child = start();
  try {
    await waitForAnswer(`http://127.0.0.1:${port}${PATH}`, headers);
    const p50Ms = performance.now() - startedMs;
    await wait(effort.restSeconds * 1000);
    const resident = residentMB(child.pid ?? 0);
    return { p50Ms, ...(resident !== undefined && { residentMB: resident }) };
  } finally {
    await endChild(child);
  }
}

async function waitForAnswer(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const giveUpAt = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < giveUpAt) {
    const response = await fetch(url, { headers }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await wait(POLL_MS);
  }
  throw new Error(`${url} did not answer within ${START_TIMEOUT_MS / 1000} s.`);
}
