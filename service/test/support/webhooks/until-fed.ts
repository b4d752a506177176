import { eventually } from '../eventually.ts';
import type { TestService } from '../service/service.ts';

/**
 * Waits until the feed has an event of the payment request. The feed waits for older transactions
 * of the database server, also of other databases (decision 0017).
 *
 * @param headers of an authorised call of the merchant
 */
export async function untilFed(
  service: Pick<TestService, 'call'>,
  headers: Readonly<Record<string, string>>,
  paymentRequestId: string,
): Promise<void> {
  await eventually(async () => {
    const { json } = await service.call('GET', '/v1/events?limit=100', { headers });
    return json.data.some(
      ({ resource }: { resource: { id: string } }) => resource.id === paymentRequestId,
    );
  }, 'the event in the feed');
}
