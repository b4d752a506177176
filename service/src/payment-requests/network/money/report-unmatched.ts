import type { Database, Executor } from '#database/database.ts';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import type { MoneyMovement, UnmatchedMoney } from '#e-transfer/network-money.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import { bareMovement, entryOf } from '#payment-requests/model/money/movements.ts';
import type { NewOperatorCase } from '#payment-requests/model/plan-change.ts';
import type { Written } from '#payment-requests/status/change-status.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';
import { type OpenCasesDeps, openOperatorCases } from '#payment-requests/status/operator-cases.ts';
import { unknownRequestCase } from '../decide-report.ts';
import { followMoney } from './follow-money.ts';
import { lockMovements } from './movement-store.ts';

export interface ReportUnmatchedDeps extends OpenCasesDeps {
  readonly db: Database;
}

/**
 * Takes money that fits no payment request: an entry in the ledger and a case for an operator, in
 * one transaction. A repetition changes nothing: the ledger has the movement.
 */
export async function reportUnmatched(
  deps: ReportUnmatchedDeps,
  money: UnmatchedMoney,
): Promise<void> {
  const written = await deps.db.transaction((tx) => writeUnmatched(tx, deps, money));
  written.publish();
}

async function writeUnmatched(
  tx: Executor,
  deps: ReportUnmatchedDeps,
  money: UnmatchedMoney,
): Promise<Written> {
  const { networkReference, amountCents, bankReference, bookingDate } = money.movement;
  // The payment request first, as reports of the network lock it.
  const found = await lockNamed(tx, money);
  const { incoming } = await lockMovements(tx, [networkReference]);
  // The ledger has no entry of a debit that an operator may accept, and of money in doubt.
  const isUnbooked = money.kind === 'REFUNDED_OUTSIDE' || money.kind === 'NOT_ON_STATEMENT';
  const corrected = money.correctedReferences ?? [];
  if (!isUnbooked && incoming.has(networkReference)) return { publish() {} };
  if (!isUnbooked) await record(tx, deps, money);
  const opened = await openOperatorCases(tx, deps, [
    {
      kind: money.kind,
      paymentRequestId: found?.id ?? null,
      merchantId: money.merchantId,
      details: {
        networkReference,
        arrivedCents: amountCents,
        currency: money.currency,
        institution: money.institution,
        ...(found && { askedCents: found.amountCents }),
        ...(money.details?.length && { details: money.details }),
        // An acceptance of a debit books it by the case.
        ...(isUnbooked && bankReference !== null && { bankReference }),
        ...(isUnbooked && bookingDate !== null && { bookingDate }),
        // Hints may differ in a repetition, and would make a debit's case another one.
        ...(!isUnbooked && money.candidates.length > 0 && { candidates: money.candidates }),
        ...(!isUnbooked && corrected.length > 0 && { correctedReferences: corrected }),
      },
    },
  ]);
  // A bank may take money back before the money was reported.
  if (!isUnbooked) await followMoney(tx, deps, found ? [found.id] : [], [networkReference]);
  return opened;
}

/** The payment request that the money names; null when it does not exist. */
async function lockNamed(tx: Executor, { paymentRequestId }: UnmatchedMoney) {
  return paymentRequestId === null ? null : lockPaymentRequest(tx, paymentRequestId);
}

/** Money for a payment request that does not exist. */
export async function recordUnknownRequest(
  tx: Executor,
  deps: OpenCasesDeps,
  paymentRequestId: string,
  outcome: Extract<NetworkOutcome, { state: 'SUCCEEDED' }>,
): Promise<Written> {
  const { networkReference, amountCents, currency, movements } = outcome;
  const moved = movements ?? [bareMovement(networkReference, amountCents)];
  await lockMovements(
    tx,
    moved.map((movement) => movement.networkReference),
  );
  for (const movement of moved) await record(tx, deps, { movement, merchantId: null, currency });
  const unknown: NewOperatorCase = unknownRequestCase(paymentRequestId, outcome);
  return openOperatorCases(tx, deps, [unknown]);
}

async function record(
  tx: Executor,
  { clock }: Pick<OpenCasesDeps, 'clock'>,
  money: {
    readonly movement: MoneyMovement;
    readonly merchantId: string | null;
    readonly currency: string;
  },
): Promise<void> {
  const { movement, merchantId, currency } = money;
  const entry = entryOf({ type: 'UNMATCHED', movement, merchantId, paymentRequestId: null });
  await insertLedgerEntries(tx, [{ ...entry, currency, createdAt: clock.now() }]);
}
