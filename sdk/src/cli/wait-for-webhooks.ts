import { setTimeout as wait } from 'node:timers/promises';
import { describeProblem, type MerchantApi } from './merchant-api.ts';

/** A person waits; four calls a second are a small load. */
const LOOK_INTERVAL_MS = 250;
/** Two events for each of the 20 endpoints and the own URL are 42. */
const MOST_DELIVERIES = 100;

/** The result of a webhook: its delivery, and the end of the last attempt. */
export interface SentWebhook {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly url: string;
  readonly status: 'PENDING' | 'SUCCEEDED' | 'EXHAUSTED';
  readonly attempts: number;
  /** Both absent before the first attempt; the second where nothing answered. */
  readonly outcome?: string;
  readonly httpStatus?: number;
}

/**
 * Waits until every webhook of a payment request is acknowledged or given up, or until `signal`.
 *
 * @returns them as they stand then; null where these credentials may not look
 * @throws Error where the call is refused for another reason
 */
export async function waitForWebhooks(
  api: MerchantApi,
  paymentRequestId: string,
  signal: AbortSignal,
): Promise<readonly SentWebhook[] | null> {
  const query = new URLSearchParams({ paymentRequestId, limit: `${MOST_DELIVERIES}` });
  for (;;) {
    const listed = await api.call('GET', `/webhook-deliveries?${query}`);
    if (listed.status === 403) return null;
    if (listed.status !== 200) {
      throw new Error(`The deliveries answered ${describeProblem(listed)}`);
    }
    const deliveries: { id: string; status: string }[] = listed.json.data;
    if (signal.aborted || deliveries.every(({ status }) => status !== 'PENDING')) {
      return Promise.all(deliveries.map(({ id }) => readOne(api, id)));
    }
    await wait(LOOK_INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
}

async function readOne(api: MerchantApi, deliveryId: string): Promise<SentWebhook> {
  const answer = await api.call('GET', `/webhook-deliveries/${deliveryId}`);
  if (answer.status !== 200) throw new Error(`A delivery answered ${describeProblem(answer)}`);
  const { eventId, url, status, attempts, attemptLog } = answer.json;
  const last = attemptLog.at(-1);
  return {
    deliveryId,
    eventId,
    url,
    status,
    attempts,
    ...(last && { outcome: last.outcome }),
    ...(last?.httpStatus && { httpStatus: last.httpStatus }),
  };
}
