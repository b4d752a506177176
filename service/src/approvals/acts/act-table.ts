import type { ActKind } from '#approvals/model/act.ts';
import { ACCOUNT_CLOSE, ACCOUNT_SET } from './account-acts.ts';
import type { ActType } from './act-type.ts';
import { CASE_ACCEPT, CASE_ASSIGN, CASE_REFUND, CASE_REPLACE, CASE_SPLIT } from './case-acts.ts';
import { REFUND, REFUND_COMPLETE, REFUND_FAIL } from './refund-acts.ts';
import { TEMPLATE_ARCHIVE, TEMPLATE_SET } from './template-acts.ts';

const ACT_TYPES: { readonly [Kind in ActKind]: ActType<Kind> } = {
  REFUND,
  CASE_ACCEPT,
  CASE_ASSIGN,
  CASE_REFUND,
  CASE_REPLACE,
  CASE_SPLIT,
  REFUND_FAIL,
  REFUND_COMPLETE,
  ACCOUNT_SET,
  ACCOUNT_CLOSE,
  TEMPLATE_SET,
  TEMPLATE_ARCHIVE,
};

/** The one place that knows each kind. */
export function actTypeOf<Kind extends ActKind>(kind: Kind): ActType<Kind> {
  return ACT_TYPES[kind];
}
