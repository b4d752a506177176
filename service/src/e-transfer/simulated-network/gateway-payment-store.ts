import type { Database, Executor, Statement } from '#database/database.ts';
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

const FIND: Statement = {
  name: 'gateway-payment-find',
  text: `SELECT ${COLUMNS} FROM gateway_payments g WHERE g.id = $1`,
};

const FIND_BY_PAYMENT_REQUEST: Statement = {
  name: 'gateway-payment-find-by-payment-request',
  text: `SELECT ${COLUMNS} FROM gateway_payments g WHERE g.payment_request_id = $1`,
};

const FIND_VERSIONS: Statement = {
  name: 'gateway-payment-find-versions',
  text: 'SELECT id, version FROM gateway_payments WHERE id = ANY ($1::text[])',
};

/** The first of two confirmations wins; the other one finds nothing open. */
const CONFIRM: Statement = {
  name: 'gateway-payment-confirm',
  text: `UPDATE gateway_payments g SET
      state = 'CONFIRMED', institution = $2, network_reference = $3,
      confirmed_at = service_now(), decided_by = $6,
      settles_at = service_now() + make_interval(secs => $4),
      report_due_at = service_now() + make_interval(secs => $5), version = g.version + 1
    WHERE g.id = $1 AND g.state = 'OPEN' AND g.expires_at > service_now()
    RETURNING ${COLUMNS}`,
};

const REFUSE: Statement = {
  name: 'gateway-payment-refuse',
  text: `UPDATE gateway_payments g SET state = 'REFUSED', refusal_reason = $2,
      report_due_at = service_now() + make_interval(secs => $3), decided_by = $4,
      version = g.version + 1
    WHERE g.id = $1 AND g.state = 'OPEN' RETURNING ${COLUMNS}`,
};

const CANCEL: Statement = {
  name: 'gateway-payment-cancel',
  text: `UPDATE gateway_payments g SET state = 'CANCELLED', version = g.version + 1
    WHERE g.payment_request_id = $1 AND g.state IN ('OPEN', 'ASKED') RETURNING ${COLUMNS}`,
};

const COUNT_FAILED_SIGN_IN: Statement = {
  name: 'gateway-payment-count-failed-sign-in',
  text: `UPDATE gateway_payments SET failed_sign_ins = failed_sign_ins + 1
    WHERE id = $1 AND state = 'OPEN' RETURNING failed_sign_ins AS count`,
};

/** The claim is a report put off: a process that dies with it leaves it to be made again. */
const CLAIM_DUE: Statement = {
  name: 'gateway-payment-claim-due',
  text: `WITH due AS (
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
};

const MARK_REPORTED: Statement = {
  name: 'gateway-payment-mark-reported',
  text: `UPDATE gateway_payments SET state = $3, report_due_at = NULL,
      version = version + (state <> $3)::int
    WHERE id = $1 AND state = $2`,
};

const CHANNEL = 'gateway_payment_changes';
const NOTIFY: Statement = {
  name: 'gateway-payment-notify',
  text: `SELECT pg_notify('${CHANNEL}', $1)`,
};

/** The pages of other browsers say how far the payer has come. */
const NOTE_STEP: Statement = {
  name: 'gateway-payment-note-step',
  text: `WITH noted AS (
      UPDATE gateway_payments SET version = version + 1
      WHERE id = $1 AND state = 'OPEN' RETURNING id)
    SELECT pg_notify('${CHANNEL}', id) FROM noted`,
};

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

export async function findGatewayPayment(
  db: Executor,
  id: string,
): Promise<GatewayPayment | undefined> {
  const [payment] = await db.query<GatewayPayment>(FIND, [id]);
  return payment;
}

export async function findGatewayPaymentOf(
  db: Executor,
  paymentRequestId: string,
): Promise<GatewayPayment | undefined> {
  const [payment] = await db.query<GatewayPayment>(FIND_BY_PAYMENT_REQUEST, [paymentRequestId]);
  return payment;
}

export async function findGatewayVersions(
  db: Executor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ id: string; version: number }>(FIND_VERSIONS, [ids]);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

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

/** @returns undefined where it is not open any more: another browser was first, or it expired. */
export async function confirmGatewayPayment(
  db: Executor,
  id: string,
  confirmation: Confirmation,
): Promise<GatewayPayment | undefined> {
  const { decidedBy, institution, networkReference, settlesAfterSeconds } = confirmation;
  const [payment] = await db.query<GatewayPayment>(CONFIRM, [
    id,
    institution,
    networkReference,
    settlesAfterSeconds,
    REPORT_LEASE_SECONDS,
    decidedBy,
  ]);
  return payment;
}

/** @returns undefined where it is not open any more. */
export async function refuseGatewayPayment(
  db: Executor,
  id: string,
  reason: RefusalReason,
  decidedBy: Buffer,
): Promise<GatewayPayment | undefined> {
  const values = [id, reason, REPORT_LEASE_SECONDS, decidedBy];
  return (await db.query<GatewayPayment>(REFUSE, values))[0];
}

/** @returns undefined where it is not open any more. */
export async function cancelGatewayPayment(
  db: Executor,
  paymentRequestId: string,
): Promise<GatewayPayment | undefined> {
  const [payment] = await db.query<GatewayPayment>(CANCEL, [paymentRequestId]);
  return payment;
}

/** @returns how many there have been; 0 where it is not open any more. */
export async function countFailedSignIn(db: Executor, id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT_FAILED_SIGN_IN, [id]);
  return row?.count ?? 0;
}

/** Settles what is due, and claims it with all other reports that are. */
export function claimDueReports(db: Executor, most: number): Promise<GatewayPayment[]> {
  return db.query<GatewayPayment>(CLAIM_DUE, [most, REPORT_LEASE_SECONDS]);
}

/** Writes down that the report of a payment in this state was heard, and where that led. */
export async function markReported(
  db: Executor,
  { id, state }: Pick<GatewayPayment, 'id' | 'state'>,
  becomes: GatewayState,
): Promise<void> {
  await db.query(MARK_REPORTED, [id, state, becomes]);
}

/** Notes that a payer has come further at an open payment, and tells the open pages. */
export async function noteGatewayStep(db: Executor, id: string): Promise<void> {
  await db.query(NOTE_STEP, [id]);
}

/** Tells the open pages of every process. Run after the change was written. */
export async function notifyOfGatewayChange(db: Executor, id: string): Promise<void> {
  await db.query(NOTIFY, [id]);
}

/** Calls `onChange` with what changed, or null when anything may have; returns the stop. */
export function listenForGatewayChanges(
  db: Database,
  onChange: (ids: readonly string[] | null) => void,
): () => Promise<void> {
  return db.listen(CHANNEL, (payload = '') => onChange(payload === '' ? null : [payload]));
}
