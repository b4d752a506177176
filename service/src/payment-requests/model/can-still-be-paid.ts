import type { MerchantStatus } from '#merchants/merchant.ts';
import { findTransition, isOpen, type Status } from './statuses.ts';

/**
 * Whether money that arrives now is on time. An open link of a suspended merchant cannot be paid;
 * a payment in progress still ends (contract §4).
 */
export function canStillBePaid(status: Status, merchantStatus: MerchantStatus): boolean {
  const transition = findTransition(status, 'PAYMENT_SUCCEEDED');
  if (!transition || transition.paidLate) return false;
  return merchantStatus === 'ACTIVE' || !isOpen(status);
}
