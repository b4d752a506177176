import type { Database, Executor, Statement } from '#database/database.ts';
import { allRows, allValues, firstRow, valuesByKey } from '#database/statements.ts';
import type { NetworkOutcome, NetworkRequest } from '../e-transfer-network.ts';
import type { TransferRequest } from './transfer-request.ts';

type Success = Extract<NetworkOutcome, { state: 'SUCCEEDED' }>;

/** A closed account changes every page that shows it, and is written once for all of them. */
const SHOWN_VERSION = 'r.version + (a.closed_at IS NOT NULL)::integer';

/** The columns of every statement that returns a request, of `r` and its account `a`. */
const COLUMNS = `r.payment_request_id AS "paymentRequestId", r.merchant_id AS "merchantId",
  r.page_key AS "pageKey", r.reference,
  a.closed_at IS NOT NULL AS "isAccountClosed",
  jsonb_build_object('id', a.id, 'holder', a.holder, 'accountNumber', a.account_number,
    'bic', a.bic, 'address', a.address, 'etransferAddress', (
      SELECT p.address FROM bank_etransfer_proofs p
      WHERE p.account = a.key AND p.address = a.etransfer_address AND p.proven_at IS NOT NULL)
  ) AS account,
  r.amount_cents AS "amountCents", r.currency, r.merchant_name AS "merchantName",
  r.merchant_profile AS "merchantProfile", r.merchant_return_url AS "merchantReturnUrl",
  r.display_message AS "displayMessage", r.invoice_number AS "invoiceNumber",
  r.preferred_language AS "preferredLanguage", r.payment_link AS "paymentLink",
  r.qr_code_link AS "qrCodeLink", r.return_url AS "returnUrl", r.expires_at AS "expiresAt",
  round(extract(epoch FROM r.expires_at - service_now()) * 1000)::float8 AS "expiresInMs",
  r.expires_at <= service_now() AS "isExpired", r.state, r.received_cents AS "receivedCents",
  r.announced_at AS "announcedAt", r.sent_at AS "sentAt",
  r.cancelled_at AS "cancelledAt", ${SHOWN_VERSION} AS version`;
const FROM = 'FROM bank_transfer_requests r JOIN creditor_accounts a ON a.id = r.account_id';

/**
 * Nothing is written where nothing has changed. Reference and account stay as they were shown, and
 * a request that is over stays over: a call that was late must not show an account again.
 */
const PUT: Statement = {
  name: 'bank-transfer-request-put',
  text: `INSERT INTO bank_transfer_requests AS r
      (payment_request_id, page_key, merchant_id, reference, account_id, amount_cents, currency,
       merchant_name, merchant_profile, merchant_return_url, display_message, invoice_number,
       preferred_language, payment_link, qr_code_link, return_url, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
    ON CONFLICT (payment_request_id) DO UPDATE SET
      amount_cents = excluded.amount_cents, merchant_name = excluded.merchant_name,
      merchant_profile = excluded.merchant_profile,
      merchant_return_url = excluded.merchant_return_url,
      display_message = excluded.display_message, invoice_number = excluded.invoice_number,
      expires_at = excluded.expires_at, version = r.version + 1
    WHERE r.state = 'OPEN'
      AND (r.amount_cents, r.merchant_name, r.merchant_profile, r.merchant_return_url,
           r.display_message, r.invoice_number, r.expires_at)
        IS DISTINCT FROM (excluded.amount_cents, excluded.merchant_name,
                          excluded.merchant_profile, excluded.merchant_return_url,
                          excluded.display_message, excluded.invoice_number, excluded.expires_at)
    RETURNING r.page_key AS "pageKey", r.version > 1 AS "hasChanged"`,
};

const FIND_OUTCOME: Statement = {
  name: 'bank-transfer-request-find-outcome',
  text: 'SELECT outcome FROM bank_transfer_requests WHERE payment_request_id = $1',
};

const CHANNEL = 'bank_transfer_changes';
const NOTIFY: Statement = {
  name: 'bank-transfer-request-notify',
  text: `SELECT pg_notify('${CHANNEL}', page_key) FROM unnest($1::text[]) AS page_key`,
};

export interface NewTransferRequest {
  readonly pageKey: string;
  readonly reference: string;
  readonly accountId: string;
}

/**
 * Stores the request, or takes over what changed of an open one.
 *
 * @throws the database's error when the random reference or key is taken: the call is repeated.
 */
export async function putTransferRequest(
  db: Executor,
  request: NetworkRequest,
  { pageKey, reference, accountId }: NewTransferRequest,
): Promise<{ readonly pageKey: string; readonly hasChanged: boolean }> {
  const [written] = await db.query<{ pageKey: string; hasChanged: boolean }>(PUT, [
    request.paymentRequestId,
    pageKey,
    request.merchantId,
    reference,
    accountId,
    request.amountCents,
    request.currency,
    request.merchantName,
    request.merchantProfile,
    request.merchantReturnUrl,
    request.displayMessage,
    request.invoiceNumber,
    request.preferredLanguage,
    request.paymentLink,
    request.qrCodeLink,
    request.returnUrl,
    request.expiresAt,
  ]);
  if (written) return written;
  const known = await findTransferRequestOf(db, request.paymentRequestId);
  return { pageKey: known?.pageKey ?? pageKey, hasChanged: false };
}

export const findTransferRequest = firstRow<TransferRequest, [pageKey: string]>(
  'bank-transfer-request-find-by-page-key',
  `SELECT ${COLUMNS} ${FROM} WHERE r.page_key = $1`,
);

export async function findTransferRequestOf(
  db: Executor,
  paymentRequestId: string,
): Promise<TransferRequest | undefined> {
  return (await findTransferRequestsOf(db, [paymentRequestId]))[0];
}

/** By the ids of payment requests; ids that the network does not know are left out. */
export const findTransferRequestsOf = allRows<
  TransferRequest,
  [paymentRequestIds: readonly string[]]
>(
  'bank-transfer-request-find-of',
  `SELECT ${COLUMNS} ${FROM} WHERE r.payment_request_id = ANY ($1::uuid[])`,
);

/** The settled payment as it was reported; null: none was. */
export async function findTransferOutcome(
  db: Executor,
  paymentRequestId: string,
): Promise<Success | null> {
  type Stored = Omit<Success, 'completedAt'> & { readonly completedAt: string };
  const rows = await db.query<{ outcome: Stored | null }>(FIND_OUTCOME, [paymentRequestId]);
  const outcome = rows[0]?.outcome;
  return outcome ? { ...outcome, completedAt: new Date(outcome.completedAt) } : null;
}

export const findTransferVersions = valuesByKey<string, number, [pageKeys: readonly string[]]>(
  'bank-transfer-request-find-versions',
  `SELECT r.page_key AS id, ${SHOWN_VERSION} AS version ${FROM}
   WHERE r.page_key = ANY ($1::text[])`,
);

/**
 * Returns the keys of the pages that changed, as the two writers below do; pass them to
 * `notifyOfTransferChanges` once the transaction is committed.
 */
export const cancelTransferRequest = allValues<string, [paymentRequestId: string]>(
  'bank-transfer-request-cancel',
  `UPDATE bank_transfer_requests
   SET state = 'CANCELLED', cancelled_at = service_now(), version = version + 1
   WHERE payment_request_id = $1 AND state = 'OPEN' RETURNING page_key AS "pageKey"`,
);

/** Once for each request, however often the payer says it. */
export const markTransferSent = allValues<string, [pageKey: string]>(
  'bank-transfer-request-mark-sent',
  `UPDATE bank_transfer_requests SET sent_at = service_now(), version = version + 1
   WHERE page_key = $1 AND sent_at IS NULL AND state = 'OPEN' AND expires_at > service_now()
   RETURNING page_key AS "pageKey"`,
);

/** A bank has announced money that is not booked yet. */
export const markTransfersAnnounced = allValues<string, [paymentRequestIds: readonly string[]]>(
  'bank-transfer-request-mark-announced',
  `UPDATE bank_transfer_requests SET announced_at = service_now(), version = version + 1
   WHERE payment_request_id = ANY ($1::uuid[]) AND announced_at IS NULL AND state = 'OPEN'
   RETURNING page_key AS "pageKey"`,
);

/** Tells the open pages of every process. A page that misses it is told a little later. */
export async function notifyOfTransferChanges(
  db: Executor,
  pageKeys: readonly string[],
): Promise<void> {
  if (pageKeys.length > 0) await db.query(NOTIFY, [pageKeys]).catch(() => {});
}

/** Calls `onChange` with what changed, or null when anything may have; returns the stop. */
export function listenForTransferChanges(
  db: Database,
  onChange: (pageKeys: readonly string[] | null) => void,
): () => Promise<void> {
  return db.listen(CHANNEL, (payload = '') => onChange(payload === '' ? null : [payload]));
}
