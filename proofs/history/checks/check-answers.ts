import type { Books } from '../books.ts';
import type { AnsweredLine, Asked, CallName, HistoryLine } from '../history-line.ts';
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
  // The page of the answer 503 says that nothing was changed. The check of the links judges 403.
  'console-sign-in': ['UNAVAILABLE', 'HTTP 403', 'HTTP 429'],
  'console-sign-out': ['UNAVAILABLE'],
  'console-page': ['UNAVAILABLE', 'SIGNED_OUT'],
  'console-create': ['UNAVAILABLE', 'SIGNED_OUT'],
  'console-cancel': ['UNAVAILABLE', 'SIGNED_OUT', 'HTTP 409'],
  'console-redeliver': ['UNAVAILABLE', 'SIGNED_OUT'],
  'console-refund': ['UNAVAILABLE', 'SIGNED_OUT', 'HTTP 422'],
};

/** Every call was right, so that each other refusal, and each 500, is a fault of the service. */
export function checkAnswers(calls: readonly Call[], findings: Findings): void {
  for (const { sent, answered } of calls) {
    const { name } = sent.asked;
    const text = `call ${sent.call}, a ${name}, was answered ${answered?.status} ${answered?.code}`;
    if (answered?.status === 500) findings.add('unexpected', text);
    if (answered?.outcome !== 'refused') continue;
    if (REFUSALS[name].includes(answered.code ?? '') || isOfStranger(sent.asked)) continue;
    // The caller names only what the service has told it.
    findings.add(answered.status === 404 ? 'lost' : 'unexpected', text);
  }
}

function isOfStranger(asked: Asked): boolean {
  return asked.name === 'console-page' && asked.page === 'stranger';
}

/** The statuses that an answer tells, as far as it tells them. */
interface Shown {
  readonly id: string;
  readonly statuses: readonly string[];
  readonly text: string;
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
  const sent = new Map<number, { readonly asked: Asked; readonly least: number }>();
  for (const line of lines) {
    if (line.kind === 'sent' && 'id' in line.asked) {
      sent.set(line.call, { asked: line.asked, least: shown.get(line.asked.id) ?? 0 });
    }
    if (line.kind !== 'answered') continue;
    const { asked, least } = sent.get(line.call) ?? { asked: null, least: 0 };
    const told = shownBy(line, asked, stored);
    if (!told) continue;
    const { id, statuses, text } = told;
    const all = stored.get(id);
    if (all && !statuses.every((status, index) => status === all[index])) {
      findings.add('lost', `${text}, and stored is ${all.join(', ')}`);
    }
    // A stored answer shows the moment of the first call.
    if (line.told?.isReplay) continue;
    if (statuses.length < least) {
      findings.add('disordered', `${text}, and an earlier call has shown ${least} statuses`);
    }
    shown.set(id, Math.max(shown.get(id) ?? 0, statuses.length));
  }
}

function shownBy(
  { call, outcome, told }: AnsweredLine,
  asked: Asked | null,
  stored: ReadonlyMap<string, readonly string[]>,
): Shown | null {
  if (told?.paymentRequest) {
    const { id, statuses } = told.paymentRequest;
    const text = `call ${call} shows ${statuses.join(', ')} of payment request ${id}`;
    return { id, statuses, text };
  }
  if (!asked || !('id' in asked) || outcome !== 'ok') return null;
  // A form that was accepted tells the state that it led to; a page shows the last status alone.
  const status = asked.name === 'console-cancel' ? 'CANCELLED' : told?.page?.status;
  if (status === undefined) return null;
  const all = stored.get(asked.id) ?? [];
  const at = all.lastIndexOf(status);
  const statuses = at < 0 ? [status] : all.slice(0, at + 1);
  const text = `call ${call}, a ${asked.name}, shows ${status} of payment request ${asked.id}`;
  return { id: asked.id, statuses, text };
}
