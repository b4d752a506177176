import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { lockOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import { NIL_PAYMENT_REQUEST, type WebhookDelivery } from '#webhooks/model/delivery.ts';
import { renderWebhookMessage } from '#webhooks/model/message.ts';
import { forgetFailures } from '#webhooks/sending/destination-store.ts';
import { findOwnDelivery } from './redeliver.ts';
import { countTests, insertTestEvent, nextTestSequence } from './test-store.ts';

/** A tester looks at the answer before the next test; more would only fill the queue. */
const MOST_TESTS = 5;
/** The longest exchange: by then one of them is over. */
const RETRY_AFTER_SECONDS = '15';

/**
 * Sends an endpoint a test through the very path of a delivery (delivery §3): a body
 * that no shop may ship on. It is tried once.
 *
 * @throws Problem WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_PAUSED, RATE_LIMITED
 */
export async function testEndpoint(
  tx: Executor,
  { clock }: { readonly clock: Clock },
  merchant: Pick<Merchant, 'id' | 'name'>,
  endpointId: string,
): Promise<WebhookDelivery> {
  const endpoint = await lockOwnEndpoint(tx, merchant.id, endpointId);
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
    merchantId: merchant.id,
    sequence,
    eventType: 'PAYMENT-FAILED',
    body: testBody({ id, sequence, createdAt, merchant }),
    createdAt,
    endpointId: endpoint.id,
    url: endpoint.url,
  });
  return findOwnDelivery(tx, merchant.id, deliveryId);
}

interface TestEvent {
  readonly id: string;
  readonly sequence: number;
  readonly createdAt: Date;
  readonly merchant: Pick<Merchant, 'id' | 'name'>;
}

/** The members of a webhook, and `test` after them. */
function testBody({ id, sequence, createdAt, merchant }: TestEvent): string {
  const resource = JSON.stringify({
    id: NIL_PAYMENT_REQUEST,
    amount: 0,
    type: 'ECOMM',
    payer: { name: 'Test' },
    merchant: { id: merchant.id, name: merchant.name },
    status: 'FAILED',
    createdDateTime: createdAt,
    events: [],
    links: [],
  });
  const message = 'This is a test of the webhook endpoint; no payment took place.';
  const body = renderWebhookMessage({
    id,
    eventType: 'PAYMENT-FAILED',
    message,
    resource,
    createdAt,
    sequence,
  });
  return `${body.slice(0, -1)},"test":true}`;
}
