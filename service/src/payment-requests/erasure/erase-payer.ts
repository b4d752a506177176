import type { DatabaseDeps, Executor } from '#database/database.ts';
import { type RunMode, runOrRehearse } from '#database/rehearse.ts';
import { eraseAnswers } from '#idempotency/idempotency-erasure-store.ts';
import type { AuditAction } from '#merchants/audit-actions.ts';
import { type AuditEntry, insertAuditEntry } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { STATUS_FACTS } from '#payment-requests/model/statuses.ts';
import { indexTextsOf } from '#payment-requests/search-texts/index-texts.ts';
import { eraseWebhookEvents, findOwedWebhooks } from '#webhooks/events/erasure-store.ts';
import {
  type ErasedPayer,
  erasePayerOf,
  findPaymentRequestsOfPayer,
  lockStatuses,
} from './payer-erasure-store.ts';
import { redactPayer } from './redact-payer.ts';
import { endWaiting, keepWaiting, type LeftBecause } from './waiting-store.ts';

export interface ErasePayerDeps extends DatabaseDeps {
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
  /** Erases what messages and the networks keep of payers, but for accounts. */
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
  /** The payment requests that cannot be erased yet, or not wholly: each is an order now. */
  readonly left: readonly LeftPaymentRequest[];
}

export interface LeftPaymentRequest {
  readonly id: string;
  readonly because: LeftBecause;
}

/** Payment requests of a transaction; each transaction scans the merchant's kept answers once. */
const BATCH = 500;

/**
 * Erases a payer (contract §10) from payment requests, timelines, webhook events and kept answers.
 * The payment itself stays, for the books. Anything that has to be left is kept as an order, which
 * the background carries out (decision 0105).
 *
 * @param merchantId null: of all merchants
 * @throws OperatorFault for an unknown merchant
 */
export async function erasePayer(
  deps: ErasePayerDeps,
  merchantId: string | null,
  payer: ErasedPayer,
  mode: RunMode = 'DO',
): Promise<Erasure> {
  const { db } = deps;
  const found = await db.transaction(async (tx) => {
    if (merchantId !== null) await lockKnownMerchant(tx, merchantId);
    return findPaymentRequestsOfPayer(tx, merchantId, payer);
  });
  let sum: Erasure = { paymentRequests: 0, webhookEvents: 0, answers: 0, left: [] };
  for (const [owner, requests] of Map.groupBy(found, (each) => each.merchantId)) {
    for (let start = 0; start < requests.length; start += BATCH) {
      const batch = requests.slice(start, start + BATCH).map(({ id }) => id);
      const erased = await runOrRehearse(db, mode, (tx) => eraseBatch(tx, deps, owner, batch));
      sum = {
        paymentRequests: sum.paymentRequests + erased.paymentRequests,
        webhookEvents: sum.webhookEvents + erased.webhookEvents,
        answers: sum.answers + erased.answers,
        left: [...sum.left, ...erased.left],
      };
    }
  }
  return sum;
}

/** Erases what it can of payment requests of a merchant, and keeps orders for the rest. */
export async function eraseBatch(
  tx: Executor,
  deps: Omit<ErasePayerDeps, 'db'>,
  merchantId: string,
  batch: readonly string[],
): Promise<Erasure> {
  const { actor, clock } = deps;
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
  const erased = ids.length === 0 ? NOTHING : await eraseNow(tx, deps, merchantId, ids, left);
  const leftIds = new Set(left.map(({ id }) => id));
  await endWaiting(
    tx,
    ids.filter((id) => !leftIds.has(id)),
  );
  const fresh = await keepWaiting(tx, merchantId, left, actor, clock.now());
  const entryOf = (action: AuditAction, details: AuditEntry['details']): AuditEntry => ({
    ...{ actor, action, merchantId, details },
    occurredAt: clock.now(),
  });
  if (ids.length > 0) {
    await insertAuditEntry(tx, entryOf('PAYER_ERASED', { paymentRequestIds: ids }));
  }
  const waiting = Map.groupBy(
    left.filter(({ id }) => fresh.has(id)),
    ({ because }) => because,
  );
  for (const [because, orders] of waiting) {
    const details = { because, paymentRequestIds: orders.map(({ id }) => id) };
    await insertAuditEntry(tx, entryOf('PAYER_ERASURE_WAITING', details));
  }
  return { ...erased, paymentRequests: ids.length, left };
}

const NOTHING = { webhookEvents: 0, answers: 0 };

async function eraseNow(
  tx: Executor,
  { money }: Pick<ErasePayerDeps, 'money'>,
  merchantId: string,
  ids: readonly string[],
  left: LeftPaymentRequest[],
) {
  await erasePayerOf(tx, ids);
  await indexTextsOf(tx, ids);
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
  return { webhookEvents, answers };
}
