import type { Executor } from '#database/database.ts';
import { readIban } from '#lib/bank/iban.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { IncomingMovement } from './model/movement.ts';
import { openParty } from './party-box.ts';

type Row = Omit<IncomingMovement, 'debtorName' | 'debtorAccount'> & {
  /** The reference that the asked payment request shows; null: none was asked for. */
  readonly shownReference: string | null;
  readonly partyBox: Buffer | null;
};

const COLUMNS = `m.id, m.payment_request_id AS "paymentRequestId",
  m.network_reference AS "networkReference", m.bank_reference AS "bankReference",
  m.amount_cents AS "amountCents", m.currency, m.booking_date AS "bookingDate", m.account,
  m.outcome, m.party_box AS "partyBox",
  coalesce((SELECT sum(r.amount_cents) FROM bank_movements r
            WHERE r.returned_id = m.id AND r.outcome = 'RETURNED'), 0)::bigint AS "returnedCents"`;

const SHOWN = (id: string) =>
  `(SELECT r.reference FROM bank_transfer_requests r WHERE r.payment_request_id = ${id})
     AS "shownReference"`;

const FIND_OF_PAYMENT_REQUEST = {
  name: 'bank-movements-find-incoming',
  text: `SELECT ${COLUMNS}, ${SHOWN('$1')} FROM bank_movements m
         WHERE m.payment_request_id = $1 AND m.direction = 'CREDIT' AND m.outcome <> 'WAITING'
         ORDER BY m.position`,
};

const FIND_BY_REFERENCE = {
  name: 'bank-movements-find-by-network-reference',
  text: `SELECT ${COLUMNS}, ${SHOWN('$2')} FROM bank_movements m
         WHERE m.network_reference = $1 AND m.direction = 'CREDIT'`,
};

/**
 * The money that came in and names the payment request, oldest first: its payment with all parts,
 * second payments, and money on a wrong account.
 */
export async function findIncomingMovements(
  db: Executor,
  key: RotatingKey,
  paymentRequestId: string,
): Promise<IncomingMovement[]> {
  const rows = await db.query<Row>(FIND_OF_PAYMENT_REQUEST, [paymentRequestId]);
  return rows.map((row) => opened(key, row));
}

/**
 * The money under a network reference; null: none came in under it. Where the details of an entry
 * do not add up, the sender is the one that names the payment request.
 */
export async function findIncomingMovement(
  db: Executor,
  key: RotatingKey,
  networkReference: string,
  paymentRequestId: string,
): Promise<IncomingMovement | null> {
  const [row] = await db.query<Row>(FIND_BY_REFERENCE, [networkReference, paymentRequestId]);
  return row ? opened(key, row) : null;
}

function opened(key: RotatingKey, { partyBox, shownReference, ...row }: Row): IncomingMovement {
  const party = openParty(key, row.id, partyBox);
  const named = party.details?.filter(({ references }) =>
    references.some((each) => each === shownReference),
  );
  const { name, account } = (named?.length === 1 ? named[0] : null) ?? party;
  return {
    ...row,
    debtorName: name,
    debtorAccount: account === null ? null : accountOf(account, row.currency),
  };
}

/** Transfers in EUR go to IBANs alone; elsewhere a person finds the account by its number. */
function accountOf(account: string, currency: string): string | null {
  const reading = readIban(account);
  if ('iban' in reading) return reading.iban;
  return currency === 'EUR' ? null : account || null;
}
