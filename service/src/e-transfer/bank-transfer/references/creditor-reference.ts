import { checkDigits97, mod97 } from '#lib/bank/check-digits.ts';

/** 10^15 references: a guess meets one of a million open requests once in a billion times. */
export const RANDOM_DIGITS = 15;
/** A reference of ours: the random digits, two digits that only ours satisfy, nothing else. */
const OURS = /^RF\d{2}(\d{15})(\d{2})$/;
/** The issuing pattern's check is not that of RF, so that both together are 1 in 9,409. */
const ISSUER = 'PRS';
const ANY = /RF\d{2}\d{17}/g;

/**
 * A creditor reference (ISO 11649) of 15 random digits. Two more digits mark it as issued here, so
 * that a payment with a reference that fits no request is told from other people's references.
 *
 * @param random exactly 15 digits from a CSPRNG
 */
export function creditorReferenceOf(random: string): string {
  const body = random + checkDigits97(random, ISSUER);
  return `RF${checkDigits97(body, 'RF')}${body}`;
}

/** Whether the text, without blanks and in capitals, is a reference that was issued here. */
export function isOurReference(text: string): boolean {
  const [, random = '', issuerCheck] = OURS.exec(text) ?? [];
  if (random === '') return false;
  return (
    checkDigits97(random, ISSUER) === issuerCheck && mod97(text.slice(4) + text.slice(0, 4)) === 1
  );
}

/** Payers type blanks, dashes and small letters into the text of a transfer. */
export const withoutSeparators = (text: string): string =>
  text.replaceAll(/[\s-]/g, '').toUpperCase();

/** All references of ours in a free text, each once. */
export function ourReferencesIn(text: string): readonly string[] {
  const found = withoutSeparators(text).match(ANY) ?? [];
  return [...new Set(found.filter(isOurReference))];
}
