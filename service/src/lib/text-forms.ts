import { CELL_MARK } from './cells/cell-mark.ts';
import { INSTANT_FORM } from './instant.ts';

/** Text that pages and logs can show: no control characters. */
export const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';
export const PRINTABLE_ASCII = '^[\\x20-\\x7e]*$';
/** HTTP Basic ends the username at the first colon (RFC 7617). */
export const USERNAME = '^[\\x21-\\x39\\x3b-\\x7e]*$';
export const LANGUAGE = '^[A-Za-z]{2}(-[A-Za-z]{2})?$';
/** With the mark of its cell (contract §1). */
export const SHORT_CODE = `^(?:${CELL_MARK})?[0-9A-Za-z]{16}$`;
/** A calendar date of this millennium; days that a month lacks are refused later. */
export const DATE = '^2\\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$';
export const UUID = '^[0-9A-Fa-f-]{36}$';
/** The rules of a creation (contract §4, Create): other values match no payment request. */
export const EMAIL =
  '^[^@\\s\\u0000-\\u001f\\u007f-\\u009f]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f]+$';
export const MOBILE_NUMBER = '^[-+() ]*(\\d[-+() ]*){10,15}$';

/** RFC 5321, 4.5.3.1: 64 characters, @, and 255 less what the path around them takes. */
export const LONGEST_EMAIL = 254;
/**
 * A single mailbox in plain ASCII. Characters of header syntax (RFC 5322) are refused, so that one
 * address never becomes two recipients.
 */
const MAILBOX = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

/** Whether a mail can be sent to a text. */
export function isMailbox(text: string): boolean {
  return text.length <= LONGEST_EMAIL && MAILBOX.test(text);
}

/** Whether a text is a colour such as `#2f7d4f`, as an attribute of an SVG takes it. */
export function isHexColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

const UUID_FORM = 'as a UUID, for example 018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f';

const DATE_FORM = 'as a calendar date YYYY-MM-DD, for example 2026-11-01';

/** How a value is given that a pattern of a schema lets pass: the words after the field's name. */
export const PATTERN_FORMS: Readonly<Record<string, string>> = {
  [NO_CONTROL_CHARACTERS]: 'without line breaks and control characters',
  [PRINTABLE_ASCII]: 'in printable ASCII characters',
  [USERNAME]: 'in printable ASCII characters, without colons and spaces',
  [LANGUAGE]: 'as two letters or as xx-YY, for example fr or fr-CA',
  [SHORT_CODE]: 'as 16 letters and digits, behind the mark of the cell if it has one',
  [DATE]: DATE_FORM,
  [UUID]: UUID_FORM,
  [EMAIL]: 'as an e-mail address with one @ and no spaces',
  [MOBILE_NUMBER]: 'with 10 to 15 digits, beside + - ( ) and spaces',
};

/** The words for each `format` of a schema. */
export const FORMAT_FORMS: Readonly<Record<string, string>> = {
  date: DATE_FORM,
  'date-time': INSTANT_FORM,
  uuid: UUID_FORM,
};
