import type { Loop } from '#lib/loop.ts';
import { eventually } from '../eventually.ts';
import { untilTurned } from '../until-turned.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';

/** Waits until each sender has claimed what is due, and every attempt that was sent is recorded. */
export async function untilIdle(
  { database }: Pick<WebhookDeliveries, 'database'>,
  ...senders: readonly Loop[]
): Promise<void> {
  for (const sender of senders) await untilTurned(sender);
  await eventually(async () => {
    const leased = await database.sql(
      'SELECT FROM webhook_deliveries WHERE lease_token IS NOT NULL',
    );
    return leased.length === 0;
  }, 'the end of every lease');
}
