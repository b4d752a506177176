import type { Executor } from '#database/database.ts';
import { currentCall } from '#lib/call-context.ts';
import { newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import type { Written } from '#payment-requests/status/change-status.ts';
import { findByMerchantRefundIds, type MerchantRefundKey } from '#refunds/lookup/find-store.ts';
import type { Refund, RefundedPayment } from '#refunds/model/refund.ts';
import {
  type ChangeRefundDeps,
  insertRefunds,
  type NewRefundRow,
} from '#refunds/status/change-refund-status.ts';
import { lockPaymentsOfMerchants } from '#refunds/status/lock-store.ts';
import { type AskedCreation, type CreationDecision, decideCreation } from './decide-creation.ts';
import { findDayLimits, lockRefundsOfMerchants } from './limit-store.ts';

export interface CreateRefundsDeps extends ChangeRefundDeps {
  /** The deployment's zone: a day of a limit begins and ends in it. */
  readonly timeZone: string;
  /**
   * The seconds until the network is handed a new refund with this message; null: the network
   * cannot give money back.
   */
  readonly handOverSeconds: ((message: string | null) => number) | null;
  /** Finds payment requests whose money came from no account; absent: the network says it later. */
  readonly findUnpayable?: (tx: Executor, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Finds the merchantRefundIds of refunds that retention has deleted. */
  readonly findSpentIds: (
    tx: Executor,
    ids: readonly MerchantRefundKey[],
  ) => Promise<readonly MerchantRefundKey[]>;
}

export interface AskedRefund extends AskedCreation {
  readonly merchant: Merchant;
  /** The merchant's own id, where the body has a valid one. */
  readonly merchantRefundId: string | null;
  readonly identity: RefundIdentity;
}

export interface RefundIdentity {
  readonly id: string;
  /** The X-Request-Id of the creating call; null: no call creates the refund. */
  readonly requestId: string | null;
  readonly traceparent: string | null;
}

/** The refund of each call: new, repeated, or the reason why there is none. */
export type RefundResult =
  | { readonly kind: 'NEW' | 'REPEATED'; readonly refund: Refund }
  | { readonly kind: 'REFUSED'; readonly problem: Problem };

export interface CreatedRefunds extends Written {
  /** In the order of the calls. */
  readonly results: readonly RefundResult[];
}

/** Call it in the context of the call: a batch is written outside every call. */
export function newRefundIdentity(): RefundIdentity {
  const { requestId = null, traceparent = null } = currentCall() ?? {};
  return { id: newId(), requestId, traceparent };
}

/**
 * Creates the refunds of calls in the caller's transaction, in five statements for any number
 * (contract §11). Each call is decided by the result of those before it.
 */
export async function createRefunds(
  tx: Executor,
  deps: CreateRefundsDeps,
  calls: readonly AskedRefund[],
  lockWaitMs?: number,
): Promise<CreatedRefunds> {
  const now = deps.clock.now();
  const facts = await readFacts(tx, deps, calls, now, lockWaitMs);
  const rows: NewRefundRow[] = [];
  const results = calls.map((call): RefundResult => {
    try {
      const decision = decide(deps, facts, call);
      if (decision.kind === 'REPEATED') return decision;
      const row = rowOf(deps, facts, call, decision, now);
      rows.push(row);
      facts.add(call, row.refund);
      return { kind: 'NEW', refund: row.refund };
    } catch (error) {
      if (error instanceof Problem) return { kind: 'REFUSED', problem: error };
      throw error;
    }
  });
  if (rows.length === 0) return { results, publish() {} };
  return { results, ...(await insertRefunds(tx, deps, rows)) };
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

async function readFacts(
  tx: Executor,
  { timeZone, findSpentIds, findUnpayable }: CreateRefundsDeps,
  calls: readonly AskedRefund[],
  now: Date,
  lockWaitMs: number | undefined,
) {
  const merchantIds = [...new Set(calls.map(({ merchant }) => merchant.id))];
  await lockRefundsOfMerchants(tx, merchantIds, lockWaitMs);
  const keys = calls.flatMap(({ merchant, merchantRefundId }) =>
    merchantRefundId === null ? [] : { merchantId: merchant.id, merchantRefundId },
  );
  const known = new Map(
    (await findByMerchantRefundIds(tx, keys)).map((sent) => [
      keyOf(sent.refund.merchantId, sent.refund.merchantRefundId),
      sent,
    ]),
  );
  const unknown = keys.filter((key) => !known.has(keyOf(key.merchantId, key.merchantRefundId)));
  const spent = new Set(
    (await findSpentIds(tx, unknown)).map((key) => keyOf(key.merchantId, key.merchantRefundId)),
  );
  const limits = await findDayLimits(tx, merchantIds, now, timeZone);
  const counted = new Map([...limits].map(([id, { countedCents }]) => [id, countedCents]));
  const ids = calls.map(({ paymentRequestId }) => paymentRequestId);
  const locked = await lockPaymentsOfMerchants(tx, [...new Set(ids)], merchantIds);
  const payments = new Map<string, RefundedPayment>(locked);
  const paid = [...locked.values()].filter(({ isPaid }) => isPaid).map(({ id }) => id);
  return {
    known,
    spent,
    limits,
    counted,
    payments,
    unpayable: (await findUnpayable?.(tx, paid)) ?? new Set<string>(),
    /** Counts a new refund for the calls after it. */
    add({ merchant, merchantRefundId, bodyHash }: AskedRefund, refund: Refund): void {
      if (merchantRefundId !== null) {
        known.set(keyOf(merchant.id, merchantRefundId), { refund, bodyHash });
      }
      counted.set(merchant.id, (counted.get(merchant.id) ?? 0) + refund.amountCents);
      const payment = payments.get(refund.paymentRequestId);
      if (!payment) return;
      const refundingCents = payment.refundingCents + refund.amountCents;
      payments.set(payment.id, { ...payment, refundingCents });
    },
  };
}

function decide(deps: CreateRefundsDeps, facts: Facts, call: AskedRefund): CreationDecision {
  const { merchant, merchantRefundId, paymentRequestId } = call;
  const payment = facts.payments.get(paymentRequestId.toLowerCase());
  const isKnown = merchantRefundId !== null;
  return decideCreation(call, {
    payment: payment?.merchantId === merchant.id ? payment : null,
    isSpent: isKnown && facts.spent.has(keyOf(merchant.id, merchantRefundId)),
    known: (isKnown && facts.known.get(keyOf(merchant.id, merchantRefundId))) || null,
    limitCents: facts.limits.get(merchant.id)?.limitCents ?? 0,
    countedCents: facts.counted.get(merchant.id) ?? 0,
    isSupported: deps.handOverSeconds !== null && !facts.unpayable.has(payment?.id ?? ''),
  });
}

function rowOf(
  { handOverSeconds }: CreateRefundsDeps,
  { limits }: Facts,
  { merchant, merchantRefundId, paymentRequestId, bodyHash, identity }: AskedRefund,
  { asked, amountCents }: Extract<CreationDecision, { kind: 'NEW' }>,
  now: Date,
): NewRefundRow {
  const refund: Refund = {
    id: identity.id,
    paymentRequestId: paymentRequestId.toLowerCase(),
    merchantId: merchant.id,
    merchantRefundId,
    amountCents,
    status: 'CREATED',
    statusReasonCode: null,
    reason: asked.reason,
    message: asked.message,
    webhookUrl: asked.webhookUrl,
    isOfPayment: true,
    movementReference: null,
    operatorCaseId: null,
    payment: null,
    countedOn: limits.get(merchant.id)?.day ?? null,
    traceparent: identity.traceparent,
    version: 1,
    createdAt: now,
    events: [{ status: 'CREATED', occurredAt: now }],
  };
  const firstPollSeconds = handOverSeconds?.(asked.message) ?? null;
  return { refund, bodyHash, firstPollSeconds, requestId: identity.requestId };
}

/** Neither part holds a line break. */
function keyOf(merchantId: string, merchantRefundId: string | null): string {
  return `${merchantId}\n${merchantRefundId}`;
}
