import type { Executor } from '#database/database.ts';
import type { FieldFault } from '#lib/problem.ts';

/** What an environment adds to a creation; the sandbox's simulator takes this seat. */
export interface CreationRules {
  /** Faults of a payer's name that has a meaning here. May throw the Problem it asks for. */
  check(payerName: string): readonly FieldFault[];
  /** Whether a creation with this name has anything to schedule. */
  isScheduled(payerName: string): boolean;
  /** Called in the transaction that creates the payment request. */
  schedule(
    tx: Executor,
    paymentRequest: { readonly id: string; readonly payerName: string },
  ): Promise<void>;
}

/** Production: names are only names. */
export const noCreationRules: CreationRules = {
  check: () => [],
  isScheduled: () => false,
  schedule: async () => {},
};
