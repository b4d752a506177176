import type { RefundStatusTexts, RefusalTexts } from './text-types.ts';

export const refusals: RefusalTexts = {
  REFUND_AMOUNT_EXCEEDED: 'No refund was made: the amount is above the amount available.',
  REFUND_AMOUNT_MISMATCH:
    'No refund was made: the amount available has changed since this page was opened. Look at it ' +
    'again.',
  REFUNDS_DISABLED:
    'No refund was made: refunds are off for this shop. The operator of the payment service can ' +
    'allow them.',
  REFUNDS_NOT_SUPPORTED:
    'No refund was made: the payment’s network cannot give the money back. Give it back another ' +
    'way.',
  REFUND_LIMIT_REACHED:
    'No refund was made: the shop’s refunds of today have reached their limit. Try again ' +
    'tomorrow, or ask the operator of the payment service.',
  NOT_PAID: 'No refund was made: this payment was not paid.',
  OTHER: 'No refund was made: the payment service refused it. The shop’s log says why.',
};

export const refundStatuses: RefundStatusTexts = {
  ASKED: 'The answer did not arrive. Send it again: the money goes back once.',
  REFUSED: 'Refused, no money moved.',
  CREATED: 'Asked for. The money has not moved yet.',
  PROCESSING: 'The bank works on it.',
  COMPLETED: 'Given back.',
  FAILED: 'Failed: the amount is available again.',
};
