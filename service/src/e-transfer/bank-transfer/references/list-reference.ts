import { randomInt } from 'node:crypto';
import { checkDigits97 } from '#lib/bank/check-digits.ts';
import type { StatementPayment } from '../statements/statement.ts';
import { withoutSeparators } from './creditor-reference.ts';

/** 10^7: a deployment has a few lists a day, and the column is unique. */
const MOST_RANDOM = 10 ** 7;
const PREFIX = 'PRS';
const ANY = /PRS(\d{7})(\d{2})/g;

/**
 * A reference of 12 characters, which people type into a transfer that they make by hand; two
 * digits check the others.
 */
export function newListReference(): string {
  const random = String(randomInt(MOST_RANDOM)).padStart(7, '0');
  return PREFIX + random + checkDigits97(random, PREFIX);
}

/** All such references in the texts of a payment, each once. */
export function listReferencesIn({
  structuredReferences,
  unstructuredTexts,
  endToEndIds,
}: Pick<StatementPayment, 'structuredReferences' | 'unstructuredTexts' | 'endToEndIds'>) {
  const texts = [...structuredReferences, ...unstructuredTexts, ...endToEndIds];
  const found = [...texts, unstructuredTexts.join('')].flatMap((text) => [
    ...withoutSeparators(text).matchAll(ANY),
  ]);
  const sound = found.filter(([, random = '', check]) => checkDigits97(random, PREFIX) === check);
  return [...new Set(sound.map(([reference]) => reference))];
}
