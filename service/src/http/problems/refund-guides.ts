import type { ProblemGuide } from './problem-guide.ts';

/** The texts of the pages of problems that refunds can meet (contract §11). */
export const REFUND_GUIDES = {
  REFUNDS_DISABLED: {
    meaning: 'Your limit of refunds for a day is 0: refunds are switched off.',
    remedy: 'Ask the operator of this service to set a limit of refunds for you.',
  },
  REFUND_NOT_FOUND: {
    meaning: 'You have no refund with this id in this environment.',
    remedy: 'Compare the id with the id of the answer that created the refund.',
  },
  NOT_PAID: {
    meaning: 'Only a payment request that is PAID can be refunded, and this one is not.',
    remedy: 'Read the payment request. While it is CREATED you can cancel it instead.',
  },
  REFUNDS_NOT_SUPPORTED: {
    meaning: 'The e-transfer network that this service uses has no refunds.',
    remedy: 'Give the money back in another way, for example by a bank transfer of your own.',
  },
  DUPLICATE_MERCHANT_REFUND_ID: {
    meaning:
      'You have used this merchantRefundId before, with another body or for another payment ' +
      'request. A merchantRefundId names one refund for ever.',
    remedy:
      'To repeat a call, send exactly the bytes of its first body. For another refund, send a ' +
      'new merchantRefundId.',
  },
  REFUND_LIMIT_REACHED: {
    meaning:
      'With this refund, your refunds of the day would be above the limit that the operator has ' +
      'set. FAILED refunds do not count.',
    remedy: 'Refund less, wait for the next day, or ask the operator for a higher limit.',
  },
  REFUND_AMOUNT_MISMATCH: {
    meaning:
      'Your call named the amount that it expects to be available, and another amount is: a ' +
      'refund or returned money came in between.',
    remedy: 'Read the payment request, decide again, and send its refundSummary.amountAvailable.',
  },
  REFUND_AMOUNT_EXCEEDED: {
    meaning:
      'The refund is above the amount received, less returned money and the refunds that have ' +
      'not failed; or nothing is left.',
    remedy:
      'Read the payment request: refundSummary.amountAvailable is the most that you can send.',
  },
} as const satisfies Readonly<Record<string, ProblemGuide>>;
