import { columnsOf } from '#database/columns.ts';
import type { Executor } from '#database/database.ts';
import { allRows, allValues } from '#database/statements.ts';
import type { NetworkOutcome } from '../../e-transfer-network.ts';
import type { ShownRequest } from './decide-movement.ts';

/** Hints for an operator: more than five help nobody. */
const FIND_CANDIDATES = {
  name: 'bank-matching-find-candidates',
  text: `SELECT asked.place::int, array_agg(found.id::text) AS ids
         FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked (account, cents, place)
         CROSS JOIN LATERAL (
           SELECT r.payment_request_id AS id
           FROM bank_transfer_requests r JOIN creditor_accounts a ON a.id = r.account_id
           WHERE a.key = asked.account AND r.amount_cents = asked.cents AND r.state = 'OPEN'
           LIMIT 5) AS found
         GROUP BY asked.place`,
};

/** Locked in the order of their ids. The unique index of references finds each at once. */
export const lockShownRequests = allRows<ShownRequest, [references: readonly string[]]>(
  'bank-matching-lock-requests',
  `SELECT r.reference, r.payment_request_id AS "paymentRequestId", a.key AS account,
     r.amount_cents AS "amountCents", r.currency
   FROM bank_transfer_requests r JOIN creditor_accounts a ON a.id = r.account_id
   WHERE r.reference = ANY ($1::text[])
   ORDER BY r.payment_request_id FOR NO KEY UPDATE OF r`,
);

export interface AmountOnAccount {
  readonly account: string;
  readonly amountCents: number;
}

/** Open payment requests of the account and the amount, for each that is asked. */
export async function findCandidates(
  tx: Executor,
  asked: readonly AmountOnAccount[],
): Promise<(readonly string[])[]> {
  if (asked.length === 0) return [];
  const rows = await tx.query<{ place: number; ids: string[] }>(FIND_CANDIDATES, [
    ...columnsOf(asked)('account', 'amountCents'),
  ]);
  const found = new Map(rows.map(({ place, ids }) => [place, ids]));
  return asked.map((_, index) => found.get(index + 1) ?? []);
}

export interface PaidTransfer {
  readonly paymentRequestId: string;
  readonly outcome: Extract<NetworkOutcome, { state: 'SUCCEEDED' }>;
}

/**
 * Keeps the payments of transfers that are PAID: the status that a report made has set the state
 * and the sum already (tell_bank_transfer_of_money). Others stay: their money was a part, or
 * waits for a person.
 *
 * @returns the keys of the pages that changed
 */
export const keepOutcomes = allValues<string, [paid: readonly PaidTransfer[]]>(
  'bank-matching-keep-outcomes',
  `UPDATE bank_transfer_requests r
   SET outcome = p.outcome, version = r.version + 1
   FROM unnest($1::uuid[], $2::jsonb[]) AS p (id, outcome)
   WHERE r.payment_request_id = p.id AND r.state = 'PAID' AND r.outcome IS NULL
   RETURNING r.page_key AS "pageKey"`,
  (paid) => [
    paid.map(({ paymentRequestId }) => paymentRequestId),
    paid.map(({ outcome }) => JSON.stringify(outcome)),
  ],
);
