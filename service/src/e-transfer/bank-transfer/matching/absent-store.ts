import { allRows, execute } from '#database/statements.ts';
import type { MoneyMovement } from '../../network-money.ts';

/** Money that waits for the statement of its day in vain. */
export interface AbsentMovement extends MoneyMovement {
  readonly id: string;
  /** The owner of the account. */
  readonly merchantId: string;
  readonly paymentRequestId: string | null;
  readonly currency: string;
  readonly institution: string;
}

/**
 * The oldest money that waits in vain and is not reported, at most `limit`.
 *
 * The statement of a day comes on the next working day: seven days later it stays away, also over
 * Easter and over the turn of a year. The index bank_movements_waiting has the waiting money alone.
 */
export const findAbsent = allRows<AbsentMovement, [limit: number]>(
  'bank-movements-find-absent',
  `SELECT m.id, i.merchant_id AS "merchantId", m.payment_request_id AS "paymentRequestId",
     m.currency, m.institution, m.network_reference AS "networkReference",
     m.amount_cents AS "amountCents", m.bank_reference AS "bankReference",
     m.booking_date AS "bookingDate"
   FROM bank_movements m JOIN creditor_account_keys i ON i.key = m.account
   WHERE m.outcome = 'WAITING' AND m.reported_at IS NULL
     AND (m.created_at < service_now() - interval '7 days'
       OR EXISTS (SELECT FROM bank_statements b JOIN bank_files f ON f.id = b.file_id
                  WHERE b.account = coalesce(i.statement_account, m.account)
                    AND b.day = m.booking_date
                    AND b.kind = 'camt.053' AND f.state = 'COMPLETE'))
   ORDER BY m.position LIMIT $1`,
);

/** A statement that listed the money meanwhile has decided about it: its report is still due. */
export const markAbsent = execute<[ids: readonly string[]]>(
  'bank-movements-mark-absent',
  `UPDATE bank_movements SET reported_at = service_now()
   WHERE id = ANY ($1::uuid[]) AND reported_at IS NULL AND outcome = 'WAITING'`,
);
