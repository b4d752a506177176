import type { ActKind, ParamsOf, ResultOf } from '#approvals/model/act.ts';
import type { Facts } from '#approvals/model/facts.ts';
import type { SplitDeps } from '#cases/split-case.ts';
import type { Executor } from '#database/database.ts';
import type { CreateRefundsDeps } from '#refunds/create/create-refunds.ts';

/** The needs of the acts themselves. */
export interface ActDeps
  extends Pick<
    SplitDeps,
    'clock' | 'settings' | 'misbehaviourOf' | 'messages' | 'canRefund' | 'findShowing'
  > {
  readonly refund: CreateRefundsDeps;
}

/** When an act needs two people. */
export interface ApprovalPolicy {
  readonly isOn: boolean;
  /** Refunds above this sum need two people. */
  readonly refundsAboveCents: number;
}

/** An act that asks to be done, under the locks of its transaction. */
export interface Doing<Kind extends ActKind> {
  /** The key under which the act happens once: the proposal's id, or the form's. */
  readonly id: string;
  readonly params: ParamsOf<Kind>;
  /** The actor of the audit log. */
  readonly actor: string;
}

export interface Done<Kind extends ActKind> {
  readonly result: ResultOf<Kind>;
  /** The act was done before under the same id, and nothing was written. */
  readonly isRepeated?: boolean;
  /** Ids and sums for the audit log and the proposal; no data of payers. */
  readonly audited: Readonly<Record<string, unknown>>;
  /** Payment requests and refunds whose waiters and webhooks are due after the commit. */
  readonly changedIds: readonly string[];
  readonly publish?: () => void;
}

export interface LockedFacts {
  readonly facts: Facts;
  /** null: no merchant can be named. */
  readonly merchantId: string | null;
  /** null: the act moves no money. */
  readonly amountCents: number | null;
}

/** A kind of act: what it is about, on which facts it rests, and how it is done. */
export interface ActType<Kind extends ActKind> {
  /** The matter, of which one proposal can be open. */
  targetOf(params: ParamsOf<Kind>): string;
  /**
   * Locks the rows that the act changes, in the order of the act, and reads them.
   *
   * @throws OperatorFault, Problem where the act is not possible
   */
  lockFacts(tx: Executor, params: ParamsOf<Kind>): Promise<LockedFacts>;
  /** Left out: always, while approvals are on. */
  needsApproval?(params: ParamsOf<Kind>, facts: Facts, policy: ApprovalPolicy): boolean;
  /** @throws OperatorFault, Problem; the transaction then writes nothing */
  act(tx: Executor, deps: ActDeps, doing: Doing<Kind>): Promise<Done<Kind>>;
}
