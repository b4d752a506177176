import type { Executor } from '#database/database.ts';
import type { FieldFault } from '#lib/problem.ts';

/** Hooks of an environment into creation; the sandbox's simulator implements them. */
export interface CreationHooks {
  /** Finds faults of the payer's name. @throws Problem that the name asks the sandbox for. */
  check(payerName: string): readonly FieldFault[];
  /** A warning in ASCII, which the answer carries as a header and the timeline as a note. */
  warningOf(payerName: string): string | null;
  /** Whether `schedule` has work for a payment request with this payer's name. */
  isScheduled(payerName: string): boolean;
  /** Runs in the transaction that inserts the payment request. */
  schedule(
    tx: Executor,
    paymentRequest: { readonly id: string; readonly payerName: string },
  ): Promise<void>;
}

/** Production: a payer's name has no second meaning. */
export const noCreationHooks: CreationHooks = {
  check: () => [],
  warningOf: () => null,
  isScheduled: () => false,
  schedule: async () => {},
};
