import { createBatcher } from '#database/batcher.ts';
import type { Database } from '#database/database.ts';
import { answerOnce } from '#idempotency/answer-once.ts';
import { claimFreeKeys, saveClaimedAnswers } from '#idempotency/claim-keys.ts';
import type { IdempotentCall } from '#idempotency/read-idempotent-call.ts';
import type { StoredAnswer } from '#idempotency/stored-answer.ts';
import { Problem } from '#lib/problem.ts';
import { refundHeaders, renderRefund } from '#refunds/model/render-json.ts';
import type { DatabaseMetrics } from '#telemetry/metrics/database-metrics.ts';
import {
  type AskedRefund,
  type CreatedRefunds,
  type CreateRefundsDeps,
  createRefunds,
  type RefundResult,
} from './create-refunds.ts';

/** Their payment requests stay locked while a batch is written, some 30 ms. */
const MAX_BATCH = 100;
/** A process creates as many in some seconds; a call beyond this bound would wait too long. */
const MAX_QUEUE = 2_000;

export interface RefundBatcherDeps extends CreateRefundsDeps {
  readonly db: Database;
  readonly metrics: DatabaseMetrics;
  /** In the sandbox: a warning of a message, which the answer carries as a header. */
  readonly warningOf: (message: string | null) => string | null;
}

export interface RefundCall {
  readonly asked: AskedRefund;
  /** null for a call without an Idempotency-Key. */
  readonly call: IdempotentCall | null;
}

/** Creates and answers one call. @throws Problem that refuses the call. */
export type CreateRefund = (
  call: RefundCall,
) => Promise<StoredAnswer & { readonly replayed: boolean }>;

/** null: the Idempotency-Key is taken, and leads to a stored answer or a call in progress. */
type Done = { readonly answer: StoredAnswer } | { readonly problem: Problem } | null;

/**
 * Makes the function that creates refunds in batches, each batch in one transaction (contract §11).
 * A call whose Idempotency-Key is taken has a transaction of its own.
 */
export function createRefundBatcher(deps: RefundBatcherDeps): CreateRefund {
  const { db, metrics } = deps;
  const write = createBatcher<RefundCall, Done>({
    run: (batch, lockWaitMs) => writeBatch(deps, batch, lockWaitMs),
    groupOf: ({ asked }) => asked.merchant.id,
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
    onBatch: (size) => metrics.batched('refund', size),
  });

  return async (refundCall) => {
    const { asked, call } = refundCall;
    const { validated, merchantRefundId } = asked;
    // No earlier call can have been accepted that this refusal would hide.
    const isHopeless = call === null && merchantRefundId === null;
    if (isHopeless && validated instanceof Problem) throw validated;
    const done = await write(refundCall);
    if (done) {
      if ('problem' in done) throw done.problem;
      return { ...done.answer, replayed: false };
    }
    let created: CreatedRefunds | null = null;
    const answer = await answerOnce(db, call, async (tx) => {
      created = await createRefunds(tx, deps, [asked]);
      const [first] = created.results;
      const only = first && answerOf(deps, first);
      if (!only) throw new Error('no result of the call');
      if ('problem' in only) throw only.problem;
      return only.answer;
    });
    if (!answer.replayed) (created as CreatedRefunds | null)?.publish();
    return answer;
  };
}

async function writeBatch(
  deps: RefundBatcherDeps,
  batch: readonly RefundCall[],
  lockWaitMs: number | undefined,
): Promise<readonly Done[]> {
  const { results, publish } = await deps.db.transaction(async (tx) => {
    const isFree = await claimFreeKeys(
      tx,
      batch.map(({ call }) => call),
    );
    const free = batch.filter((_, index) => isFree[index]);
    const created = await createRefunds(
      tx,
      deps,
      free.map(({ asked }) => asked),
      lockWaitMs,
    );
    const answers = created.results.map((result) => answerOf(deps, result));
    await saveClaimedAnswers(
      tx,
      free.flatMap(({ call }, index) => {
        const done = answers[index];
        return call && done && 'answer' in done ? { call, answer: done.answer } : [];
      }),
    );
    const inOrder = answers.values();
    return {
      publish: created.publish,
      results: isFree.map((each): Done => (each ? (inOrder.next().value ?? null) : null)),
    };
  });
  publish();
  return results;
}

function answerOf(
  { settings, warningOf }: RefundBatcherDeps,
  result: RefundResult,
): NonNullable<Done> {
  if (result.kind === 'REFUSED') return { problem: result.problem };
  const { kind, refund } = result;
  const status = kind === 'NEW' ? 201 : 200;
  const warning = warningOf(refund.message);
  const headers = refundHeaders(status, refund, settings);
  return {
    answer: {
      status,
      headers: warning === null ? headers : { ...headers, 'payment-requests-warning': warning },
      body: renderRefund(refund, settings),
    },
  };
}
