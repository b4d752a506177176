import type { Database, Executor, Statement } from '#database/database.ts';
import { allRows, execute, firstRow, firstValue, valuesByKey } from '#database/statements.ts';
import type { NetworkRequest } from '../e-transfer-network.ts';
import type { RefusalReason } from '../refusal-reason.ts';
import type { GatewayPayment, GatewayState } from './gateway-payment.ts';

/** The columns of every statement that returns a payment, from `gateway_payments as g`. */
export const COLUMNS = `g.id, g.payment_request_id AS "paymentRequestId",
  g.amount_cents AS "amountCents", g.currency, g.merchant_name AS "merchantName",
  g.merchant_profile AS "merchantProfile", g.merchant_return_url AS "merchantReturnUrl",
  g.display_message AS "displayMessage",
  g.invoice_number AS "invoiceNumber", g.preferred_language AS "preferredLanguage",
  g.payment_link AS "paymentLink", g.qr_code_link AS "qrCodeLink", g.return_url AS "returnUrl",
  g.expires_at AS "expiresAt",
  round(extract(epoch FROM g.expires_at - service_now()) * 1000)::float8 AS "expiresInMs",
  g.expires_at <= service_now() AS "isExpired", g.state, g.refusal_reason AS "refusalReason",
  g.institution, g.network_reference AS "networkReference", g.confirmed_at AS "confirmedAt",
  g.settles_at AS "settlesAt", g.failed_sign_ins AS "failedSignIns", g.refusals,
  g.decided_by AS "decidedBy", g.version`;

/**
 * Nothing is written where nothing has changed; what is confirmed does not change. A payer whose
 * institution has not answered yet confirms the changed payment again. A cancelled payment begins
 * anew, but for its failed sign-ins and refusals: their bounds hold for the payment request.
 */
const PUT: Statement = {
  name: 'gateway-payment-put',
  text: `INSERT INTO gateway_payments AS g
      (id, payment_request_id, amount_cents, currency, merchant_name, display_message,
       invoice_number, preferred_language, payment_link, qr_code_link, return_url, expires_at,
       merchant_profile, merchant_return_url)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    ON CONFLICT (payment_request_id) DO UPDATE SET
      display_message = excluded.display_message, invoice_number = excluded.invoice_number,
      merchant_name = excluded.merchant_name, expires_at = excluded.expires_at,
      merchant_profile = excluded.merchant_profile,
      merchant_return_url = excluded.merchant_return_url,
      state = 'OPEN', institution = NULL, network_reference = NULL, confirmed_at = NULL,
      settles_at = NULL, report_due_at = NULL, decided_by = NULL, version = g.version + 1
    WHERE g.state = 'CANCELLED' OR g.state IN ('OPEN', 'ASKED')
      AND (g.display_message, g.invoice_number, g.merchant_name, g.expires_at,
           g.merchant_profile, g.merchant_return_url)
        IS DISTINCT FROM (excluded.display_message, excluded.invoice_number,
                          excluded.merchant_name, excluded.expires_at,
                          excluded.merchant_profile, excluded.merchant_return_url)
    RETURNING g.id, g.version > 1 AS "hasChanged"`,
};

const CHANNEL = 'gateway_payment_changes';
/** The return URL of the browser that decides; the others' has no proof (gateway-visit.ts). */
function provedReturnUrl({ returnUrl, decisionProof }: NetworkRequest): string {
  const address = new URL(returnUrl);
  address.searchParams.set('proof', decisionProof);
  return address.href;
}

/** Creates the payment, or takes over what changed of an open one. */
export async function putGatewayPayment(
  db: Executor,
  newId: string,
  request: NetworkRequest,
): Promise<{ readonly id: string; readonly hasChanged: boolean }> {
  const [written] = await db.query<{ id: string; hasChanged: boolean }>(PUT, [
    newId,
    request.paymentRequestId,
    request.amountCents,
    request.currency,
    request.merchantName,
    request.displayMessage,
    request.invoiceNumber,
    request.preferredLanguage,
    request.paymentLink,
    request.qrCodeLink,
    provedReturnUrl(request),
    request.expiresAt,
    request.merchantProfile,
    request.merchantReturnUrl,
  ]);
  if (written) return written;
  const known = await findGatewayPaymentOf(db, request.paymentRequestId);
  return { id: known?.id ?? newId, hasChanged: false };
}

export const findGatewayPayment = firstRow<GatewayPayment, [id: string]>(
  'gateway-payment-find',
  `SELECT ${COLUMNS} FROM gateway_payments g WHERE g.id = $1`,
);

export const findGatewayPaymentOf = firstRow<GatewayPayment, [paymentRequestId: string]>(
  'gateway-payment-find-by-payment-request',
  `SELECT ${COLUMNS} FROM gateway_payments g WHERE g.payment_request_id = $1`,
);

export const findGatewayVersions = valuesByKey<string, number, [ids: readonly string[]]>(
  'gateway-payment-find-versions',
  'SELECT id, version FROM gateway_payments WHERE id = ANY ($1::text[])',
);

export interface Confirmation {
  /** The id of the session that confirms. */
  readonly decidedBy: Buffer;
  readonly institution: string;
  readonly networkReference: string;
  /** null: the payment settles at once. */
  readonly settlesAfterSeconds: number | null;
}

/** A report that its process did not live to make is made by the loop, after this. */
export const REPORT_LEASE_SECONDS = 10;

/**
 * The first of two confirmations wins; the other one finds nothing open.
 *
 * @returns undefined where it is not open any more: another browser was first, or it expired.
 */
export const confirmGatewayPayment = firstRow<
  GatewayPayment,
  [id: string, confirmation: Confirmation]
>(
  'gateway-payment-confirm',
  `UPDATE gateway_payments g SET
     state = 'CONFIRMED', institution = $2, network_reference = $3,
     confirmed_at = service_now(), decided_by = $6,
     settles_at = service_now() + make_interval(secs => $4),
     report_due_at = service_now() + make_interval(secs => $5), version = g.version + 1
   WHERE g.id = $1 AND g.state = 'OPEN' AND g.expires_at > service_now()
   RETURNING ${COLUMNS}`,
  (id, { decidedBy, institution, networkReference, settlesAfterSeconds }) => [
    id,
    institution,
    networkReference,
    settlesAfterSeconds,
    REPORT_LEASE_SECONDS,
    decidedBy,
  ],
);

/** @returns undefined where it is not open any more. */
export const refuseGatewayPayment = firstRow<
  GatewayPayment,
  [id: string, reason: RefusalReason, decidedBy: Buffer]
>(
  'gateway-payment-refuse',
  `UPDATE gateway_payments g SET state = 'REFUSED', refusal_reason = $2,
     report_due_at = service_now() + make_interval(secs => $3), decided_by = $4,
     version = g.version + 1
   WHERE g.id = $1 AND g.state = 'OPEN' RETURNING ${COLUMNS}`,
  (id, reason, decidedBy) => [id, reason, REPORT_LEASE_SECONDS, decidedBy],
);

/** @returns undefined where it is not open any more. */
export const cancelGatewayPayment = firstRow<GatewayPayment, [paymentRequestId: string]>(
  'gateway-payment-cancel',
  `UPDATE gateway_payments g SET state = 'CANCELLED', version = g.version + 1
   WHERE g.payment_request_id = $1 AND g.state IN ('OPEN', 'ASKED') RETURNING ${COLUMNS}`,
);

/** @returns how many there have been; 0 where it is not open any more. */
export const countFailedSignIn = firstValue<number, [id: string]>(
  'gateway-payment-count-failed-sign-in',
  `UPDATE gateway_payments SET failed_sign_ins = failed_sign_ins + 1
   WHERE id = $1 AND state = 'OPEN' RETURNING failed_sign_ins AS count`,
  0,
);

/**
 * Settles what is due, and claims it with all other reports that are.
 *
 * The claim is a report put off: a process that dies with it leaves it to be made again.
 */
export const claimDueReports = allRows<GatewayPayment, [most: number]>(
  'gateway-payment-claim-due',
  `WITH due AS (
     SELECT id, state = 'ACCEPTED' AND settles_at <= service_now() AS settles
     FROM gateway_payments
     WHERE report_due_at <= service_now()
        OR (state = 'ACCEPTED' AND settles_at <= service_now())
     LIMIT $1 FOR UPDATE SKIP LOCKED)
   UPDATE gateway_payments g SET
     state = CASE WHEN due.settles THEN 'SETTLED' ELSE g.state END,
     report_due_at = service_now() + make_interval(secs => $2),
     version = g.version + due.settles::int
   FROM due WHERE g.id = due.id RETURNING ${COLUMNS}`,
  (most) => [most, REPORT_LEASE_SECONDS],
);

/** Writes down that the report of a payment in this state was heard, and where that led. */
export const markReported = execute(
  'gateway-payment-mark-reported',
  `UPDATE gateway_payments SET state = $3, report_due_at = NULL,
     version = version + (state <> $3)::int
   WHERE id = $1 AND state = $2`,
  ({ id, state }: Pick<GatewayPayment, 'id' | 'state'>, becomes: GatewayState) => [
    id,
    state,
    becomes,
  ],
);

/**
 * Notes that a payer has come further at an open payment, and tells the open pages.
 *
 * The pages of other browsers say how far the payer has come.
 */
export const noteGatewayStep = execute<[id: string]>(
  'gateway-payment-note-step',
  `WITH noted AS (
     UPDATE gateway_payments SET version = version + 1
     WHERE id = $1 AND state = 'OPEN' RETURNING id)
   SELECT pg_notify('${CHANNEL}', id) FROM noted`,
);

/** Tells the open pages of every process. Run after the change was written. */
export const notifyOfGatewayChange = execute<[id: string]>(
  'gateway-payment-notify',
  `SELECT pg_notify('${CHANNEL}', $1)`,
);

/** Calls `onChange` with what changed, or null when anything may have; returns the stop. */
export function listenForGatewayChanges(
  db: Database,
  onChange: (ids: readonly string[] | null) => void,
): () => Promise<void> {
  return db.listen(CHANNEL, (payload = '') => onChange(payload === '' ? null : [payload]));
}
