/** An element to write: its content is a text, or elements in their order. */
export interface XmlPart {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly XmlPart[];
}

/** null and empty content leave an element out, so that a caller states each optional part once. */
export type OptionalPart = XmlPart | null;

export function part(
  name: string,
  content: string | readonly OptionalPart[],
  attributes: Readonly<Record<string, string>> = {},
): XmlPart {
  const kept = typeof content === 'string' ? content : content.filter((each) => each !== null);
  return { name, attributes, content: kept };
}

/** The element with the text; null without one. */
export function optional(name: string, text: string | null | undefined): OptionalPart {
  return text === null || text === undefined ? null : part(name, text);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
// XML 1.0 has no way to write these characters, not even as a reference.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

export function escapeXml(text: string): string {
  return text.replaceAll(NOT_XML, '').replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

/** The document as text, indented by two blanks; the same parts always give the same text. */
export function writeXml(root: XmlPart, encoding = 'UTF-8'): string {
  return `<?xml version="1.0" encoding="${encoding}"?>\n${lines(root, '').join('\n')}\n`;
}

function lines({ name, attributes, content }: XmlPart, indent: string): readonly string[] {
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const open = `${indent}<${name}${named.join('')}`;
  if (typeof content === 'string') return [`${open}>${escapeXml(content)}</${name}>`];
  if (content.length === 0) return [`${open}/>`];
  const inside = content.flatMap((each) => lines(each, `${indent}  `));
  return [`${open}>`, ...inside, `${indent}</${name}>`];
}
