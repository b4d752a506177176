const KEYWORDS = new Set(['and', 'as', 'class', 'from', 'global', 'if', 'in', 'is', 'not', 'or']);

export const isKeyword = (name: string): boolean => KEYWORDS.has(name);

/** `listPaymentRequests` becomes `list_payment_requests`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The name of a parameter in our client; a keyword gets an underscore (PEP 8). */
export function parameterName(name: string): string {
  // `limit` is that of a page: an iteration reads every page.
  if (name === 'limit') return 'page_size';
  const snake = snakeCase(name);
  return isKeyword(snake) ? `${snake}_` : snake;
}
