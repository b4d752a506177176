import type { PlannedEntry } from './money/movements.ts';
import type { CauseName, RefusalReasonCode } from './statuses.ts';

/** A cause of a transition, with the data that it brings. */
export type Cause =
  | { readonly name: Exclude<CauseName, 'CREATED' | 'PAYMENT_SUCCEEDED' | 'PAYMENT_REFUSED'> }
  | {
      readonly name: 'PAYMENT_SUCCEEDED';
      /** All money that counts towards the amount asked for, with what arrived before. */
      readonly amountCents: number;
      /** The ledger's new entries; left out: one movement of `amountCents`. */
      readonly entries?: readonly PlannedEntry[];
      /** An operator accepts another amount than the one asked for. */
      readonly isAccepted?: true;
      readonly institution: string;
      readonly networkReference: string;
      readonly completedAt: Date;
    }
  | { readonly name: 'PAYMENT_REFUSED'; readonly reasonCode: RefusalReasonCode };
