import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { LARGEST_STATEMENT_BYTES } from '../statements/read-statements.ts';
import { StatementFault } from '../statements/statement-fault.ts';

export interface WholeFile {
  readonly bytes: Buffer;
  /** Whether the file is still as it was read. */
  readonly version: string;
}

/** A pipe without a writer would block for ever; a link could point anywhere. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads a regular file whole, at most 25 MB of it.
 *
 * @throws StatementFault when the file is larger
 * @throws Error with a code when it is missing, a link, or no regular file
 */
export async function readWholeFile(path: string): Promise<WholeFile> {
  const file = await open(path, FLAGS);
  try {
    const found = await file.stat({ bigint: true });
    if (!found.isFile()) throw new Error('not a regular file');
    if (found.size > LARGEST_STATEMENT_BYTES) throw new StatementFault('The file is above 25 MB.');
    const bytes = Buffer.alloc(Number(found.size));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, bytesRead), version: versionOf(found) };
  } finally {
    await file.close();
  }
}

/** Whether the user of this process has the right to read the file. */
export async function canBeRead(path: string): Promise<boolean> {
  try {
    await (await open(path, FLAGS)).close();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'EACCES' && code !== 'EPERM';
  }
}

interface Version {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

/** Changes with every write, and with another file under the same name. */
export function versionOf({ dev, ino, size, mtimeNs }: Version): string {
  return `${dev}:${ino}:${size}:${mtimeNs}`;
}
