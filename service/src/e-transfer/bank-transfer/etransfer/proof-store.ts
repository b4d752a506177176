import { allRows, execute, oneRow, valuesOf } from '#database/statements.ts';

/** An Interac address of an account, with the reference that proves it. */
export interface EtransferProof {
  /** The key of the account. */
  readonly account: string;
  readonly address: string;
  readonly reference: string;
  /** null: no statement of the account has shown the reference yet. */
  readonly provenAt: Date | null;
}

/** A proof that is there keeps its reference: its money may be on the way. */
export const keepProof = oneRow<
  EtransferProof,
  [proof: Pick<EtransferProof, 'account' | 'address' | 'reference'> & { readonly id: string }]
>(
  'bank-etransfer-proof-keep',
  `INSERT INTO bank_etransfer_proofs AS p (id, account, address, reference)
   VALUES ($1, $2, $3, $4)
   ON CONFLICT (account, address) DO UPDATE SET reference = p.reference
   RETURNING account, address, reference, proven_at AS "provenAt"`,
  'the proof was not kept',
  valuesOf('id', 'account', 'address', 'reference'),
);

export const findProofs = allRows<EtransferProof, [references: readonly string[]]>(
  'bank-etransfer-proofs-find',
  `SELECT account, address, reference, proven_at AS "provenAt"
   FROM bank_etransfer_proofs WHERE reference = ANY ($1::text[])`,
);

/** Proofs of accounts that a statement has not shown yet, for a demo's bank. */
export const listOpenProofs = allRows<EtransferProof & { readonly accountNumber: string }>(
  'bank-etransfer-proofs-list-open',
  `SELECT p.account, p.address, p.reference, p.proven_at AS "provenAt",
     a.account_number AS "accountNumber"
   FROM bank_etransfer_proofs p
   JOIN creditor_accounts a ON a.key = p.account AND a.etransfer_address = p.address
     AND a.replaced_at IS NULL
   WHERE p.proven_at IS NULL ORDER BY p.account LIMIT 100`,
);

export const markProven = execute<[references: readonly string[]]>(
  'bank-etransfer-proofs-mark-proven',
  `UPDATE bank_etransfer_proofs SET proven_at = service_now()
   WHERE reference = ANY ($1::text[]) AND proven_at IS NULL`,
);
