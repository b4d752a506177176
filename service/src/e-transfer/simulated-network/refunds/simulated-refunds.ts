import type { NetworkSurroundings } from '../../e-transfer-network.ts';
import type {
  NetworkRefund,
  NetworkRefunds,
  RefundOutcome,
  RefundState,
} from '../../network-refunds.ts';
import type { RefusalReason } from '../../refusal-reason.ts';
import { newNetworkReference } from '../report-payments.ts';
import {
  claimDueGatewayRefunds,
  findGatewayRefund,
  type GatewayRefund,
  type GatewayRefundState,
  insertGatewayRefund,
  type NewGatewayRefund,
  saveGatewayRefundState,
} from './refund-store.ts';

/** Contract §11: the simulated network executes a refund after 2 s. */
const EXECUTION_SECONDS = 2;
const RETURN_SECONDS = 10;
const MOST_SECONDS = 3_600;
/** The refunds of a run. */
const BATCH = 32;
/** A report that its process did not live to make is made after this. */
const LEASE_SECONDS = 10;

type RefundDeps = Pick<NetworkSurroundings, 'db' | 'clock' | 'listener'>;

const REFUSALS: readonly RefusalReason[] = [
  'PAYER_DECLINED',
  'AUTHENTICATION_FAILED',
  'INSUFFICIENT_FUNDS',
  'ACCOUNT_RESTRICTED',
  'AMOUNT_LIMIT_EXCEEDED',
  'SUSPECTED_FRAUD',
  'INSTITUTION_UNAVAILABLE',
  'NETWORK_REJECTED',
  'NETWORK_TIMEOUT',
];

/**
 * The refunds of the simulated network. The message chooses other outcomes, as in the sandbox:
 * `refundFail:CODE`, `refundSlow:N` and `refundReturned`.
 */
export function createSimulatedRefunds({ db }: Pick<RefundDeps, 'db'>): NetworkRefunds {
  return {
    async start(refund) {
      await insertGatewayRefund(db, newGatewayRefund(refund));
      return { state: 'PROCESSING' };
    },
    async askState(refundId) {
      const refund = await findGatewayRefund(db, refundId);
      return refund ? stateOf(refund) : { state: 'UNKNOWN' };
    },
  };
}

/**
 * Makes the steps of refunds that are due, each reported before it is written down.
 *
 * @returns whether more may be due.
 * @throws  the first failure, after all others of the batch were reported.
 */
export async function reportDueRefunds(deps: RefundDeps, signal: AbortSignal): Promise<boolean> {
  const due = await claimDueGatewayRefunds(deps.db, BATCH, LEASE_SECONDS);
  const failures: unknown[] = [];
  for (const refund of due) {
    if (signal.aborted) return false;
    await makeStep(deps, refund).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return due.length === BATCH;
}

async function makeStep({ db, clock, listener }: RefundDeps, refund: GatewayRefund) {
  const next = nextState(refund);
  const now = clock.now();
  const completedAt = next === 'COMPLETED' ? now : null;
  if (next === null) return saveGatewayRefundState(db, refund, refund.state, null, null);
  const outcome = stateOf({ ...refund, state: next, completedAt: refund.completedAt ?? now });
  await listener.reportRefunds([{ refundId: refund.refundId, outcome }]);
  const dueSeconds = next === 'COMPLETED' && refund.outcome === 'RETURN' ? RETURN_SECONDS : null;
  await saveGatewayRefundState(db, refund, next, completedAt, dueSeconds);
}

function nextState({ state, outcome }: GatewayRefund): GatewayRefundState | null {
  if (state === 'ACCEPTED') return outcome === 'REFUSE' ? 'REFUSED' : 'COMPLETED';
  return state === 'COMPLETED' && outcome === 'RETURN' ? 'RETURNED' : null;
}

function stateOf(refund: GatewayRefund): RefundOutcome & RefundState {
  const { state, amountCents, networkReference, completedAt, refusalReason } = refund;
  const movement = { networkReference, amountCents, bankReference: null, bookingDate: null };
  switch (state) {
    case 'ACCEPTED':
      return { state: 'PROCESSING' };
    case 'COMPLETED':
      return { state, movement, completedAt: completedAt ?? new Date(0) };
    case 'REFUSED':
      return { state: 'FAILED', reason: refusalReason ?? 'NETWORK_REJECTED' };
    case 'RETURNED':
      return { state, movement: { ...movement, networkReference: `${networkReference}-B` } };
  }
}

function newGatewayRefund(refund: NetworkRefund): NewGatewayRefund {
  const { refundId, paymentRequestId, amountCents } = refund;
  const [name, parameter = ''] = (refund.message ?? '').split(':');
  const refusalReason =
    (name === 'refundFail' && REFUSALS.find((reason) => reason === parameter)) || null;
  const seconds = /^\d{1,4}$/.test(parameter) ? Number(parameter) : Number.NaN;
  const isSlow = name === 'refundSlow' && seconds <= MOST_SECONDS;
  return {
    refundId,
    paymentRequestId,
    amountCents,
    networkReference: newNetworkReference('SR'),
    outcome: refusalReason ? 'REFUSE' : name === 'refundReturned' ? 'RETURN' : 'COMPLETE',
    refusalReason,
    dueSeconds: isSlow ? seconds : EXECUTION_SECONDS,
  };
}
