import type { SettledCase } from '#cases/settle-case.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { MoneyPart } from '#e-transfer/money-parts.ts';
import type { NetworkBooks } from '#e-transfer/network-books.ts';
import type { FileAct } from '#e-transfer/network-connection.ts';

/** A settlement that an operator asks for; the end of a case without one needs a note. */
export type CaseAct = { readonly caseId: string } & (
  | { readonly act: 'close'; readonly note: string }
  | ({ readonly note: string | null } & (
      | { readonly act: 'accept' }
      | { readonly act: 'assign'; readonly paymentRequestId: string }
      /** The movement to give back, or the earlier booking, where the case leaves the choice. */
      | { readonly act: 'refund' | 'replace'; readonly movement: string | null }
      | { readonly act: 'split'; readonly parts: readonly MoneyPart[] }
    ))
);

export type ActOfCase = CaseAct['act'];

/** The settlement is done, or waits for a second person. */
export type CaseAnswer =
  | { readonly status: 'DONE'; readonly result: SettledCase }
  | { readonly status: 'PROPOSED' };

/** Settles cases by the same use cases as the command line. */
export interface CaseSettling {
  /** Whether the network can give money back. */
  readonly canRefund: boolean;
  /**
   * @param formId a UUID of the form, so that a form that is sent twice acts once
   * @throws OperatorFault, Problem as the use case
   */
  settle(by: Pick<Visit, 'actor' | 'viewer'>, act: CaseAct, formId: string): Promise<CaseAnswer>;
}

/** The needs of the pages of money. */
export interface MoneyParts {
  /** null: the network of this deployment reads no statements. */
  readonly books: NetworkBooks | null;
  readonly settling: CaseSettling;
  /**
   * Does an act on a payment file, or notes that a first person asks for it.
   *
   * @throws OperatorFault
   */
  readonly actOnPaymentFile: (
    by: Pick<Visit, 'actor' | 'viewer'>,
    messageId: string,
    asked: FileAct,
  ) => Promise<'DONE' | 'ASKED'>;
  /** Takes a file of a bank. @returns the id of the file */
  readonly uploadBankFile: (by: Pick<Visit, 'actor'>, bytes: Buffer) => Promise<string>;
  /** Approves the token of a program as its second person. @throws OperatorFault */
  readonly approveToken: (by: Pick<Visit, 'actor' | 'viewer'>, id: string) => Promise<void>;
}
