import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../child-processes/free-port.ts';
import { endChild, spawnNode } from '../child-processes/start-child.ts';
import { residentMB } from '../child-processes/watch-process.ts';
import { answerOf, BARE_HTTP } from '../limits/bare-server.ts';
import type { Line, Sample } from '../line.ts';
import type { Bench } from '../open-bench.ts';
import { startService } from '../service/service-under-test.ts';

const PATH = '/v1/payment-requests?limit=1';
/** How often it is asked: what a start is measured too long by, at most. */
const ASK_EVERY_MS = 2;
const PATIENCE_MS = 30_000;

/**
 * From the start of the process to its first good answer, on a database that is up to date, and the
 * memory that it holds when nobody calls it.
 */
export async function coldStartLine(bench: Bench): Promise<Line> {
  const stage = await bench.stage();
  const answer = await answerOf(`${stage.url}${PATH}`, { headers: stage.headers }, 200);

  async function startOurs(): Promise<Sample> {
    const [port, opsPort] = [await freePort(), await freePort()];
    const settings = { ...stage.settings, PORT: `${port}`, OPS_PORT: `${opsPort}` };
    return timeStart(bench, port, stage.headers, () => startService(settings));
  }
  async function startBare(): Promise<Sample> {
    const port = await freePort();
    return timeStart(bench, port, stage.headers, () => {
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
    await firstAnswer(`http://127.0.0.1:${port}${PATH}`, headers);
    const p50Ms = performance.now() - startedMs;
    await wait(effort.restSeconds * 1000);
    const resident = residentMB(child.pid ?? 0);
    return { p50Ms, ...(resident !== undefined && { residentMB: resident }) };
  } finally {
    await endChild(child);
  }
}

async function firstAnswer(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const response = await fetch(url, { headers }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await wait(ASK_EVERY_MS);
  }
  throw new Error(`${url} did not answer within ${PATIENCE_MS / 1000} s`);
}
