import { createBatcher } from '#database/batcher.ts';
import type { Database, Executor } from '#database/database.ts';
import { answerOnce } from '#idempotency/answer-once.ts';
import type { IdempotentCall } from '#idempotency/read-idempotent-call.ts';
import type { StoredAnswer } from '#idempotency/stored-answer.ts';
import { Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import type { NewPaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAnswer } from '#payment-requests/model/render-answer.ts';
import type { PublicAddresses } from '#payment-requests/model/render-json.ts';
import type { DatabaseMetrics } from '#telemetry/metrics/database-metrics.ts';
import {
  type CreateDeps,
  createdPaymentRequest,
  createPaymentRequest,
  newIdentity,
} from './create-payment-request.ts';
import { insertPaymentRequests, insertWithKeys, type NewRow } from './insert-store.ts';

/** One statement's parameter stays well below a megabyte with usual bodies. */
const MAX_BATCH = 100;
/** A second's worth at full speed; whoever comes behind that had better come back. */
const MAX_QUEUE = 5_000;

export interface CreateTogetherDeps extends CreateDeps {
  readonly db: Database;
  readonly addresses: PublicAddresses;
  readonly metrics: DatabaseMetrics;
}

export interface Creation {
  readonly merchant: Merchant;
  /** What `validateCreation` made of the call. */
  readonly validated: NewPaymentRequest | Problem;
  /** null for a call without an Idempotency-Key. */
  readonly call: IdempotentCall | null;
}

/** Creates and answers one call. Throws the Problem that it is refused with. */
export type Create = (creation: Creation) => Promise<StoredAnswer & { readonly replayed: boolean }>;

/** A creation whose outcome is known before it is written: only its key may be taken. */
interface Prepared {
  readonly row: NewRow;
  readonly call: IdempotentCall | null;
  readonly answer: StoredAnswer;
}

/**
 * Makes the creation that many callers share (contract §4, Create, Idempotency): those that come
 * together are one transaction. A call that has something to look up first has one to itself: a key
 * that is taken, a refusal that may have been accepted under its key, and a merchant whose
 * transaction ids are unique.
 */
export function createTogether(deps: CreateTogetherDeps): Create {
  const { db, addresses, metrics } = deps;
  const write = createBatcher<Prepared, boolean>({
    run: (batch, lockWaitMs) => writeBatch(deps, batch, lockWaitMs),
    groupOf: ({ row }) => row.identity.merchantId,
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
    onBatch: (size) => metrics.batched('create', size),
  });

  return async ({ merchant, validated, call }) => {
    // Without a key there is nothing to look up: a refusal needs no transaction.
    if (call === null && validated instanceof Problem) throw validated;
    if (!(validated instanceof Problem) && !merchant.uniqueTransactionIds) {
      const prepared = prepare(merchant, validated, call, addresses);
      if (await write(prepared)) return { ...prepared.answer, replayed: false };
    }
    return answerOnce(db, call, async (tx) => {
      const created = await createPaymentRequest(tx, deps, merchant, validated);
      return paymentRequestAnswer(201, created, addresses);
    });
  };
}

function prepare(
  merchant: Merchant,
  asked: NewPaymentRequest,
  call: IdempotentCall | null,
  addresses: PublicAddresses,
): Prepared {
  const identity = newIdentity(merchant);
  const created = createdPaymentRequest(merchant, identity, asked);
  return {
    row: { identity, asked, isTransactionIdUnique: false },
    call,
    answer: paymentRequestAnswer(201, created, addresses),
  };
}

/**
 * Writes a batch, together or not at all.
 * @returns in the batch's order: whether it was written; false where the call's key is taken
 */
async function writeBatch(
  { db, hooks }: CreateTogetherDeps,
  batch: readonly Prepared[],
  lockWaitMs: number | undefined,
): Promise<readonly boolean[]> {
  const isScheduled = ({ row }: Prepared) => hooks.isScheduled(row.asked.payer.name);
  // One statement is its own transaction.
  if (!batch.some(isScheduled)) return insert(db, batch, lockWaitMs);
  return db.transaction(async (tx) => {
    const written = await insert(tx, batch, lockWaitMs);
    for (const prepared of batch.filter((_, index) => written[index])) {
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
