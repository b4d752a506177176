import type { Books } from '../books.ts';
import type { HistoryLine } from '../history-line.ts';
import type { Findings } from './findings.ts';
import { groupBy } from './group-by.ts';
import { type Call, callsOf, mayBeDone } from './match-calls.ts';

/** A row that a key may have made. */
interface Row {
  readonly id: string;
  readonly amountCents: number;
}

/** The calls with one key, and the rows that bear its name. */
interface Keyed {
  readonly what: 'payment request' | 'refund';
  readonly key: string;
  readonly amountCents: number;
  readonly calls: readonly Call[];
  readonly rows: readonly Row[];
}

/** A service follows the database's clock, which is this machine's. */
const CLOCK_TOLERANCE_MS = 300_000;

/** No row bears a time outside of the run: the clock of a process may be hours off. */
export function checkTimes(lines: readonly HistoryLine[], books: Books, findings: Findings): void {
  const start = lines.find((line) => line.kind === 'start');
  const last = lines.findLast((line) => 'atMs' in line);
  if (!start || !last || !('atMs' in last)) return;
  const startMs = Date.parse(start.startedAt);
  const [leastMs, mostMs] = [
    startMs - CLOCK_TOLERANCE_MS,
    startMs + last.atMs + CLOCK_TOLERANCE_MS,
  ];
  for (const { id, createdAtMs } of books.paymentRequests) {
    if (createdAtMs >= leastMs && createdAtMs <= mostMs) continue;
    const time = new Date(createdAtMs).toISOString();
    findings.add('unexpected', `payment request ${id} bears the time ${time}, outside of the run`);
  }
}

/**
 * An acknowledged create is stored, as it was answered, once for each key. A create that was always
 * refused is not stored. Every row has a create.
 */
export function checkCreated(calls: readonly Call[], books: Books, findings: Findings): void {
  const sent = [...callsOf(calls, 'create'), ...callsOf(calls, 'console-create')];
  const creates = groupBy(sent, ({ sent: { asked } }) => asked.transactionId);
  const rows = groupBy(books.paymentRequests, ({ transactionId }) => transactionId ?? '');
  for (const [transactionId, ofKey] of creates) {
    const { key, amountCents } = ofKey[0]?.sent.asked ?? { key: '', amountCents: 0 };
    const mine = rows.get(transactionId) ?? [];
    const what = 'payment request';
    checkKey({ what, key, amountCents, calls: ofKey, rows: mine }, findings);
  }
  for (const [transactionId, [row]] of rows) {
    if (creates.has(transactionId)) continue;
    findings.add('unexpected', `payment request ${row?.id} is stored, and nobody created it`);
  }
  checkCancelled(calls, books, findings);
}

/**
 * Checks refunds in this way too; a refund belongs to the payment request of its call. A form of
 * the console gives no merchantRefundId, but the refund's id.
 */
export function checkRefundCalls(calls: readonly Call[], books: Books, findings: Findings): void {
  const sent = [...callsOf(calls, 'refund'), ...callsOf(calls, 'console-refund')];
  const asked = groupBy(sent, ({ sent: { asked: each } }) => nameOf(each));
  const rows = groupBy(books.refunds, ({ merchantRefundId, id }) => merchantRefundId ?? id);
  for (const [name, ofKey] of asked) {
    const [first] = ofKey;
    if (!first) continue;
    const { amountCents, id } = first.sent.asked;
    const key = 'key' in first.sent.asked ? first.sent.asked.key : name;
    const mine = rows.get(name) ?? [];
    checkKey({ what: 'refund', key, amountCents, calls: ofKey, rows: mine }, findings);
    for (const row of mine.filter(({ paymentRequestId }) => paymentRequestId !== id)) {
      findings.add('unexpected', `refund ${row.id} belongs to another payment request than ${id}`);
    }
  }
  for (const [name, [row]] of rows) {
    if (asked.has(name)) continue;
    findings.add('unexpected', `refund ${row?.id} is stored, and nobody asked for it`);
  }
}

function nameOf(asked: { readonly merchantRefundId: string } | { readonly refundId: string }) {
  return 'refundId' in asked ? asked.refundId : asked.merchantRefundId;
}

function checkKey({ what, key, amountCents, calls, rows }: Keyed, findings: Findings): void {
  const [row] = rows;
  if (rows.length > 1) {
    const ids = rows.map(({ id }) => id).join(' and ');
    findings.add('unexpected', `the key ${key} made two rows, ${what}s ${ids}`);
  }
  for (const { sent, answered } of calls) {
    if (answered?.outcome !== 'ok') continue;
    const told = answered.told?.paymentRequest ?? answered.told?.refund;
    const text = `call ${sent.call} was told of ${what} ${told?.id} for the key ${key}`;
    if (!row) findings.add('lost', `${text}, and it is not stored`);
    else if (row.id !== told?.id) findings.add('unexpected', `${text}, and stored is ${row.id}`);
    if (told?.amountCents !== amountCents) findings.add('unexpected', `${text}, another amount`);
  }
  if (row && row.amountCents !== amountCents) {
    findings.add(
      'unexpected',
      `${what} ${row.id} has ${row.amountCents} cents, not ${amountCents}`,
    );
  }
  if (row && !calls.some(mayBeDone)) {
    findings.add('unexpected', `${what} ${row.id} is stored, and its call was refused`);
  }
}

/** An acknowledged cancellation is stored; nothing is CANCELLED that nobody cancelled. */
function checkCancelled(calls: readonly Call[], books: Books, findings: Findings): void {
  const stored = new Map(books.paymentRequests.map((each) => [each.id, each]));
  const cancels = [...callsOf(calls, 'cancel'), ...callsOf(calls, 'console-cancel')];
  for (const { sent, answered } of cancels) {
    if (answered?.outcome !== 'ok') continue;
    if (stored.get(sent.asked.id)?.statuses.includes('CANCELLED')) continue;
    findings.add('lost', `call ${sent.call} cancelled ${sent.asked.id}, which is not CANCELLED`);
  }
  const asked = new Set(cancels.map(({ sent }) => sent.asked.id));
  const possible = new Set(cancels.filter(mayBeDone).map(({ sent }) => sent.asked.id));
  for (const { id, statuses } of books.paymentRequests) {
    if (!statuses.includes('CANCELLED') || possible.has(id)) continue;
    const why = asked.has(id) ? 'every call was refused' : 'nobody cancelled it';
    findings.add('unexpected', `payment request ${id} is CANCELLED, and ${why}`);
  }
}
