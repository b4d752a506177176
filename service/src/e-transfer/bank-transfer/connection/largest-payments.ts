import type { Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret } from '#lib/secrets/secret-box.ts';
import type { LargestPayment } from '../../network-connection.ts';
import type { RefundCreditor } from '../refunds-out/bank-refund.ts';
import { creditorContext } from '../refunds-out/refunds-out.ts';
import { listLargest } from './sent-file-store.ts';

/** The three largest payments of a file; those of erased payers are left out. */
export async function largestPayments(
  { db, secretsKey }: { readonly db: Executor; readonly secretsKey: RotatingKey },
  messageId: string,
): Promise<LargestPayment[]> {
  return (await listLargest(db, messageId)).flatMap(
    ({ refundId, amountCents, creditorEncrypted }) => {
      if (!creditorEncrypted) return [];
      const text = decryptSecret(secretsKey, creditorEncrypted, creditorContext(refundId));
      const { name, account } = JSON.parse(text) as RefundCreditor;
      return [{ amountCents, name, account }];
    },
  );
}
