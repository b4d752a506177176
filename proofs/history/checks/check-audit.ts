import type { Books, StoredAct } from '../books.ts';
import type { ConsoleAsked } from '../history-line.ts';
import type { Findings } from './findings.ts';
import { type Call, callsOf, mayBeDone } from './match-calls.ts';

/** How often the audit log may have an act of a person. */
interface Owed {
  least: number;
  most: number;
}

type Acts = Map<string, Owed>;

/** The member of an entry's details that names the object of its action. */
const OBJECTS: Readonly<Record<string, string>> = {
  PAYMENT_REQUEST_CREATED: 'paymentRequestId',
  PAYMENT_REQUEST_CANCELLED: 'paymentRequestId',
  WEBHOOK_REDELIVERED: 'deliveryId',
  REFUND_CREATED: 'refundId',
};

/**
 * The audit log has each act of a person once, under this person: what is in the books, and what
 * was acknowledged. It has nothing that was refused, and nothing that nobody did.
 */
export function checkAudit(calls: readonly Call[], books: Books, findings: Findings): void {
  const owed: Acts = new Map();
  oweSessions(calls, owed);
  oweRows(calls, books, owed);
  oweRepeatable(calls, owed);
  const entries = new Map<string, number>();
  for (const entry of books.audit) {
    const act = actOf(entry);
    entries.set(act, (entries.get(act) ?? 0) + 1);
  }
  for (const act of new Set([...owed.keys(), ...entries.keys()])) {
    const { least, most } = owed.get(act) ?? { least: 0, most: 0 };
    const count = entries.get(act) ?? 0;
    const text = `the audit log has ${count} times: ${act}`;
    if (count < least) findings.add('lost', `${text}, owed ${least} times`);
    if (count > most) findings.add('unexpected', `${text}, at most ${most} times`);
  }
  checkCancellations(calls, books, findings);
}

/** A link makes a single session, which ends once. */
function oweSessions(calls: readonly Call[], owed: Acts): void {
  const actions = {
    'console-sign-in': 'CONSOLE_SIGNED_IN',
    'console-sign-out': 'CONSOLE_SIGNED_OUT',
  } as const;
  for (const [name, action] of Object.entries(actions)) {
    for (const call of callsOf(calls, name as keyof typeof actions)) {
      const act = owedOf(owed, call, action, '');
      if (mayBeDone(call)) act.most = 1;
      if (call.answered?.outcome === 'ok') act.least = 1;
    }
  }
}

/** A stored row and its entry are of one transaction. */
function oweRows(calls: readonly Call[], books: Books, owed: Acts): void {
  const rows = new Map(books.paymentRequests.map((row) => [row.transactionId, row.id]));
  for (const call of callsOf(calls, 'console-create')) {
    const id = rows.get(call.sent.asked.transactionId);
    if (id === undefined) continue;
    Object.assign(owedOf(owed, call, 'PAYMENT_REQUEST_CREATED', id), { least: 1, most: 1 });
  }
  const refunds = new Set(books.refunds.map(({ id }) => id));
  for (const call of callsOf(calls, 'console-refund')) {
    const { refundId } = call.sent.asked;
    if (!refunds.has(refundId)) continue;
    Object.assign(owedOf(owed, call, 'REFUND_CREATED', refundId), { least: 1, most: 1 });
  }
}

/** Each redelivery counts; a cancellation by another caller leaves a person's without an entry. */
function oweRepeatable(calls: readonly Call[], owed: Acts): void {
  for (const call of callsOf(calls, 'console-redeliver')) {
    const act = owedOf(owed, call, 'WEBHOOK_REDELIVERED', call.sent.asked.deliveryId);
    if (mayBeDone(call)) act.most += 1;
    if (call.answered?.outcome === 'ok') act.least += 1;
  }
  for (const call of callsOf(calls, 'console-cancel').filter(mayBeDone)) {
    owedOf(owed, call, 'PAYMENT_REQUEST_CANCELLED', call.sent.asked.id).most = 1;
  }
}

/** A payment request that only people can have cancelled has one entry, and no open one has any. */
function checkCancellations(
  calls: readonly Call[],
  { paymentRequests, audit }: Books,
  f: Findings,
) {
  const entries = new Map<unknown, number>();
  for (const { action, details } of audit) {
    if (action !== 'PAYMENT_REQUEST_CANCELLED') continue;
    const { paymentRequestId: id } = details;
    entries.set(id, (entries.get(id) ?? 0) + 1);
  }
  const idsOf = (name: 'cancel' | 'console-cancel') =>
    new Set(
      callsOf(calls, name)
        .filter(mayBeDone)
        .map(({ sent }) => sent.asked.id),
    );
  const [byProgram, byPeople] = [idsOf('cancel'), idsOf('console-cancel')];
  for (const { id, statuses } of paymentRequests) {
    const isCancelled = statuses.includes('CANCELLED');
    const count = entries.get(id) ?? 0;
    const text = `the audit log has ${count} cancellations of payment request ${id}`;
    if (count > (isCancelled ? 1 : 0)) f.add('unexpected', text);
    if (isCancelled && byPeople.has(id) && !byProgram.has(id) && count === 0) f.add('lost', text);
  }
}

function owedOf(
  owed: Acts,
  { sent: { merchantId, asked } }: Call<ConsoleAsked>,
  action: string,
  object: string,
): Owed {
  // Signing out concerns no merchant.
  const of = action === 'CONSOLE_SIGNED_OUT' ? null : merchantId;
  const act = keyOf(`console (${asked.person}, by link)`, action, of, object);
  const known = owed.get(act) ?? { least: 0, most: 0 };
  owed.set(act, known);
  return known;
}

function actOf({ actor, action, merchantId, details }: StoredAct): string {
  const member = OBJECTS[action];
  const object = member === undefined ? '' : `${details[member] ?? ''}`;
  return keyOf(actor, action, merchantId, object);
}

function keyOf(actor: string, action: string, merchantId: string | null, object: string): string {
  return [action, object, actor, merchantId].filter(Boolean).join(' ');
}
