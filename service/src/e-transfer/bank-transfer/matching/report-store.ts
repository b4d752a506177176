import { allRows, execute } from '#database/statements.ts';
import type { MoneyMovement } from '../../network-money.ts';
import type { Movement } from '../entries/model/movement.ts';

/** A decided movement of which the payment requests have not heard yet. */
export interface UnreportedMovement
  extends MoneyMovement,
    Pick<Movement, 'id' | 'outcome' | 'currency' | 'institution' | 'bookedAt' | 'candidates'>,
    Pick<Movement, 'paymentRequestId' | 'sumCents' | 'returnReason' | 'feeCents' | 'details'> {
  /** The owner of the account. */
  readonly merchantId: string;
  readonly returnedReference: string | null;
  /** The amount of the movement with that reference. */
  readonly returnedCents: number | null;
  /** The network references of the movements that the booking may correct, oldest first. */
  readonly correctedReferences: readonly string[];
  /** The movements of the sum, for EXACT and EXCESS. */
  readonly summed: readonly MoneyMovement[];
}

const MOVEMENT = (row: string) => `'networkReference', ${row}.network_reference,
  'amountCents', ${row}.amount_cents, 'bankReference', ${row}.bank_reference,
  'bookingDate', ${row}.booking_date`;

/** The oldest decided movements that are not reported, at most `limit`. */
export const findUnreported = allRows<UnreportedMovement, [limit: number]>(
  'bank-movements-find-unreported',
  `SELECT m.id, m.outcome, i.merchant_id AS "merchantId", m.currency, m.institution,
     m.booked_at AS "bookedAt", m.payment_request_id AS "paymentRequestId",
     m.candidates::text[] AS candidates, m.sum_cents AS "sumCents",
     m.return_reason AS "returnReason",
     r.network_reference AS "returnedReference", r.amount_cents AS "returnedCents",
     m.fee_cents AS "feeCents", m.details,
     array(SELECT c.network_reference FROM bank_movements c
           WHERE c.id = ANY (m.corrected_ids) ORDER BY c.position) AS "correctedReferences",
     m.network_reference AS "networkReference", m.amount_cents AS "amountCents",
     m.bank_reference AS "bankReference", m.booking_date AS "bookingDate",
     coalesce((SELECT jsonb_agg(jsonb_build_object(${MOVEMENT('s')}) ORDER BY s.position)
               FROM bank_movements s WHERE s.id = ANY (m.summed)), '[]') AS summed
   FROM bank_movements m JOIN creditor_account_keys i ON i.key = m.account
   LEFT JOIN bank_movements r ON r.id = m.returned_id
   WHERE m.reported_at IS NULL AND m.outcome <> 'WAITING'
   ORDER BY m.position LIMIT $1`,
);

export const markReported = execute<[ids: readonly string[]]>(
  'bank-movements-mark-reported',
  `UPDATE bank_movements SET reported_at = service_now()
   WHERE id = ANY ($1::uuid[]) AND reported_at IS NULL`,
);
