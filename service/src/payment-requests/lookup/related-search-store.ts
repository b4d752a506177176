import { allRows } from '#database/statements.ts';
import type { SearchTerms } from './search-terms.ts';

/**
 * Rows with one value in several merchants: refunds, whose merchantRefundId is unique for each
 * merchant. Every other part finds a row or two.
 */
const MOST_ROWS = 100;

export interface RelatedHit {
  readonly id: string;
  readonly foundBy: 'refund' | 'movement' | 'webhook' | 'case';
}

/**
 * The payment requests whose refund, movement, webhook or case has the reference. Some may be of
 * other merchants: the caller filters.
 *
 * Every part reads an index; the lists of types are those of the ledger's partial indexes.
 *
 * @param merchantIds null: all
 */
export const findRelated = allRows<
  RelatedHit,
  [terms: SearchTerms, merchantIds: readonly string[] | null]
>(
  'payment-request-search-related',
  `SELECT DISTINCT ON (payment_request_id) payment_request_id::text AS id, found AS "foundBy"
   FROM (
     SELECT payment_request_id, 'refund' AS found FROM refunds WHERE id = $2::uuid
     UNION ALL
     (SELECT payment_request_id, 'refund' FROM refunds
      WHERE merchant_refund_id = $1 AND ($3::text[] IS NULL OR merchant_id = ANY ($3))
      LIMIT ${MOST_ROWS})
     UNION ALL
     (SELECT payment_request_id, 'refund' FROM refunds
      WHERE payment_network_reference = $1 LIMIT ${MOST_ROWS})
     UNION ALL
     SELECT payment_request_id, 'movement' FROM ledger_entries
     WHERE network_reference = $1 AND type IN
       ('PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'SECOND_PAYMENT', 'UNMATCHED')
     UNION ALL
     SELECT payment_request_id, 'movement' FROM ledger_entries
     WHERE network_reference = $1 AND type = 'RETURN'
     UNION ALL
     (SELECT payment_request_id, 'movement' FROM ledger_entries
      WHERE network_reference = $1 AND type = 'ASSIGNED' LIMIT ${MOST_ROWS})
     UNION ALL
     SELECT payment_request_id, 'webhook' FROM webhook_events WHERE id = $2::uuid AND NOT is_test
     UNION ALL
     SELECT payment_request_id, 'webhook' FROM webhook_deliveries WHERE id = $2::uuid
     UNION ALL
     SELECT payment_request_id, 'case' FROM operator_cases WHERE id = $2::uuid
   ) related WHERE payment_request_id IS NOT NULL`,
  ({ text, id }, merchantIds) => [text, id, merchantIds],
);
