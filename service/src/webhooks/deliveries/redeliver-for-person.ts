import type { DatabaseDeps } from '#database/database.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { NIL_PAYMENT_REQUEST, type WebhookDelivery } from '#webhooks/model/delivery.ts';
import { findOwnDelivery, redeliver } from './redeliver.ts';

export interface RedeliverForPersonDeps extends DatabaseDeps {
  /** The person, for the audit log. */
  readonly actor: string;
  /** Wakes the senders, after the commit. */
  readonly wakeSenders: () => void;
}

/**
 * Sends a delivery again for a person, by the rules of the merchant's own call (delivery §3). The
 * audit log names the person.
 *
 * @throws Problem as `redeliver`
 */
export async function redeliverForPerson(
  { db, clock, actor, wakeSenders }: RedeliverForPersonDeps,
  merchantId: string,
  id: string,
): Promise<WebhookDelivery> {
  const delivery = await db.transaction(async (tx) => {
    const before = await findOwnDelivery(tx, merchantId, id);
    const after = await redeliver(tx, merchantId, id);
    const { paymentRequestId, eventId } = after;
    await recordAct(tx, { clock, actor }, 'WEBHOOK_REDELIVERED', merchantId, {
      deliveryId: after.id,
      eventId,
      ...(paymentRequestId !== NIL_PAYMENT_REQUEST && { paymentRequestId }),
      status: after.status,
      before: { status: before.status, attempts: before.attempts },
    });
    return after;
  });
  wakeSenders();
  return delivery;
}
