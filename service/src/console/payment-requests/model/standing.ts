import { isUnfinished, type Status } from '#payment-requests/model/statuses.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';

/** The facts that decide why a payment request stands as it does. */
export interface Standing {
  readonly status: Status;
  /** Money has arrived, and it is less than the payment. */
  readonly isPart: boolean;
  readonly isTakenBack: boolean;
  readonly isLate: boolean;
  /** The latest refund; null: there is none. */
  readonly refund: RefundStatus | null;
  readonly isRefundProposed: boolean;
  readonly hasOpenCase: boolean;
}

interface Reason {
  readonly tone: 'info' | 'warning' | 'bad' | 'neutral';
  holds(standing: Standing): boolean;
}

/** Why a payment request stands as it does: the first that holds is the notice of its page. */
export const STANDING_REASONS = {
  REFUND_FAILED: { tone: 'bad', holds: ({ refund }) => refund === 'FAILED' },
  REFUND_PROPOSED: { tone: 'warning', holds: ({ isRefundProposed }) => isRefundProposed },
  TAKEN_BACK: { tone: 'bad', holds: ({ isTakenBack }) => isTakenBack },
  CASE_OPEN: { tone: 'warning', holds: ({ hasOpenCase }) => hasOpenCase },
  REFUND_OPEN: {
    tone: 'info',
    holds: ({ refund }) => refund === 'CREATED' || refund === 'PROCESSING',
  },
  PART_MISSING: {
    tone: 'warning',
    holds: ({ isPart, status }) => isPart && isUnfinished(status),
  },
  FAILED: { tone: 'bad', holds: ({ status }) => status === 'FAILED' },
  EXPIRED: { tone: 'neutral', holds: ({ status }) => status === 'EXPIRED' },
  CANCELLED: { tone: 'neutral', holds: ({ status }) => status === 'CANCELLED' },
  PAID_LATE: { tone: 'info', holds: ({ isLate }) => isLate },
} as const satisfies Readonly<Record<string, Reason>>;
export type StandingReason = keyof typeof STANDING_REASONS;

/** null: the status says it all, as of a payment that arrived in time. */
export function reasonOfStanding(standing: Standing): StandingReason | null {
  const names = Object.keys(STANDING_REASONS) as StandingReason[];
  return names.find((name) => STANDING_REASONS[name].holds(standing)) ?? null;
}
