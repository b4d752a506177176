/** The characters that turn the direction of a text: a name could rewrite the amount beside it. */
const DIRECTION = /\p{Bidi_Control}/u;
const EACH = new RegExp(DIRECTION, 'gu');
/** Templates escape `>` in values, so that a tag ends at the first one. */
const PARTS = /<textarea\b[\s\S]*?<\/textarea>|<[^>]*>|\p{Bidi_Control}/gu;
const READ_ALOUD = / (?:title|aria-label|alt)="[^"]*"/g;

/** Whether a page shows the text otherwise than it stands. */
export function turnsDirection(text: string): boolean {
  return DIRECTION.test(text);
}

/**
 * Shows each character that turns the direction of a text as a mark, such as `⟨U+202E⟩`: people of
 * the console compare names and amounts that strangers typed. The values of fields and `data-`
 * attributes stay, because forms send them and buttons copy them. Pages of payers leave these
 * characters out: a payer compares nothing.
 *
 * @param page the whole document
 */
export function markDirection(page: string): string {
  if (!turnsDirection(page)) return page;
  return page.replace(PARTS, (part) => {
    if (part.startsWith('<textarea')) return part;
    if (part.startsWith('<')) return part.replace(READ_ALOUD, markAll);
    return markAll(part);
  });
}

function markAll(text: string): string {
  return text.replace(EACH, (sign) => {
    const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}
