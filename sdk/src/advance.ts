import type { OneOf } from './payment-request.ts';

/** The things that fall due as the time of a payment request of the sandbox advances. */
export interface Advance {
  readonly paymentRequestId: string;
  /** The sum that the payment request shows once all of it is over. */
  readonly sandboxAdvancedSeconds: number;
  /** In their order. Further attempts depend on the answers of your listener. */
  readonly willRun: readonly {
    readonly type: OneOf<
      'EXPIRY' | 'SIMULATOR_STEP' | 'REFUND_STEP' | 'MESSAGE' | 'WEBHOOK_ATTEMPT'
    >;
    /** The payment request, refund, message or delivery. */
    readonly id: string;
    readonly dueDateTime: string;
  }[];
}
