/** The reasons that a merchant can give for a cancellation (contract §4, Cancel). */
export const CANCELLATION_REASONS = [
  'DUPLICATE',
  'REQUESTED_BY_CUSTOMER',
  'ABANDONED',
  'FRAUDULENT',
  'OTHER',
] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];
