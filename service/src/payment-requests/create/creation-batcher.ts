import { createBatcher } from '#database/batcher.ts';
import type { Database, Executor } from '#database/database.ts';
import { answerOnce } from '#idempotency/answer-once.ts';
import type { IdempotentCall } from '#idempotency/read-idempotent-call.ts';
import type { StoredAnswer } from '#idempotency/stored-answer.ts';
import { Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import type { NewPaymentRequest, PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAnswer } from '#payment-requests/model/render-answer.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import type { DatabaseMetrics } from '#telemetry/metrics/database-metrics.ts';
import {
  type CreateDeps,
  createdPaymentRequest,
  createPaymentRequest,
  newIdentity,
} from './create-payment-request.ts';
import { insertPaymentRequests, insertWithKeys } from './insert-store.ts';

/** The parameter of 100 usual bodies stays well below a megabyte. */
const MAX_BATCH = 100;
/** A process creates as many in a second; a call beyond this bound would wait too long. */
const MAX_QUEUE = 5_000;

export interface CreationBatcherDeps extends CreateDeps {
  readonly db: Database;
  readonly settings: PublicSettings;
  readonly metrics: DatabaseMetrics;
}

export interface Creation {
  readonly merchant: Merchant;
  /** The result of `validateCreation`. */
  readonly validated: NewPaymentRequest | Problem;
  /** null for a call without an Idempotency-Key. */
  readonly call: IdempotentCall | null;
}

/** Creates and answers one call. @throws Problem that refuses the call. */
export type Create = (creation: Creation) => Promise<StoredAnswer & { readonly replayed: boolean }>;

/** A validated creation with its answer; only a taken Idempotency-Key can change the outcome. */
type Prepared = ReturnType<typeof prepare>;

/**
 * Makes the function that creates payment requests in batches, each batch in one transaction
 * (contract §4, Create, Idempotency). A call that must look up a row first has a transaction of its
 * own: its key is taken, its refusal may have been accepted earlier under the key, or its merchant
 * has unique transaction ids.
 */
export function createCreationBatcher(deps: CreationBatcherDeps): Create {
  const { db, metrics } = deps;
  const write = createBatcher<Prepared, boolean>({
    run: (batch, lockWaitMs) => writeBatch(deps, batch, lockWaitMs),
    groupOf: ({ row }) => row.identity.merchantId,
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
    onBatch: (size) => metrics.batched('create', size),
  });

  return async ({ merchant, validated, call }) => {
    // A refusal without a key needs no transaction: no stored answer can replace the refusal.
    if (call === null && validated instanceof Problem) throw validated;
    if (!(validated instanceof Problem) && !merchant.uniqueTransactionIds) {
      const prepared = prepare(deps, merchant, validated, call);
      if (await write(prepared)) return { ...prepared.answer, replayed: false };
    }
    return answerOnce(db, call, async (tx) => {
      const created = await createPaymentRequest(tx, deps, merchant, validated);
      return answerOf(deps, created);
    });
  };
}

function prepare(
  deps: CreationBatcherDeps,
  merchant: Merchant,
  asked: NewPaymentRequest,
  call: IdempotentCall | null,
) {
  const identity = newIdentity(merchant, deps.cell);
  const created = createdPaymentRequest(merchant, identity, asked);
  return {
    row: { identity, asked, isTransactionIdUnique: false },
    created,
    call,
    answer: answerOf(deps, created),
  };
}

/** The answer, with the warning that a kept answer repeats. */
function answerOf({ hooks, settings }: CreationBatcherDeps, created: PaymentRequest): StoredAnswer {
  const answer = paymentRequestAnswer(201, created, settings);
  const warning = hooks.warningOf(created.payer.name);
  if (warning === null) return answer;
  return { ...answer, headers: { ...answer.headers, 'payment-requests-warning': warning } };
}

/**
 * Writes a batch in one transaction.
 * @returns in the batch's order: whether the creation was written; false if its key is taken
 */
async function writeBatch(
  { db, hooks, messages }: CreationBatcherDeps,
  batch: readonly Prepared[],
  lockWaitMs: number | undefined,
): Promise<readonly boolean[]> {
  const isScheduled = ({ row }: Prepared) => hooks.isScheduled(row.asked.payer.name);
  const hasMessages = ({ created }: Prepared) => created.messagePlan !== null;
  // PostgreSQL runs a single statement in a transaction of its own.
  if (!batch.some((each) => isScheduled(each) || hasMessages(each)))
    return insert(db, batch, lockWaitMs);
  return db.transaction(async (tx) => {
    const written = await insert(tx, batch, lockWaitMs);
    const done = batch.filter((_, index) => written[index]);
    const announced = done.filter(hasMessages).map(({ created }) => created);
    if (announced.length > 0) await messages.created(tx, announced);
    for (const prepared of done) {
      if (!isScheduled(prepared)) continue;
      const { identity, asked } = prepared.row;
      await hooks.schedule(tx, { id: identity.id, payerName: asked.payer.name });
    }
    return written;
  });
}

async function insert(
  executor: Executor,
  batch: readonly Prepared[],
  lockWaitMs: number | undefined,
): Promise<readonly boolean[]> {
  if (batch.some(({ call }) => call !== null)) {
    const withKey = batch.map(({ row, call, answer }) => ({
      row,
      claim: call && { call, answer },
    }));
    return insertWithKeys(executor, withKey, lockWaitMs);
  }
  await insertPaymentRequests(
    executor,
    batch.map(({ row }) => row),
    lockWaitMs,
  );
  return batch.map(() => true);
}
