import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import type { TestService } from '../service/service.ts';
import { PUBLIC_SETTINGS } from './payment-requests.ts';

export function movement(networkReference: string, amountCents: number): MoneyMovement {
  return { networkReference, amountCents, bankReference: null, bookingDate: null };
}

/** A part of the amount that has arrived. */
export function part(networkReference: string, amountCents: number): NetworkOutcome {
  const { currency } = PUBLIC_SETTINGS;
  return {
    state: 'PART_RECEIVED',
    currency,
    movement: movement(networkReference, amountCents),
  };
}

/** Money that was taken back. */
export function returned(
  networkReference: string,
  amountCents: number,
  returnedReference: string | null,
): NetworkOutcome {
  return {
    state: 'RETURNED',
    currency: PUBLIC_SETTINGS.currency,
    movement: movement(networkReference, amountCents),
    returnedReference,
    reason: 'AC04',
  };
}

/** The entries under a reference, as `TYPE ±cents`, and whether they have a payment request. */
export async function entriesUnder(
  { database }: TestService,
  networkReference: string,
): Promise<string[]> {
  const rows = await database.sql<{ type: string; cents: number; has: boolean }>(
    `SELECT type, amount_cents::int AS cents, payment_request_id IS NOT NULL AS has
     FROM ledger_entries WHERE network_reference = $1 ORDER BY position`,
    [networkReference],
  );
  return rows.map(({ type, cents, has }) => `${type} ${cents}${has ? '' : ' of none'}`);
}

/** The entries of a payment request, as `TYPE ±cents`, in the order of writing. */
export async function ledgerOf({ database }: TestService, id: string): Promise<string[]> {
  const rows = await database.sql<{ type: string; cents: number }>(
    `SELECT type, amount_cents::int AS cents FROM ledger_entries
     WHERE payment_request_id = $1 ORDER BY position`,
    [id],
  );
  return rows.map(({ type, cents }) => `${type} ${cents}`);
}

/** The sums of a payment request: received, returned. */
export async function sumsOf({ database }: TestService, id: string): Promise<unknown[]> {
  const [row] = await database.sql<{ received: number; returned: number }>(
    `SELECT received_cents::int AS received, returned_cents::int AS returned
     FROM payment_requests WHERE id = $1`,
    [id],
  );
  return [row?.received, row?.returned];
}

export interface MoneyCase {
  readonly kind: string;
  readonly isOpen: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The operator's cases of a payment request, oldest first. */
export function moneyCasesOf({ database }: TestService, id: string): Promise<MoneyCase[]> {
  return database.sql<MoneyCase>(
    `SELECT kind, closed_at IS NULL AS "isOpen", details FROM operator_cases
     WHERE payment_request_id = $1 ORDER BY opened_at, id`,
    [id],
  );
}

/** The needs of the one writer of a status, without anybody to notify. */
export function writerOf({ database, clock }: TestService): ChangeStatusDeps {
  return {
    db: database.db,
    clock,
    settings: PUBLIC_SETTINGS,
    wakeSenders() {},
    onStatusChanged() {},
    onCaseOpened() {},
  };
}
