import { StatementFault } from './statement-fault.ts';

/** The encoding stands in the first line, in ASCII; 200 bytes hold any real declaration. */
const LONGEST_DECLARATION_BYTES = 200;
const DECLARED_ENCODING = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;

/**
 * Decodes a statement file. A byte order mark wins over the declaration; without both the text is
 * UTF-8 (XML 1.0, appendix F). Banks write UTF-8, UTF-16 and ISO-8859-1.
 *
 * @throws StatementFault on another encoding, and on bytes that are not of the encoding
 */
export function decodeXml(bytes: Buffer): string {
  const encoding = encodingOf(bytes);
  try {
    // TextDecoder reads "iso-8859-1" as windows-1252.
    if (encoding === 'iso-8859-1') return bytes.toString('latin1');
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new StatementFault(`The file is not ${encoding.toUpperCase()} throughout.`);
  }
}

function encodingOf(bytes: Buffer) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  // `<` as the first of two bytes: UTF-16 without a byte order mark.
  if (bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
  if (bytes[0] === 0 && bytes[1] === 0x3c) return 'utf-16be';
  const start = bytes.toString('latin1', 0, LONGEST_DECLARATION_BYTES);
  const declared = DECLARED_ENCODING.exec(start)?.[1]?.toLowerCase() ?? 'utf-8';
  if (declared === 'utf-8' || declared === 'us-ascii' || declared === 'ascii') return 'utf-8';
  if (declared === 'iso-8859-1' || declared === 'latin1') return 'iso-8859-1';
  throw new StatementFault(
    'The file names an encoding that is not read. Use UTF-8, UTF-16 or ISO-8859-1.',
  );
}
