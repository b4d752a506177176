import { acceptCase } from '#cases/accept-case.ts';
import { assignCase } from '#cases/assign-case.ts';
import {
  lockReplaceFacts,
  lockSettlementFacts,
  lockSplitFacts,
} from '#cases/lock-settlement-facts.ts';
import { refundCase } from '#cases/refund-case.ts';
import { replaceCase } from '#cases/replace-case.ts';
import type { SettledCase } from '#cases/settle-case.ts';
import { type SplitDeps, splitCase } from '#cases/split-case.ts';
import type { Executor } from '#database/database.ts';
import { joinTransaction } from '#database/join-transaction.ts';
import type { ActDeps, ActType } from './act-type.ts';

type CaseKind = 'CASE_ACCEPT' | 'CASE_ASSIGN' | 'CASE_REFUND';

export const CASE_ACCEPT: ActType<'CASE_ACCEPT'> = {
  ...aboutCase(() => null),
  async act(tx, deps, { actor, params: { caseId, note } }) {
    return doneWith(await acceptCase(settleDepsOf(tx, deps, actor), caseId, note));
  },
};

export const CASE_ASSIGN: ActType<'CASE_ASSIGN'> = {
  ...aboutCase<'CASE_ASSIGN'>(({ paymentRequestId }) => paymentRequestId),
  async act(tx, deps, { actor, params: { caseId, paymentRequestId, note } }) {
    const assignment = { paymentRequestId, note };
    return doneWith(await assignCase(settleDepsOf(tx, deps, actor), caseId, assignment));
  },
};

export const CASE_REFUND: ActType<'CASE_REFUND'> = {
  ...aboutCase(() => null),
  async act(tx, deps, { actor, params: { caseId, movement, note } }) {
    return doneWith(await refundCase(settleDepsOf(tx, deps, actor), caseId, { movement, note }));
  },
};

export const CASE_REPLACE: ActType<'CASE_REPLACE'> = {
  targetOf: ({ caseId }) => `case:${caseId}`,
  lockFacts: (tx, { caseId, movement }) => lockReplaceFacts(tx, caseId, movement),
  async act(tx, deps, { actor, params: { caseId, movement, note } }) {
    const asked = { movement, note };
    return doneWith(await replaceCase(settleDepsOf(tx, deps, actor), caseId, asked));
  },
};

export const CASE_SPLIT: ActType<'CASE_SPLIT'> = {
  targetOf: ({ caseId }) => `case:${caseId}`,
  lockFacts: (tx, { caseId, parts }) => lockSplitFacts(tx, caseId, parts),
  async act(tx, deps, { actor, params: { caseId, parts, note } }) {
    const result = await splitCase(settleDepsOf(tx, deps, actor), caseId, { parts, note });
    const { audited, changedIds } = doneWith(result);
    const ids = result.parts.map(({ paymentRequestId }) => paymentRequestId);
    return {
      result,
      audited: { ...audited, parts: result.parts },
      changedIds: [...new Set([...changedIds, ...ids])],
    };
  },
};

function aboutCase<Kind extends CaseKind>(
  paymentRequestOf: (params: Parameters<ActType<Kind>['targetOf']>[0]) => string | null,
): Pick<ActType<Kind>, 'targetOf' | 'lockFacts'> {
  return {
    targetOf: ({ caseId }) => `case:${caseId}`,
    lockFacts: (tx, params) => lockSettlementFacts(tx, params.caseId, paymentRequestOf(params)),
  };
}

/** The settlement writes its own entry of the audit log. */
function settleDepsOf(tx: Executor, deps: ActDeps, actor: string): SplitDeps {
  const { clock, settings, misbehaviourOf, messages, canRefund, findShowing } = deps;
  const db = joinTransaction(tx);
  const own = { db, actor, clock, settings, canRefund, findShowing };
  return {
    ...own,
    ...(misbehaviourOf && { misbehaviourOf }),
    ...(messages && { messages }),
  };
}

function doneWith(result: SettledCase) {
  const { id: caseId, kind, settlement, outcome, paymentRequestId } = result;
  return {
    result,
    audited: { caseId, kind, settlement, outcome, paymentRequestId },
    changedIds: paymentRequestId === null ? [] : [paymentRequestId],
  };
}
