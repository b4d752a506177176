import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/new-id.ts';
import type { NewOperatorCase } from '#payment-requests/model/plan-change.ts';
import {
  closeCases,
  closePartCasesOf,
  insertOperatorCases,
  reopen,
} from './operator-case-store.ts';

export interface OpenCasesDeps {
  readonly clock: Clock;
  /** Called after the commit, for the operator's alert. */
  readonly onCaseOpened: (opened: NewOperatorCase) => void;
}

export interface OpenedCases {
  /** Those of the cases that are new. */
  readonly opened: readonly NewOperatorCase[];
  /** Alerts the operator of the new cases; due after the commit. */
  readonly publish: () => void;
}

/**
 * Opens cases for the operator, each case once: an equal case, open or closed, is not opened again.
 * A report may arrive many times, also in two transactions at once.
 */
export async function openOperatorCases(
  tx: Executor,
  { clock, onCaseOpened }: OpenCasesDeps,
  cases: readonly NewOperatorCase[],
): Promise<OpenedCases> {
  const openedAt = clock.now();
  const rows = cases.map((found) => ({ ...found, id: newId(), openedAt }));
  const newIds = new Set(await insertOperatorCases(tx, rows));
  const opened = rows.filter(({ id }) => newIds.has(id));
  return { opened, publish: () => opened.forEach(onCaseOpened) };
}

/**
 * Closes the cases of parts that had arrived: another movement has changed the sum, or the payment
 * request is PAID.
 */
export async function closePartCases(
  tx: Executor,
  { clock }: Pick<OpenCasesDeps, 'clock'>,
  paymentRequestIds: readonly string[],
): Promise<void> {
  if (paymentRequestIds.length > 0) await closePartCasesOf(tx, paymentRequestIds, clock.now());
}

/** Closes cases of which no money is left. */
export async function closeOvertaken(
  tx: Executor,
  { clock }: Pick<OpenCasesDeps, 'clock'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await closeCases(tx, ids, clock.now());
}

/** Opens cases again whose money waits again: a refund of it has failed. */
export async function reopenCases(tx: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await reopen(tx, ids);
}
