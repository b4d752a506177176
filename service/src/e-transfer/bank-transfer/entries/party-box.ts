import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret, encryptSecret } from '#lib/secrets/secret-box.ts';

/** The other side of a payment: personal data, stored encrypted and erased with the payer. */
export interface StoredParty {
  readonly name: string | null;
  /** An IBAN, or another account number as the bank writes it. */
  readonly account: string | null;
  /** The other sides of an entry whose details do not add up, by the references that they name. */
  readonly details?: readonly DetailParty[];
}

export interface DetailParty extends Pick<StoredParty, 'name' | 'account'> {
  readonly references: readonly string[];
}

/** The context of the box: a box that is copied to another row does not open. */
const partyContext = (rowId: string): string => `bank-party:${rowId}`;

/** @returns null where there is nothing to keep */
export function sealParty(key: RotatingKey, rowId: string, party: StoredParty): Buffer | null {
  const { name, account, details = [] } = party;
  if (name === null && account === null && details.length === 0) return null;
  return encryptSecret(key, JSON.stringify(party), partyContext(rowId));
}

export function openParty(key: RotatingKey, rowId: string, box: Buffer | null): StoredParty {
  if (box === null) return { name: null, account: null };
  return JSON.parse(decryptSecret(key, box, partyContext(rowId)));
}
