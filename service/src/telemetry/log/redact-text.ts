/**
 * The text beyond this adds no information, and the limit bounds the work of the patterns below.
 */
const LONGEST_TEXT = 1_000;

/**
 * The blanked parts of free text, in this order. Messages of libraries quote the value that caused
 * the error (PostgreSQL: `invalid input syntax for type uuid: "…"`; JSON.parse: the body's
 * beginning). That value may be payer data or a secret.
 */
const BLANKED: readonly { readonly pattern: RegExp; readonly by: string }[] = [
  // An address keeps its host. Its user part is a password, and its path may end in a short code.
  { pattern: /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@]*@)?([^\s/?#"']*)[^\s"']*/gi, by: '$1$2' },
  { pattern: /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, by: '$1 …' },
  { pattern: /\b(?:eyJ|whsec_|sbx_|prd_)[\w.+/=-]+/g, by: '…' },
  // To the last quote: quoted text may hold quotes itself.
  { pattern: /"[^\n]*"/g, by: '"…"' },
  { pattern: /(^|[\s(=:,])'[^'\n]*'/g, by: "$1'…'" },
  { pattern: /[^\s@<>()]+@[^\s@<>()]+/g, by: '…' },
  { pattern: /\+?\d[\d ()-]{7,}\d/g, by: '…' },
];

/** Free text without quoted values, credentials, paths of addresses, e-mails and long numbers. */
export function redactText(text: string): string {
  const cut = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return BLANKED.reduce((rest, { pattern, by }) => rest.replace(pattern, by), cut);
}
