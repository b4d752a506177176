import { isId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { deleteSuppressionOf } from './suppression-store.ts';

export interface ListedForLift {
  /** The message that was refused, or came back. */
  readonly messageId: string;
  readonly reason: string;
  /** null: an operator lifts those of any merchant. */
  readonly merchantId: string | null;
}

/**
 * Lets messages reach an address again that a list shows. The audit log names the person, and no
 * address.
 *
 * @throws Problem ROUTE_NOT_FOUND where the list has it no longer
 */
export async function liftListed(
  { db, clock, actor }: AuditedDeps,
  { messageId, reason, merchantId }: ListedForLift,
): Promise<void> {
  await db.transaction(async (tx) => {
    const lifted = isId(messageId)
      ? await deleteSuppressionOf(tx, messageId, reason, merchantId)
      : undefined;
    if (!lifted) throw new Problem('ROUTE_NOT_FOUND');
    const { merchantId: owner, ...about } = lifted;
    const details = { reason, messageId, ...about };
    await recordAct(tx, { clock, actor }, 'MESSAGE_SUPPRESSION_LIFTED', owner, details);
  });
}
