import { connectDatabase } from '#database/database.ts';
import type { SmsReceiptRoutesDeps } from '#messages/sms/routes.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import { createSenderSignal } from '#webhooks/events/wake-senders.ts';
import type { Foundation } from '../foundation.ts';
import { programsOf } from '../networks.ts';

/** The needs of receipts of SMS; null: none are taken. */
export function smsReceiptDepsOf(
  { config: { smsReceiptToken: token }, db, log, metrics }: Omit<Foundation, 'reads' | 'tracing'>,
  move: ChangeStatusDeps,
): SmsReceiptRoutesDeps | null {
  return token && { db, log, metrics, move, token };
}

/** Receipts come one by one, in a transaction each; programs bring two files at a time. */
const POOL_SIZE = 2;

/**
 * The calls of the operators' listener that write, in the parent of several processes, which needs
 * no other connection.
 */
export async function openWrites(parent: Omit<Foundation, 'db' | 'reads' | 'tracing'>) {
  const { config, clock } = parent;
  const db = connectDatabase({ url: config.databaseUrl, poolSize: POOL_SIZE });
  const programs = await programsOf(config, { db, clock });
  const move: ChangeStatusDeps = {
    db,
    clock,
    settings: config,
    wakeSenders: createSenderSignal(db).raise,
    // A receipt changes no status of a payment request, and opens no case.
    onStatusChanged() {},
    onCaseOpened() {},
  };
  const smsReceipts = smsReceiptDepsOf({ ...parent, db }, move);
  return { smsReceipts, programs, close: () => db.close() };
}
