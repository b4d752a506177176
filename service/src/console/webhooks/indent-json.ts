const INDENT = '  ';

/**
 * Breaks JSON text into lines without touching a value: `10.00` stays as it was sent, which a
 * parser would shorten. Text that is no JSON comes out with other white space at most. Pure.
 */
export function indentJson(text: string): string {
  let out = '';
  let depth = 0;
  const line = () => `\n${INDENT.repeat(Math.max(depth, 0))}`;
  // Strings are one token, so that brackets and commas within them stand for themselves.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{[]\s*[}\]]|[^\s]/gu)) {
    if (token === '{' || token === '[') {
      depth += 1;
      out += token + line();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      out += line() + token;
    } else if (token === ',') out += token + line();
    else out += token === ':' ? ': ' : token;
  }
  return out;
}
