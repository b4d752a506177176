import type { Executor, Statement } from '#database/database.ts';
import { allValues } from '#database/statements.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { wholesOf } from '../../money-parts.ts';
import type { DescribedMoney, ShownTransfer } from '../../network-books.ts';
import { openParty } from './party-box.ts';

const FIND: Statement = {
  name: 'bank-case-find-money',
  text: `SELECT m.id, m.network_reference AS "networkReference", m.direction,
      m.amount_cents AS "amountCents", m.currency, m.account,
      m.creditor_references AS "creditorReferences",
      coalesce(m.bank_reference, m.entry_reference) AS "bankReference",
      m.booking_date AS "bookingDate", m.institution, m.return_reason AS "returnReason",
      m.party_box AS "partyBox"
    FROM bank_movements m WHERE m.network_reference = ANY ($1::text[]) ORDER BY m.position`,
};

type Row = Omit<DescribedMoney, 'partyName' | 'partyAccount'> & {
  readonly id: string;
  readonly partyBox: Buffer | null;
};

/** The money under these network references, oldest first; unknown ones are left out. */
export async function describeMoney(
  db: Executor,
  key: RotatingKey,
  networkReferences: readonly string[],
): Promise<DescribedMoney[]> {
  if (networkReferences.length === 0) return [];
  const rows = await db.query<Row>(FIND, [networkReferences]);
  return rows.map(({ id, partyBox, ...money }) => {
    const { name, account } = openParty(key, id, partyBox);
    return { ...money, partyName: name, partyAccount: account };
  });
}

const FIND_SHOWN: Statement = {
  name: 'bank-case-find-shown',
  text: `SELECT r.payment_request_id::text AS "paymentRequestId", r.reference, a.key AS account
    FROM bank_transfer_requests r JOIN creditor_accounts a ON a.id = r.account_id
    WHERE r.payment_request_id = ANY ($1::uuid[])`,
};

/** Reference and account of these payment requests; those without a transfer page are left out. */
export async function findShownTransfers(
  db: Executor,
  paymentRequestIds: readonly string[],
): Promise<ShownTransfer[]> {
  if (paymentRequestIds.length === 0) return [];
  return db.query<ShownTransfer>(FIND_SHOWN, [paymentRequestIds]);
}

/**
 * Those of the payment requests whose pages show the account on which the money under the network
 * reference moved; a part moved where its whole did.
 *
 * Both accounts belong to one merchant and one version or another shows the same account.
 */
export const findShowing = allValues<
  string,
  [networkReference: string, paymentRequestIds: readonly string[]]
>(
  'bank-case-find-showing',
  `SELECT r.payment_request_id::text AS id
   FROM bank_transfer_requests r JOIN creditor_accounts a ON a.id = r.account_id
   WHERE r.payment_request_id = ANY ($2::uuid[]) AND a.key IN (
     SELECT m.account FROM bank_movements m WHERE m.network_reference = ANY ($1::text[]))`,
  (networkReference, paymentRequestIds) => [wholesOf(networkReference), paymentRequestIds],
);
