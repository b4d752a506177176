import { StatementFault } from './statement-fault.ts';

/** The encoding stands in the first line, in ASCII; 200 bytes hold any real declaration. */
const LONGEST_DECLARATION_BYTES = 200;
const DECLARED_ENCODING = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;
/** The reader takes 1 ms for an honest piece and 20 for the worst: other work waits no longer. */
const PIECE_BYTES = 16_384;

/**
 * Decodes a statement file, a piece at a time. A byte order mark wins over the declaration; without
 * both the text is UTF-8 (XML 1.0, appendix F). Banks write UTF-8, UTF-16, ISO-8859-1 and
 * windows-1252.
 *
 * @throws StatementFault on another encoding, and on bytes that are not of the encoding
 */
export function* decodeXml(bytes: Buffer): Generator<string> {
  const encoding = encodingOf(bytes);
  const decoder = decoderOf(encoding);
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const end = at + PIECE_BYTES;
      yield decoder(bytes.subarray(at, end), end < bytes.length);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StatementFault(`The file is not ${encoding.toUpperCase()} throughout.`);
  }
}

function decoderOf(encoding: string): (piece: Buffer, isMore: boolean) => string {
  // TextDecoder reads "iso-8859-1" as windows-1252.
  if (encoding === 'iso-8859-1') return (piece) => piece.toString('latin1');
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (piece, isMore) => decoder.decode(piece, { stream: isMore });
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
  if (declared === 'windows-1252' || declared === 'cp1252') return 'windows-1252';
  throw new StatementFault(
    'The file names an encoding that is not read. Use UTF-8, UTF-16, ISO-8859-1 or windows-1252.',
  );
}
