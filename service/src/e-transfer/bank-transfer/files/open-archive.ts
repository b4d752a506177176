import { promisify } from 'node:util';
import { crc32, gunzip } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { LARGEST_STATEMENT_BYTES } from '../statements/read-statements.ts';
import { StatementFault } from '../statements/statement-fault.ts';

const unzipped = promisify(gunzip);

/** XML packs to a twentieth or thirtieth of its size. */
const HIGHEST_RATIO = 100;
/** Banks put a statement for each account and day into an archive. */
const MOST_ENTRIES = 100;
const GZIP = Buffer.from([0x1f, 0x8b]);
/** The first entry of an archive, and the end of an empty one. */
const ZIPS = ['PK\x03\x04', 'PK\x05\x06'].map((text) => Buffer.from(text, 'latin1'));

const TOO_LARGE = 'The archive unpacks to more than 25 MB, or to more than 100 times its size.';
const DAMAGED = 'The archive is cut off or damaged.';
const ENCRYPTED = 'The archive is encrypted.';

/** Whether the bytes begin as those of a zip or gzip archive. */
export function isArchive(bytes: Buffer): boolean {
  return startsWith(bytes, GZIP) || isZip(bytes);
}

/**
 * The files of a zip or gzip archive, in its order. Names only say which entries are folders:
 * nothing is written to a disk. Every bound is checked before the bytes are unpacked.
 *
 * @throws StatementFault when the archive is refused as a whole
 */
export async function openArchive(bytes: Buffer): Promise<Buffer[]> {
  const files = isZip(bytes) ? await openZip(bytes) : [await openGzip(bytes)];
  if (files.length === 0) throw new StatementFault('The archive holds no file.');
  if (files.some(isArchive)) throw new StatementFault('The archive holds another archive.');
  return files;
}

const isZip = (bytes: Buffer) => ZIPS.some((start) => startsWith(bytes, start));
const startsWith = (bytes: Buffer, start: Buffer) => bytes.subarray(0, start.length).equals(start);
const mostBytes = ({ length }: Buffer) => Math.min(LARGEST_STATEMENT_BYTES, HIGHEST_RATIO * length);

async function openGzip(bytes: Buffer): Promise<Buffer> {
  try {
    return await unzipped(bytes, { maxOutputLength: mostBytes(bytes) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StatementFault(code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : DAMAGED);
  }
}

async function openZip(bytes: Buffer): Promise<Buffer[]> {
  // A joined release has the default export alone. A module that is not there is no fault of the
  // file, and refuses none.
  const { default: yauzl } = await import('yauzl');
  try {
    const zip = await yauzl.fromBufferPromise(bytes);
    if (zip.entryCount > MOST_ENTRIES) {
      throw new StatementFault(`The archive has more than ${MOST_ENTRIES} entries.`);
    }
    const files: Buffer[] = [];
    let left = mostBytes(bytes);
    for await (const entry of zip.eachEntry()) {
      left -= entry.uncompressedSize;
      if (left < 0) throw new StatementFault(TOO_LARGE);
      if (!entry.fileName.endsWith('/')) files.push(await readEntry(zip, entry));
    }
    return files;
  } catch (error) {
    if (error instanceof StatementFault) throw error;
    const { message } = error as Error;
    // The sentences of the library quote names.
    if (message.startsWith('strong encryption')) throw new StatementFault(ENCRYPTED);
    const isName = /^(absolute path|invalid relative path|invalid characters in)/.test(message);
    throw new StatementFault(isName ? 'An entry of the archive has a path as its name.' : DAMAGED);
  }
}

/** The library ends a stream that is longer or shorter than the entry says. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.isEncrypted()) throw new StatementFault(ENCRYPTED);
  if (!entry.canDecodeFileData()) {
    throw new StatementFault('The archive is packed by a method that is not read. Use Deflate.');
  }
  const file = Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray());
  if (crc32(file) !== entry.crc32) throw new StatementFault(DAMAGED);
  return file;
}
