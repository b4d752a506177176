import { setTimeout as wait } from 'node:timers/promises';
import { createPaymentRequest, readCall, tokenCall } from './calls.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

/** Honest calls a second: enough for a p99, far below the capacity of the service. */
const CALLS_PER_SECOND = 50;

export interface HonestAnswers {
  readonly calls: number;
  readonly good: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Callers who do beside an attack what they always do: they create and read payment requests, open
 * links, and buy tokens.
 *
 * @returns makes their calls for so many seconds
 */
export async function createHonestCallers(
  service: ServiceUnderTest,
): Promise<(seconds: number) => Promise<HonestAnswers>> {
  const { id, shortCode } = await createPaymentRequest(service);
  /** The latest link: an address may open the same link only 300 times a minute. */
  let latestShortCode = shortCode;
  const token = tokenCall(service);
  const call = (path: string, init: RequestInit = {}) =>
    fetch(service.url + path, { redirect: 'manual', ...init });
  const tokenInit = { method: 'POST', headers: token.headers, body: `${token.body}` };
  const turns: readonly (() => Promise<boolean>)[] = [
    async () => {
      latestShortCode = (await createPaymentRequest(service)).shortCode;
      return true;
    },
    async () => (await fetch(readCall(service, id).url, { headers: service.headers })).ok,
    async () => (await call(`/pay/${latestShortCode}`)).status === 303,
    async () => (await call('/oauth2/token', tokenInit)).ok,
  ];
  return async (seconds) => {
    const timesMs: number[] = [];
    let good = 0;
    const calls = seconds * CALLS_PER_SECOND;
    const running: Promise<void>[] = [];
    for (let n = 0; n < calls; n += 1) {
      const startMs = performance.now();
      const turn = turns[n % turns.length] as () => Promise<boolean>;
      const done = turn().then(
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
    timesMs.sort((a, b) => a - b);
    const at = (share: number) => Math.round(timesMs[Math.floor(share * (calls - 1))] ?? 0);
    return { calls, good, p50Ms: at(0.5), p99Ms: at(0.99) };
  };
}
