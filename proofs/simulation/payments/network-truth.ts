import type { NetworkReport, Verdict } from '#e-transfer/e-transfer-network.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import type {
  NetworkRefund,
  RefundOutcome,
  RefundStart,
  RefundState,
} from '#e-transfer/network-refunds.ts';
import { NetworkUnavailable } from '#payment-requests/network/client.ts';

/** A report that the network repeats until it has an answer. */
export interface SentReport {
  readonly report: NetworkReport;
  /** null: no answer has arrived yet. */
  verdict: Verdict | null;
}

/** The amounts and currencies that reports have named under one network reference. */
interface NamedMoney {
  readonly amounts: Set<number>;
  /** A report has named the movement and cannot be taken back, or was taken. */
  hasArrived: boolean;
}

interface TruthOfRefund {
  readonly amountCents: number;
  state: RefundState;
  /** The number of times that the network has sent the money; above 1 refutes the hand-over. */
  executed: number;
  /** The charges that the network booked with it, out and back. */
  feeCents: number;
}

/** The e-transfer network as it really is, heard by the service or not. */
export class NetworkTruth {
  readonly reports: SentReport[] = [];
  readonly money = new Map<string, NamedMoney>();
  readonly refunds = new Map<string, TruthOfRefund>();
  /** Outcomes of refunds, in their order: the network reports each at least once. */
  readonly refundOutcomes: { readonly refundId: string; readonly outcome: RefundOutcome }[] = [];
  /** Some calls of the network fail, with or without having done their work. */
  failNextCall: 'BEFORE' | 'AFTER' | null = null;
  startAnswer: 'PROCESSING' | 'QUEUED' | 'FAILED' = 'PROCESSING';
  #references = 0;

  nextReference(): string {
    this.#references += 1;
    return `NET-${this.#references}`;
  }

  send(report: NetworkReport): SentReport {
    const sent = { report, verdict: null };
    this.reports.push(sent);
    for (const { networkReference, amountCents } of movementsOf(report)) {
      const known = this.money.get(networkReference) ?? { amounts: new Set(), hasArrived: false };
      known.amounts.add(amountCents);
      if (!report.isRevocable) known.hasArrived = true;
      this.money.set(networkReference, known);
    }
    return sent;
  }

  /** The network takes a payment back that it may take back and that was not taken. */
  answer(sent: SentReport, verdict: Verdict): void {
    sent.verdict = verdict;
    if (verdict !== 'TAKEN') return;
    for (const { networkReference } of movementsOf(sent.report)) {
      const money = this.money.get(networkReference);
      if (money) money.hasArrived = true;
    }
  }

  waiting(): SentReport[] {
    return this.reports.filter(({ verdict }) => verdict === null);
  }

  async startRefund(refund: NetworkRefund): Promise<RefundStart> {
    this.#failOn('BEFORE');
    const known = this.refunds.get(refund.refundId);
    const state: RefundState =
      this.startAnswer === 'FAILED'
        ? { state: 'FAILED', reason: 'ACCOUNT_RESTRICTED' }
        : { state: this.startAnswer };
    // The refund's id is the idempotent reference.
    if (!known) {
      this.refunds.set(refund.refundId, {
        ...{ amountCents: refund.amountCents, state, executed: 0, feeCents: 0 },
      });
    }
    this.#failOn('AFTER');
    return startOf((known ? known.state : state) as RefundState);
  }

  async askRefundState(refundId: string): Promise<RefundState> {
    this.#failOn('BEFORE');
    return this.refunds.get(refundId)?.state ?? { state: 'UNKNOWN' };
  }

  /** The network works on a refund of its own accord. */
  moveRefund(
    refundId: string,
    to: RefundOutcome['state'],
    at: Date,
    feeCents = 0,
  ): RefundOutcome | null {
    const refund = this.refunds.get(refundId);
    if (!refund) return null;
    const from = refund.state.state;
    const isOpen = from === 'PROCESSING' || from === 'QUEUED';
    if (to === 'RETURNED' ? from !== 'COMPLETED' : !isOpen) return null;
    const movement: MoneyMovement = {
      networkReference: `${refundId}-${to}`,
      amountCents: refund.amountCents,
      bankReference: null,
      bookingDate: null,
    };
    if (to === 'COMPLETED') refund.executed += 1;
    const outcome = outcomeOf(to, movement, at, feeCents);
    if (to === 'COMPLETED' || to === 'RETURNED') refund.feeCents += feeCents;
    refund.state = outcome;
    this.refundOutcomes.push({ refundId, outcome });
    return outcome;
  }

  #failOn(when: 'BEFORE' | 'AFTER'): void {
    if (this.failNextCall !== when) return;
    this.failNextCall = null;
    throw new NetworkUnavailable(new Error('simulated: no answer'));
  }
}

function outcomeOf(
  to: RefundOutcome['state'],
  movement: MoneyMovement,
  at: Date,
  feeCents: number,
): RefundOutcome {
  switch (to) {
    case 'COMPLETED':
      return { state: to, movement, completedAt: at, feeCents };
    case 'RETURNED':
      return { state: to, movement, feeCents };
    case 'FAILED':
      return { state: to, reason: 'NETWORK_REJECTED' };
    case 'PROCESSING':
      return { state: to };
  }
}

/** A refund that has moved on since its first start is in progress for the one who starts again. */
function startOf(state: RefundState): RefundStart {
  if (state.state === 'QUEUED') return { state: 'QUEUED' };
  if (state.state === 'FAILED') return { state: 'FAILED', reason: state.reason };
  return { state: 'PROCESSING' };
}

/** The movements that a report tells of as arrived. */
export function movementsOf({ outcome }: NetworkReport): readonly MoneyMovement[] {
  if (outcome.state === 'PART_RECEIVED') return [outcome.movement];
  if (outcome.state !== 'SUCCEEDED') return [];
  const { networkReference, amountCents, movements } = outcome;
  const bare = { networkReference, amountCents, bankReference: null, bookingDate: null };
  return movements ?? [bare];
}
