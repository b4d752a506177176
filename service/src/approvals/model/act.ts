import type { ReplaceInput } from '#cases/replace-case.ts';
import type { SettledCase } from '#cases/settle-case.ts';
import type { SplitCase, SplitInput } from '#cases/split-case.ts';
import type { Account } from '#merchants/accounts/account.ts';
import type { AccountInput } from '#merchants/accounts/read-account.ts';
import type { SetAccount } from '#merchants/accounts/set-account.ts';
import type { Template } from '#messages/model/template.ts';
import type { ChangedTemplate, TemplateChange } from '#messages/templates/change-template.ts';
import type { Refund } from '#refunds/model/refund.ts';
import type { RefundReason } from '#refunds/model/statuses.ts';

/** The acts that two people can stand behind, each with its parameters and result. */
export interface Acts {
  /** A refund that a person makes in the console, for the merchant. */
  REFUND: {
    readonly params: {
      readonly merchantId: string;
      readonly paymentRequestId: string;
      readonly amountCents: number;
      /** The amount available that the person saw. */
      readonly expectedAvailableCents: number;
      readonly reason: RefundReason;
    };
    readonly result: Refund;
  };
  CASE_ACCEPT: {
    readonly params: { readonly caseId: string; readonly note: string | null };
    readonly result: SettledCase;
  };
  CASE_ASSIGN: {
    readonly params: {
      readonly caseId: string;
      readonly paymentRequestId: string;
      readonly note: string | null;
    };
    readonly result: SettledCase;
  };
  CASE_REFUND: {
    readonly params: {
      readonly caseId: string;
      readonly movement: string | null;
      readonly note: string | null;
    };
    readonly result: SettledCase;
  };
  CASE_REPLACE: {
    readonly params: ReplaceInput & { readonly caseId: string };
    readonly result: SettledCase;
  };
  CASE_SPLIT: {
    readonly params: SplitInput & { readonly caseId: string };
    readonly result: SplitCase;
  };
  REFUND_FAIL: {
    readonly params: { readonly refundId: string; readonly note: string };
    readonly result: Refund;
  };
  REFUND_COMPLETE: {
    readonly params: { readonly refundId: string; readonly bankReference: string };
    readonly result: Refund;
  };
  ACCOUNT_SET: {
    readonly params: { readonly merchantId: string; readonly account: AccountInput };
    readonly result: SetAccount;
  };
  ACCOUNT_CLOSE: {
    readonly params: { readonly merchantId: string; readonly version: number };
    readonly result: Account;
  };
  TEMPLATE_SET: { readonly params: TemplateChange; readonly result: ChangedTemplate };
  TEMPLATE_ARCHIVE: {
    readonly params: Pick<TemplateChange, 'merchantId' | 'isByMerchant'> & { readonly id: string };
    readonly result: Template;
  };
}

export type ActKind = keyof Acts;
export type ParamsOf<Kind extends ActKind> = Acts[Kind]['params'];
export type ResultOf<Kind extends ActKind> = Acts[Kind]['result'];

/** An act that a person or a command asks for. */
export type Act<Kind extends ActKind = ActKind> = {
  [Each in Kind]: { readonly kind: Each; readonly params: ParamsOf<Each> };
}[Kind];
