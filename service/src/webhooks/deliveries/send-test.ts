import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { lockOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import { forgetFailures } from '#webhooks/sending/destination-store.ts';
import { findOwnDelivery } from './redeliver.ts';
import { countTests, insertTestEvent, nextTestSequence } from './test-store.ts';

/** A tester looks at the answer before the next test; more would only fill the queue. */
const MOST_TESTS = 5;
/** The longest exchange: by then one of them is over. */
const RETRY_AFTER_SECONDS = '15';

export interface SendTestDeps {
  readonly clock: Clock;
  /** Renders a body that no shop may ship on, with a whole payment request (delivery §3). */
  readonly renderTestEvent: (event: {
    readonly id: string;
    readonly sequence: number;
    readonly createdAt: Date;
    readonly merchant: Pick<Merchant, 'id' | 'name'>;
  }) => string;
}

/**
 * Sends an endpoint a test through the very path of a delivery (delivery §3), which is tried
 * once.
 *
 * @throws Problem WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_PAUSED, RATE_LIMITED
 */
export async function testEndpoint(
  tx: Executor,
  { clock, renderTestEvent }: SendTestDeps,
  { id: merchantId, name }: Pick<Merchant, 'id' | 'name'>,
  endpointId: string,
): Promise<WebhookDelivery> {
  const endpoint = await lockOwnEndpoint(tx, merchantId, endpointId);
  if (endpoint.status === 'PAUSED') throw new Problem('WEBHOOK_ENDPOINT_PAUSED');
  if ((await countTests(tx, endpoint.id)) >= MOST_TESTS) {
    throw new Problem('RATE_LIMITED', {
      detail: `${MOST_TESTS} tests of this endpoint are under way.`,
      headers: { 'retry-after': RETRY_AFTER_SECONDS },
    });
  }
  // A tester wants to see the test arrive now, not when the next probe is due.
  await forgetFailures(tx, [endpoint.id]);
  const id = newId();
  const createdAt = clock.now();
  const sequence = await nextTestSequence(tx);
  const deliveryId = await insertTestEvent(tx, {
    id,
    merchantId,
    sequence,
    eventType: 'PAYMENT-FAILED',
    body: renderTestEvent({ id, sequence, createdAt, merchant: { id: merchantId, name } }),
    createdAt,
    endpointId: endpoint.id,
    url: endpoint.url,
  });
  return findOwnDelivery(tx, merchantId, deliveryId);
}
