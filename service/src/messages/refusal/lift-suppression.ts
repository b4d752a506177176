import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import type { MessageKey } from '#messages/addresses/message-key.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import { deleteSuppressions } from './suppression-store.ts';

export interface LiftedSuppression {
  readonly merchantId: string;
  readonly channel: Channel;
}

/**
 * Lets a merchant's messages reach an address again: the recipient has asked for it. The audit log
 * names the operator and no address.
 *
 * @throws OperatorFault for an unknown merchant, and where nothing holds messages back
 */
export function liftSuppression(
  { db, clock, actor, key }: AuditedDeps & { readonly key: MessageKey },
  { merchantId, channel }: LiftedSuppression,
  address: string,
): Promise<LiftedSuppression> {
  return db.transaction(async (tx) => {
    await lockKnownMerchant(tx, merchantId);
    const addressHash = await key.hashAddress(tx, channel, address);
    if ((await deleteSuppressions(tx, merchantId, channel, addressHash)) === 0) {
      throw new OperatorFault('No message of this merchant to this address is held back.');
    }
    const details = { channel };
    await recordAct(tx, { clock, actor }, 'MESSAGE_SUPPRESSION_LIFTED', merchantId, details);
    return { merchantId, channel };
  });
}
