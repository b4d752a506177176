import type { Database, Executor } from '#database/database.ts';
import { type RunMode, runOrRehearse } from '#database/rehearse.ts';
import { eraseAnswers } from '#idempotency/idempotency-erasure-store.ts';
import type { Clock } from '#lib/clock.ts';
import { insertAuditEntry } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/lock-known-merchant.ts';
import { STATUS_FACTS } from '#payment-requests/model/statuses.ts';
import { eraseWebhookEvents, findOwedWebhooks } from '#webhooks/events/erasure-store.ts';
import {
  type ErasedPayer,
  erasePayerOf,
  findPaymentRequestsOfPayer,
  lockStatuses,
} from './payer-erasure-store.ts';
import { redactPayer } from './redact-payer.ts';

export interface ErasePayerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly actor: string;
  readonly money: MoneyErasure;
}

/** The functions that erase a payer in refunds and in the networks. */
export interface MoneyErasure {
  /** Finds the payment requests whose payer's account number is still needed. */
  readonly findOpen: (
    tx: Executor,
    paymentRequestIds: readonly string[],
  ) => Promise<ReadonlyMap<string, 'REFUND_OPEN' | 'CASE_OPEN'>>;
  /** Finds the ids of refunds, whose kept answers are erased. */
  readonly findRefunds: (
    tx: Executor,
    paymentRequestIds: readonly string[],
  ) => Promise<readonly string[]>;
  /** Erases what the networks keep of payers, but for accounts. */
  readonly eraseTexts: (tx: Executor, paymentRequestIds: readonly string[]) => Promise<void>;
  /** Erases accounts, and the messages of refunds; for payment requests without open money. */
  readonly eraseAccounts: (tx: Executor, paymentRequestIds: readonly string[]) => Promise<void>;
}

export interface Erasure {
  /** Payment requests whose payer is erased. */
  readonly paymentRequests: number;
  readonly webhookEvents: number;
  /** Kept answers of calls with an Idempotency-Key. */
  readonly answers: number;
  /** The payment requests that cannot be erased yet, or not wholly, with the reason. */
  readonly left: readonly LeftPaymentRequest[];
}

export interface LeftPaymentRequest {
  readonly id: string;
  /**
   * The request can still be paid, or one of its webhooks is pending and must not change. With an
   * open refund or case everything but account numbers and the messages of refunds is erased
   * (contract §11).
   */
  readonly because: 'NOT_OVER' | 'WEBHOOK_OWED' | 'REFUND_OPEN' | 'CASE_OPEN';
}

/** Payment requests of a transaction; each transaction scans the merchant's kept answers once. */
const BATCH = 500;

/**
 * Erases a payer (contract §10) from the merchant's payment requests, timelines, webhook events and
 * kept answers. The payment itself stays, for the books. A repetition erases the payment requests
 * that an earlier run had to leave.
 *
 * @throws OperatorFault for an unknown merchant
 */
export async function erasePayer(
  deps: ErasePayerDeps,
  merchantId: string,
  payer: ErasedPayer,
  mode: RunMode = 'DO',
): Promise<Erasure> {
  const { db } = deps;
  const ids = await db.transaction(async (tx) => {
    await lockKnownMerchant(tx, merchantId);
    return findPaymentRequestsOfPayer(tx, merchantId, payer);
  });
  let sum: Erasure = { paymentRequests: 0, webhookEvents: 0, answers: 0, left: [] };
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    const erased = await runOrRehearse(db, mode, (tx) => eraseBatch(tx, deps, merchantId, batch));
    sum = {
      paymentRequests: sum.paymentRequests + erased.paymentRequests,
      webhookEvents: sum.webhookEvents + erased.webhookEvents,
      answers: sum.answers + erased.answers,
      left: [...sum.left, ...erased.left],
    };
  }
  return sum;
}

async function eraseBatch(
  tx: Executor,
  { actor, clock, money }: ErasePayerDeps,
  merchantId: string,
  batch: readonly string[],
): Promise<Erasure> {
  const locked = await lockStatuses(tx, batch);
  // The lock stops changes of status, so that no further webhook can become pending.
  const owed = await findOwedWebhooks(tx, batch);
  const left: LeftPaymentRequest[] = [];
  const ids: string[] = [];
  for (const { id, status } of locked) {
    if (!STATUS_FACTS[status].isOver) left.push({ id, because: 'NOT_OVER' });
    else if (owed.has(id)) left.push({ id, because: 'WEBHOOK_OWED' });
    else ids.push(id);
  }
  if (ids.length === 0) return { paymentRequests: 0, webhookEvents: 0, answers: 0, left };
  await erasePayerOf(tx, ids);
  const webhookEvents = await eraseWebhookEvents(tx, ids, redactPayer);
  const shown = [...ids, ...(await money.findRefunds(tx, ids))];
  const answers = await eraseAnswers(tx, merchantId, shown, redactPayer);
  const open = await money.findOpen(tx, ids);
  for (const [id, because] of open) left.push({ id, because });
  await money.eraseTexts(tx, ids);
  await money.eraseAccounts(
    tx,
    ids.filter((id) => !open.has(id)),
  );
  await insertAuditEntry(tx, {
    actor,
    action: 'PAYER_ERASED',
    merchantId,
    details: { paymentRequestIds: ids },
    occurredAt: clock.now(),
  });
  return { paymentRequests: ids.length, webhookEvents, answers, left };
}
