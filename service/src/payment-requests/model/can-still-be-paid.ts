import type { Executor } from '#database/database.ts';
import { findMerchant } from '#merchants/merchant-store.ts';
import type { PaymentRequest } from './payment-request.ts';

/** Contract §4: an open link of a suspended merchant cannot be paid; what is PROCESSING ends. */
export async function canStillBePaid(
  tx: Executor,
  { status, merchant }: Pick<PaymentRequest, 'status' | 'merchant'>,
): Promise<boolean> {
  if (status === 'PROCESSING') return true;
  if (status !== 'CREATED') return false;
  return (await findMerchant(tx, merchant.id))?.status === 'ACTIVE';
}
