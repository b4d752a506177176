import type { Database } from '#database/database.ts';
import { Problem } from '#lib/problem.ts';
import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { CHANNELS } from '#payment-requests/model/messages/delivery.ts';
import { type SendAgainDeps, sendAgain } from './send-again.ts';

/**
 * Sends a payer the link again for a person, by the rules of the merchant's own call (messages §2).
 * The audit log names the person.
 *
 * @throws Problem as `sendAgain`; VALIDATION_ERROR for no channel
 */
export async function sendAgainForPerson(
  deps: SendAgainDeps & Pick<AuditedDeps, 'actor'> & { readonly db: Database },
  merchantId: string,
  { id, channel: asked }: { readonly id: string; readonly channel: string | null },
): Promise<void> {
  const channel = CHANNELS.find((each) => each === asked);
  if (!channel) throw new Problem('VALIDATION_ERROR');
  await deps.db.transaction(async (tx) => {
    const sent = await sendAgain(tx, deps, merchantId, { id, body: { channel }, faults: [] });
    await recordAct(tx, deps, 'LINK_SENT_AGAIN', merchantId, {
      paymentRequestId: sent.paymentRequestId,
      messageId: sent.id,
      channel,
    });
  });
}
