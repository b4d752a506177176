import type { Executor, Statement } from '#database/database.ts';
import type { Notice } from './notice.ts';

const INSERT: Statement = {
  name: 'merchant-notice-insert',
  text: `INSERT INTO merchant_notices (id, merchant_id, kind, payment_request_id, refund_id,
           amount_cents, currency, status_reason_code, iban_end, previous_iban_end)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};

/** Leases the notice that is due for longest; a process that ended leaves it to the others. */
const CLAIM: Statement = {
  name: 'merchant-notice-claim',
  text: `
    WITH due AS (
      SELECT id FROM merchant_notices
      WHERE status = 'PENDING' AND next_attempt_at <= service_now()
        AND (leased_until IS NULL OR leased_until <= service_now())
      ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    UPDATE merchant_notices n
    SET lease_token = $1, leased_until = service_now() + make_interval(secs => $2),
        attempts = n.attempts + 1
    FROM due, merchants m
    WHERE n.id = due.id AND m.id = n.merchant_id
    RETURNING n.id, n.merchant_id AS "merchantId", m.name AS "merchantName", n.kind,
      n.payment_request_id AS "paymentRequestId", n.refund_id AS "refundId",
      n.amount_cents AS "amountCents", n.currency, n.status_reason_code AS "statusReasonCode",
      n.iban_end AS "ibanEnd", n.previous_iban_end AS "previousIbanEnd",
      n.created_at AS "createdAt", n.attempts, m.notice_email AS email`,
};

const COMPLETE: Statement = {
  name: 'merchant-notice-complete',
  text: `UPDATE merchant_notices
         SET status = $3, completed_at = service_now(), lease_token = NULL, leased_until = NULL
         WHERE id = $1 AND lease_token = $2`,
};

const POSTPONE: Statement = {
  name: 'merchant-notice-postpone',
  text: `UPDATE merchant_notices
         SET next_attempt_at = service_now() + make_interval(secs => $3), lease_token = NULL,
             leased_until = NULL
         WHERE id = $1 AND lease_token = $2`,
};

const PRUNE: Statement = {
  name: 'merchant-notice-prune',
  text: `DELETE FROM merchant_notices WHERE id IN (
           SELECT id FROM merchant_notices
           WHERE completed_at <= service_now() - make_interval(days => $1)
           ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING 1`,
};

const SET_EMAIL: Statement = {
  name: 'merchant-set-notice-email',
  text: 'UPDATE merchants SET notice_email = $2 WHERE id = $1',
};

const FIND_EMAIL: Statement = {
  name: 'merchant-find-notice-email',
  text: 'SELECT notice_email AS email FROM merchants WHERE id = $1',
};

export type NewNoticeRow = Omit<Notice, 'merchantName' | 'createdAt'>;

/** A notice whose lease this process holds. */
export interface ClaimedNotice extends Notice {
  /** This attempt included. */
  readonly attempts: number;
  /** The merchant's address for notices as it is now. */
  readonly email: string | null;
}

export async function insertNotice(tx: Executor, notice: NewNoticeRow): Promise<void> {
  await tx.query(INSERT, [
    notice.id,
    notice.merchantId,
    notice.kind,
    notice.paymentRequestId,
    notice.refundId,
    notice.amountCents,
    notice.currency,
    notice.statusReasonCode,
    notice.ibanEnd,
    notice.previousIbanEnd,
  ]);
}

/** Leases one due notice for so many seconds; undefined when none is due. */
export async function claimNotice(
  db: Executor,
  leaseToken: string,
  leaseSeconds: number,
): Promise<ClaimedNotice | undefined> {
  return (await db.query<ClaimedNotice>(CLAIM, [leaseToken, leaseSeconds]))[0];
}

/** Ends a leased notice; a lease that another process took over hits no row. */
export async function completeNotice(
  db: Executor,
  id: string,
  leaseToken: string,
  status: 'SENT' | 'OPERATOR',
): Promise<void> {
  await db.query(COMPLETE, [id, leaseToken, status]);
}

/** Gives a leased notice back, for an attempt after so many seconds. */
export async function postponeNotice(
  db: Executor,
  id: string,
  leaseToken: string,
  seconds: number,
): Promise<void> {
  await db.query(POSTPONE, [id, leaseToken, seconds]);
}

/** Deletes at most `limit` completed notices of that age. Returns how many. */
export async function pruneNotices(db: Executor, days: number, limit: number): Promise<number> {
  return (await db.query(PRUNE, [days, limit])).length;
}

export async function saveNoticeEmail(
  tx: Executor,
  merchantId: string,
  email: string | null,
): Promise<void> {
  await tx.query(SET_EMAIL, [merchantId, email]);
}

export async function findNoticeEmail(db: Executor, merchantId: string): Promise<string | null> {
  const [row] = await db.query<{ email: string | null }>(FIND_EMAIL, [merchantId]);
  return row?.email ?? null;
}
