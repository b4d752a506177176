import { isId } from '#lib/new-id.ts';
import { EMAIL, MOBILE_NUMBER } from '#lib/text-forms.ts';
import { isShortCode, readPastedCode } from '#payment-requests/model/short-code.ts';

/** The longest value that can be found is an e-mail address, or the end of a pasted link. */
const LONGEST_VALUE = 254;
/** A link that was pasted with what stands before its short code. */
export const LONGEST_PASTED = 2_048;

/** A searched text, by the kinds of value that it may be; null: it is no such value. */
export interface SearchTerms {
  /** The text without blanks around it: any reference. */
  readonly text: string;
  readonly id: string | null;
  readonly shortCode: string | null;
  readonly email: string | null;
  readonly mobileNumber: string | null;
  readonly amountCents: number | null;
}

/** People copy an id without its hyphens from a bank statement. */
const BARE_ID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i;
/** A currency or its sign, before or after an amount. */
const CURRENCY = '[A-Z]{3}|[$€£]';
const WHOLE = String.raw`\d{1,3}(?:[’' ]?\d{3}){0,3}`;
/** `249.90`, `249,9`, `1’249.90`, `CAD 249.90`: below 10^12, above every MAX_AMOUNT. */
const AMOUNT = new RegExp(
  String.raw`^(?:(?:${CURRENCY}) ?)?(${WHOLE})(?:[.,](\d{1,2}))?(?: ?(?:${CURRENCY}))?$`,
  'i',
);
const ANY_EMAIL = new RegExp(EMAIL);
const ANY_MOBILE_NUMBER = new RegExp(MOBILE_NUMBER);
// Control characters match nothing, and PostgreSQL refuses NUL.
const UNPRINTABLE = /\p{Cc}/u;

/**
 * Reads what a person searches for: one text may be several kinds of value.
 *
 * @returns null for a text that nothing can match: empty, too long or with control characters
 */
export function readSearchTerms(searched: string): SearchTerms | null {
  const text = searched.slice(0, LONGEST_PASTED + 1).trim();
  if (text === '' || text.length > LONGEST_PASTED) return null;
  if (UNPRINTABLE.test(text) || !text.isWellFormed()) return null;
  const last = lastSegment(text);
  const id = last.replace(BARE_ID, '$1-$2-$3-$4-$5').toLowerCase();
  if (last.length > LONGEST_VALUE) return null;
  return {
    text,
    id: isId(id) ? id : null,
    shortCode: isShortCode(last) ? last : readPastedCode(last),
    email: ANY_EMAIL.test(text) ? text : null,
    mobileNumber: ANY_MOBILE_NUMBER.test(text) ? text : null,
    amountCents: readAmount(text),
  };
}

/** The last part of a link's path: the short code of a payment link, or an id. */
function lastSegment(text: string): string {
  const path = /^https?:\/\//i.test(text) ? URL.parse(text)?.pathname : undefined;
  return path === undefined ? text : (path.split('/').findLast((part) => part !== '') ?? '');
}

function readAmount(text: string): number | null {
  const [, whole, fraction = ''] = AMOUNT.exec(text) ?? [];
  if (whole === undefined) return null;
  const cents = Number(whole.replaceAll(/\D/g, '') + fraction.padEnd(2, '0'));
  return cents > 0 ? cents : null;
}
