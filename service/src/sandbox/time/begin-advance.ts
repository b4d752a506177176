import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { formatInstant } from '#lib/instant.ts';
import { Problem } from '#lib/problem.ts';
import type { Written } from '#payment-requests/status/change-status.ts';
import { lockOwnPaymentRequest } from '#payment-requests/status/lock-own.ts';
import type { AdvanceAnswer } from './advance-schemas.ts';
import { findDue, insertAdvance, notifyAdvance } from './advance-store.ts';

/**
 * Orders that the time of a sandbox payment request advances (decision 0154), in the caller's
 * transaction. A loop carries it out.
 *
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND, or ADVANCE_RUNNING while one is under way.
 */
export async function beginAdvance(
  tx: Executor,
  { db, clock }: { readonly db: Executor; readonly clock: Clock },
  merchantId: string,
  { id, seconds }: { readonly id: string; readonly seconds: number },
): Promise<Written & { readonly answer: AdvanceAnswer }> {
  const { id: paymentRequestId, sandboxAdvancedUs } = await lockOwnPaymentRequest(
    tx,
    merchantId,
    id,
  );
  const us = seconds * 1_000_000;
  if (!(await insertAdvance(tx, paymentRequestId, us))) throw new Problem('ADVANCE_RUNNING');
  const due = (await findDue(tx, paymentRequestId)).filter(({ aheadUs }) => aheadUs <= us);
  const nowMs = clock.now().getTime();
  const answer = {
    paymentRequestId,
    sandboxAdvancedSeconds: Math.floor(((sandboxAdvancedUs ?? 0) + us) / 1_000_000),
    willRun: due.map(({ type, id, aheadUs }) => {
      return { type, id, dueDateTime: formatInstant(new Date(nowMs + aheadUs / 1_000)) };
    }),
  };
  // A lost notification costs the second until the next poll.
  return { answer, publish: () => void notifyAdvance(db).catch(() => {}) };
}
