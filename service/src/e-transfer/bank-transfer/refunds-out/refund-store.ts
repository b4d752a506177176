import type { Executor, Statement } from '#database/database.ts';
import { allRows, allValues, execute, firstValue, valuesOf } from '#database/statements.ts';
import type { RefundOutcome } from '../../network-refunds.ts';
import type { AskedReference } from '../entries/incoming-store.ts';

export type BankRefundState = 'QUEUED' | 'SENT' | 'COMPLETED' | 'FAILED' | 'RETURNED';

export interface NewBankRefund {
  readonly refundId: string;
  readonly paymentRequestId: string;
  /** The account that received the money. */
  readonly account: string;
  readonly movementReference: string | null;
  readonly amountCents: number;
  readonly currency: string;
  readonly message: string | null;
  readonly creditorEncrypted: Buffer;
  /** Unique: a person copies it into the transfer, if the refund stands in a list. */
  readonly listReference: string;
}

export interface StoredBankRefund {
  readonly refundId: string;
  readonly state: BankRefundState;
  readonly amountCents: number;
  readonly currency: string;
  /** The accounts from which the refund may leave: the one that received, and the one that pays. */
  readonly accounts: readonly string[];
  readonly messageId: string | null;
  readonly listReference: string;
  /** Instants are texts, since JSON has no other form. */
  readonly outcome: RefundOutcome | null;
}

const FIND_ALL = `SELECT b.refund_id AS "refundId", b.state, b.amount_cents AS "amountCents",
      b.currency,
      array_remove(ARRAY[received.key, paying.key], NULL) AS accounts,
      b.message_id AS "messageId", b.list_reference AS "listReference", b.outcome
    FROM bank_refunds b
    JOIN creditor_accounts received ON received.id = b.account_id
    LEFT JOIN bank_payment_files f ON f.message_id = b.message_id
    LEFT JOIN creditor_accounts paying ON paying.id = f.account_id`;

/** RETURNED is the last state: the debit may be imported after the credit that returns it. */
const SET_OUTCOMES: Statement = {
  name: 'bank-refund-set-outcomes',
  text: `UPDATE bank_refunds b SET state = o.outcome ->> 'state', outcome = o.outcome
    FROM json_to_recordset($1::json) AS o (id uuid, outcome jsonb)
    WHERE b.refund_id = o.id AND b.message_id IS NOT NULL
      AND (b.state = 'SENT' OR (o.outcome ->> 'state' = 'RETURNED' AND b.state <> 'RETURNED'))`,
};

/** A second call for the same refund changes nothing. */
export const insertBankRefund = execute<[refund: NewBankRefund]>(
  'bank-refund-insert',
  `INSERT INTO bank_refunds (refund_id, payment_request_id, account_id, movement_reference,
     amount_cents, currency, message, creditor_encrypted, list_reference)
   SELECT $1, $2, a.id, $4, $5, $6, $7, $8, $9
   FROM creditor_accounts a WHERE a.key = $3 ORDER BY a.version DESC LIMIT 1
   ON CONFLICT (refund_id) DO NOTHING`,
  valuesOf(
    'refundId',
    'paymentRequestId',
    'account',
    'movementReference',
    'amountCents',
    'currency',
    'message',
    'creditorEncrypted',
    'listReference',
  ),
);

/**
 * The network references of the money that belongs to the payment requests, 100 of each at most.
 *
 * The order of the ledger; a part of an assignment that takes money away is negative.
 */
export const findReferencesOfPayments = allRows<
  AskedReference,
  [paymentRequestIds: readonly string[]]
>(
  'bank-refund-find-references',
  `SELECT asked.id::text AS "paymentRequestId", l.reference AS "networkReference"
   FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
     SELECT network_reference AS reference, min(position) AS position FROM ledger_entries
     WHERE payment_request_id = asked.id AND network_reference IS NOT NULL
       AND type IN ('PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'ASSIGNED', 'ADJUSTMENT')
     GROUP BY network_reference HAVING sum(amount_cents) > 0 ORDER BY min(position) LIMIT 100) l
   ORDER BY l.position`,
);

/** The amounts of parts, in cents: they stand in the ledger under references of their own. */
export const findPartCents = allRows<
  { networkReference: string; amountCents: number },
  [parts: readonly AskedReference[]]
>(
  'bank-refund-find-part',
  `SELECT network_reference AS "networkReference", max(amount_cents) AS "amountCents"
   FROM ledger_entries WHERE network_reference = ANY ($1::text[]) AND type = 'ASSIGNED'
   GROUP BY network_reference`,
  (parts) => [parts.map(({ networkReference }) => networkReference)],
);

/** Refunds that the network does not know are left out. */
export const findBankRefunds = allRows<StoredBankRefund, [refundIds: readonly string[]]>(
  'bank-refund-find',
  `${FIND_ALL} WHERE b.refund_id = ANY ($1::uuid[])`,
);

/** The refunds that stand in the payment files, or in a list under a reference of their own. */
export const findRefundsOfFiles = allRows<StoredBankRefund, [messageIds: readonly string[]]>(
  'bank-refund-find-of-files',
  `${FIND_ALL} WHERE b.message_id = ANY ($1::text[]) OR b.list_reference = ANY ($1::text[])
   ORDER BY b.refund_id`,
);

/** The ids of the refunds in a payment file whose outcome is not known. */
export const findOpenRefundsOfFile = allValues<string, [messageId: string]>(
  'bank-refund-find-of-file',
  `SELECT refund_id AS "refundId" FROM bank_refunds
   WHERE message_id = $1 AND state = 'SENT' ORDER BY refund_id`,
);

/**
 * The sum of the other refunds that give the movement back, in cents.
 *
 * A refund that failed gives its part of the movement free.
 */
export const sumRefundsOfMovement = firstValue<
  number,
  [movementReference: string, refundId: string]
>(
  'bank-refund-sum-of-movement',
  `SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM bank_refunds
   WHERE movement_reference = $1 AND refund_id <> $2 AND state NOT IN ('FAILED', 'RETURNED')`,
  0,
);

/** Keeps how refunds ended; a later answer of `askState` says the same. */
export async function setRefundOutcomes(
  tx: Executor,
  outcomes: readonly { readonly refundId: string; readonly outcome: RefundOutcome }[],
): Promise<void> {
  if (outcomes.length === 0) return;
  const rows = outcomes.map(({ refundId, outcome }) => ({ id: refundId, outcome }));
  await tx.query(SET_OUTCOMES, [JSON.stringify(rows)]);
}
