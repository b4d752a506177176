/** The blocks of code in a page, as a browser shows them. */
export function codeOf(page: string): string[] {
  const blocks = page.matchAll(/<pre tabindex="0"[^>]*><code[^>]*>([\s\S]*?)<\/code>/g);
  return [...blocks].map(([, code = '']) => shownText(code.replace(/<[^>]*>/g, '')));
}

/** The text that a browser shows for HTML without tags. */
function shownText(text: string): string {
  const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return text.replace(/&(?:#(?:x([\da-f]+)|(\d+))|(\w+));/gi, (entity, hex, number, name) => {
    if (name !== undefined) return named[name] ?? entity;
    return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(number));
  });
}
