import type { Field } from '#payment-requests/model/field-types.ts';
import { FIELDS } from '#payment-requests/model/fields.ts';

const HIDDEN = '[hidden: no --with-payer-data]';

/**
 * The members that may speak of the payer: those that an erasure removes, the payer's institution,
 * a listener's answers, and the link, which shows the payer's page to anybody.
 */
const HIDDEN_MEMBERS: ReadonlySet<string> = new Set([
  ...Object.entries<Field>(FIELDS)
    .filter(([, { knownTo }]) => knownTo.includes('ERASURE'))
    .map(([name]) => name),
  'comment',
  'institution',
  'responseBody',
  'shortCode',
  'paymentLink',
  'qrCodeLink',
]);

/** JSON with a mark in place of each value that may speak of the payer. Pure. */
export function withoutPayerData(value: unknown): string {
  return JSON.stringify(value, function hide(this: object, name: string, member: unknown) {
    if (member === undefined) return undefined;
    // A sentence of ours stands beside its code; other messages were written for a payer.
    const isFree = name === 'message' && !('code' in this) && !('outcome' in this);
    return isFree || HIDDEN_MEMBERS.has(name) ? HIDDEN : member;
  });
}
