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
  text: `SELECT ${COLUMNS}, ${SHOWN('m.payment_request_id')} FROM bank_movements m
         WHERE m.payment_request_id = ANY ($1::uuid[]) AND m.direction = 'CREDIT'
           AND m.outcome <> 'WAITING'
         ORDER BY m.position`,
};

const FIND_BY_REFERENCE = {
  name: 'bank-movements-find-by-network-reference',
  text: `SELECT ${COLUMNS}, asked.id::text AS "askedFor", ${SHOWN('asked.id')}
         FROM unnest($1::text[], $2::uuid[]) AS asked (reference, id)
         JOIN bank_movements m ON m.network_reference = asked.reference
         WHERE m.direction = 'CREDIT'`,
};

/**
 * The money that came in and names one of the payment requests, oldest first: its payment with all
 * parts, second payments, and money on a wrong account.
 */
export async function findIncomingMovements(
  db: Executor,
  key: RotatingKey,
  paymentRequestIds: readonly string[],
): Promise<IncomingMovement[]> {
  const rows = await db.query<Row>(FIND_OF_PAYMENT_REQUEST, [paymentRequestIds]);
  return rows.map((row) => opened(key, row));
}

/** A network reference under which the money of a payment request may stand. */
export interface AskedReference {
  readonly networkReference: string;
  readonly paymentRequestId: string;
}

/**
 * The money under network references, each with the payment request for which it was asked. Where
 * the details of an entry do not add up, the sender is the one that names the payment request.
 */
export async function findNamedMovements(
  db: Executor,
  key: RotatingKey,
  asked: readonly AskedReference[],
): Promise<(IncomingMovement & { readonly askedFor: string })[]> {
  const columns = [
    asked.map((each) => each.networkReference),
    asked.map((each) => each.paymentRequestId),
  ];
  const rows = await db.query<Row & { askedFor: string }>(FIND_BY_REFERENCE, columns);
  return rows.map(({ askedFor, ...row }) => ({ ...opened(key, row), askedFor }));
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
