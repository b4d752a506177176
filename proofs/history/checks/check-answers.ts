import type { Books } from '../books.ts';
import type { CallName, HistoryLine } from '../history-line.ts';
import type { Findings } from './findings.ts';
import type { Call } from './match-calls.ts';

/** The refusals that a state of the payment request explains (contract §4, §7, §11). */
const REFUSALS: Readonly<Record<CallName, readonly string[]>> = {
  create: ['IDEMPOTENCY_IN_PROGRESS'],
  read: [],
  cancel: [
    'IDEMPOTENCY_IN_PROGRESS',
    'ALREADY_PAID',
    'ALREADY_EXPIRED',
    'ALREADY_FAILED',
    'PAYMENT_IN_PROGRESS',
  ],
  refund: ['IDEMPOTENCY_IN_PROGRESS', 'NOT_PAID', 'REFUND_AMOUNT_EXCEEDED'],
  token: [],
  feed: [],
  ledger: [],
};

/** Every call was right, so that each other refusal, and each 500, is a fault of the service. */
export function checkAnswers(calls: readonly Call[], findings: Findings): void {
  for (const { sent, answered } of calls) {
    const { name } = sent.asked;
    const text = `call ${sent.call}, a ${name}, was answered ${answered?.status} ${answered?.code}`;
    if (answered?.status === 500) findings.add('unexpected', text);
    if (answered?.outcome !== 'refused') continue;
    if (REFUSALS[name].includes(answered.code ?? '')) continue;
    // The caller names only what the service has told it.
    findings.add(answered.status === 404 ? 'lost' : 'unexpected', text);
  }
}

/** No read shows an earlier state than another read that had ended before it began. */
export function checkReads(
  lines: readonly HistoryLine[],
  { paymentRequests }: Books,
  findings: Findings,
): void {
  const stored = new Map(paymentRequests.map((each) => [each.id, each.statuses]));
  /** The number of statuses of a payment request that answers have shown so far. */
  const shown = new Map<string, number>();
  const before = new Map<number, number>();
  for (const line of lines) {
    if (line.kind === 'sent' && 'id' in line.asked) {
      before.set(line.call, shown.get(line.asked.id) ?? 0);
    }
    if (line.kind !== 'answered' || !line.told?.paymentRequest) continue;
    const { id, statuses } = line.told.paymentRequest;
    const text = `call ${line.call} shows ${statuses.join(', ')} of payment request ${id}`;
    const all = stored.get(id);
    if (all && !statuses.every((status, index) => status === all[index])) {
      findings.add('lost', `${text}, and stored is ${all.join(', ')}`);
    }
    // A stored answer shows the moment of the first call.
    if (line.told.isReplay) continue;
    const least = before.get(line.call) ?? 0;
    if (statuses.length < least) {
      findings.add('disordered', `${text}, and an earlier call has shown ${least} statuses`);
    }
    shown.set(id, Math.max(shown.get(id) ?? 0, statuses.length));
  }
}
