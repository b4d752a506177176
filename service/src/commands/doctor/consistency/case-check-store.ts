import { allRows, firstRowOr } from '#database/statements.ts';
import type { StoredCase } from '#payment-requests/network/money/follow-store.ts';
import { sqlListOfHoldingKinds } from '#payment-requests/status/money-case-store.ts';
import type { AuditedBatch } from '../found-store.ts';

interface HeldBatch extends AuditedBatch {
  /** Network references of money that was held for an operator. */
  readonly references: readonly string[];
}

/** Money that was held for an operator is rare: the batch is of all entries, by their ids. */
export const findHeldMoney = firstRowOr<HeldBatch, [after: string, limit: number]>(
  'doctor-find-held-money',
  `WITH batch AS MATERIALIZED (
     SELECT id, type, network_reference FROM ledger_entries
     WHERE id > $1 ORDER BY id LIMIT $2)
   SELECT (SELECT count(*) FROM batch)::int AS examined,
     (SELECT id::text FROM batch ORDER BY id DESC LIMIT 1) AS last,
     array(SELECT network_reference FROM batch
           WHERE type IN ('UNMATCHED', 'SECOND_PAYMENT') AND network_reference IS NOT NULL
           ORDER BY id) AS "references"`,
  { examined: 0, last: null, references: [] },
);

/** Open cases about arrived money, in the order of their ids. */
export const findOpenCases = allRows<StoredCase, [after: string, limit: number]>(
  'doctor-find-open-money-cases',
  `SELECT id::text, kind, payment_request_id::text AS "paymentRequestId", true AS "isOpen",
     settlement, opened_at AS "openedAt", details ->> 'networkReference' AS "networkReference",
     details -> 'networkReferences' AS "networkReferences"
   FROM operator_cases
   WHERE closed_at IS NULL AND id > $1 AND kind IN (${sqlListOfHoldingKinds()})
   ORDER BY operator_cases.id LIMIT $2`,
);
