import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestMerchant, TestService } from '../service/service.ts';

/** The values of the parameters in a path, each of a new thing that the call finds. */
export async function makeThings(
  service: TestService,
  { headers }: Pick<TestMerchant, 'headers'>,
  path: string,
): Promise<Readonly<Record<string, string>>> {
  async function post(to: string, body: unknown) {
    const answer = await service.call('POST', to, { headers, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  }

  if (!path.includes('{id}')) return {};
  const isOfRefund = path.includes('/refunds');
  if (isOfRefund || path.includes('/payment-requests/')) {
    const { id } = await post('/v1/payment-requests', {
      amount: 10,
      type: 'ECOMM',
      payer: { name: 'Ada', email: 'ada@example.com' },
    });
    if (!isOfRefund) return { id };
    // A payment request can be refunded when it is PAID.
    await post(`/v1/sandbox/payment-requests/${id}/simulations`, { outcome: 'PAID' });
    if (path.includes('/payment-requests/')) return { id };
    const merchantRefundId = randomUUID();
    return { id: (await post(`/v1/payment-requests/${id}/refunds`, { merchantRefundId })).id };
  }
  const url = `https://${randomUUID()}.test/`;
  // Payments would owe each endpoint a delivery: a list of deliveries would have two pages.
  const eventTypes = ['MESSAGE-UNDELIVERED'];
  const endpoint = await post('/v1/webhook-endpoints', { url, eventTypes });
  if (path.includes('/webhook-endpoints/')) {
    if (!path.includes('{replayId}')) return { id: endpoint.id };
    const from = new Date(service.clock.now().getTime() - 60_000).toISOString();
    const replay = await post(`/v1/webhook-endpoints/${endpoint.id}/replay`, { from });
    return { id: endpoint.id, replayId: replay.id };
  }
  return { id: (await post(`/v1/webhook-endpoints/${endpoint.id}/test`, {})).id };
}

/** A path with values in place of its parameters. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}
