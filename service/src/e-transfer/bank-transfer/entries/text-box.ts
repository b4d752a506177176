import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret, encryptSecret } from '#lib/secrets/secret-box.ts';

/** The context of the box: a box that is copied to another row does not open. */
const textContext = (rowId: string): string => `bank-text:${rowId}`;

/** Seals the text of an entry, which a payer wrote. @returns null where there is none */
export function sealText(key: RotatingKey, rowId: string, text: string | null): Buffer | null {
  return text === null ? null : encryptSecret(key, text, textContext(rowId));
}

export function openText(key: RotatingKey, rowId: string, box: Buffer | null): string | null {
  return box === null ? null : decryptSecret(key, box, textContext(rowId));
}
