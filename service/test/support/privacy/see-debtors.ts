import type { Canaries } from './canaries.ts';

/** Some banks write a prefix in front of each element. */
const DEBTOR_NAME = /<(?:\w+:)?Dbtr>\s*(?:<(?:\w+:)?Pty>\s*)?<(?:\w+:)?Nm>([^<&]+)</g;
const DEBTOR_IBAN = /<(?:\w+:)?DbtrAcct>\s*<(?:\w+:)?Id>\s*<(?:\w+:)?IBAN>([^<]+)</g;

/** Collects the payers of a bank's file: their names and accounts are theirs. */
export function seeDebtors(canaries: Canaries, bytes: Buffer): void {
  const text = bytes.toString();
  for (const [, name = ''] of text.matchAll(DEBTOR_NAME)) {
    canaries.seePayerValue(name, 'the name of a debtor');
  }
  for (const [, iban = ''] of text.matchAll(DEBTOR_IBAN)) {
    canaries.seePayerValue(iban, 'the account of a debtor');
  }
}
