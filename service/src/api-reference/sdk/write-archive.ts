import { crc32 } from 'node:zlib';

export interface ArchivedFile {
  /** At most 100 ASCII characters, the field of a tar header. */
  readonly path: string;
  readonly content: Buffer;
}

const BLOCK_BYTES = 512;
const LONGEST_PATH = 100;
/** The instant that npm gives every file, so that equal files make equal bytes. */
const MODIFIED_SECONDS = Date.UTC(1985, 9, 26, 8, 15) / 1000;
/** The largest stored block of DEFLATE (RFC 1951, 3.2.4). */
const STORED_BYTES = 0xffff;
/** ID, DEFLATE, no flags, no time, no hint, unknown system (RFC 1952). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/**
 * Writes files as `.tar.gz`. The bytes depend on the files alone: the content is stored, because a
 * compressor gives other bytes in another version or on another processor, and a lock file of npm
 * holds their hash.
 *
 * @throws RangeError for a path that no tar header can hold
 */
export function writeArchive(files: readonly ArchivedFile[]): Buffer {
  const parts = files.flatMap(({ path, content }) => [
    tarHeader(path, content.length),
    content,
    Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES),
  ]);
  return storeGzip(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]));
}

/** A header of POSIX tar (ustar): a plain file that everybody can read. */
function tarHeader(path: string, size: number): Buffer {
  if (path.length > LONGEST_PATH || /[^\x20-\x7e]/.test(path)) {
    throw new RangeError(`${path} does not fit into a tar header`);
  }
  const header = Buffer.alloc(BLOCK_BYTES);
  const put = (text: string, at: number) => header.write(text, at, 'latin1');
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  put(path, 0);
  put(octal(0o644, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  put(octal(size, 11), 124);
  put(octal(MODIFIED_SECONDS, 11), 136);
  // The checksum counts its own field as blanks.
  put(' '.repeat(8), 148);
  put('0', 156);
  put('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${octal(sum, 6)}\0 `, 148);
  return header;
}

function storeGzip(content: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < content.length; at += STORED_BYTES) {
    const block = content.subarray(at, at + STORED_BYTES);
    const head = Buffer.alloc(5);
    head.writeUInt8(at + STORED_BYTES >= content.length ? 1 : 0);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ STORED_BYTES, 3);
    blocks.push(head, block);
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(content));
  trailer.writeUInt32LE(content.length, 4);
  return Buffer.concat([GZIP_HEADER, ...blocks, trailer]);
}
