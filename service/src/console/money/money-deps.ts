import type { SettledCase } from '#cases/settle-case.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { MoneyPart } from '#e-transfer/money-parts.ts';
import type { NetworkBooks } from '#e-transfer/network-books.ts';

/** A settlement that an operator asks for. */
export type CaseAct =
  | { readonly act: 'accept'; readonly caseId: string; readonly note: string | null }
  | {
      readonly act: 'assign';
      readonly caseId: string;
      readonly paymentRequestId: string;
      readonly note: string | null;
    }
  | {
      readonly act: 'refund';
      readonly caseId: string;
      /** The movement to give back, where the case leaves the choice. */
      readonly movement: string | null;
      readonly note: string | null;
    }
  | {
      readonly act: 'replace';
      readonly caseId: string;
      /** The earlier booking, where several came before. */
      readonly movement: string | null;
      readonly note: string | null;
    }
  | {
      readonly act: 'split';
      readonly caseId: string;
      readonly parts: readonly MoneyPart[];
      readonly note: string | null;
    }
  | { readonly act: 'close'; readonly caseId: string; readonly note: string };

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
}
