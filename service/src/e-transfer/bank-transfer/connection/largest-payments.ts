import type { Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { LargestPayment } from '../../network-connection.ts';
import { openCreditor } from '../refunds-out/refunds-out.ts';
import { listLargest } from './sent-file-store.ts';

/** The three largest payments of a file; those of erased payers are left out. */
export async function largestPayments(
  { db, secretsKey }: { readonly db: Executor; readonly secretsKey: RotatingKey },
  messageId: string,
): Promise<LargestPayment[]> {
  return (await listLargest(db, messageId)).flatMap(
    ({ refundId, amountCents, creditorEncrypted }) => {
      if (!creditorEncrypted) return [];
      const { name, account } = openCreditor(secretsKey, refundId, creditorEncrypted);
      return [{ amountCents, name, account }];
    },
  );
}
