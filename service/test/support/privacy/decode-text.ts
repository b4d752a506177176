import { unescape as decodePercents } from 'node:querystring';

/** An address in the query of an address in a log line. */
const MOST_ROUNDS = 3;

/** A text, and what a reader of addresses makes of it where it is encoded. */
export function decodeText(text: string): readonly string[] {
  const forms = [text];
  let last = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = decodePercents(last.replaceAll('+', ' '));
    if (next === last) break;
    forms.push(next);
    last = next;
  }
  return forms;
}

/** The text of a piece of HTML that has no elements; pages escape by numbers. */
export function decodeHtml(html: string): string {
  return html.replace(/&#(\d{1,6});/g, (_, code) => String.fromCodePoint(Number(code)));
}
