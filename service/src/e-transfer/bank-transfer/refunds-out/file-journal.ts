import { open } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The journal lies beside the payment files, outside of the database: a line for each file, of ids
 * and amounts. A database that was restored to an earlier moment learns here which refunds left
 * (decision 0063). The bank's program takes `*.xml` and leaves the journal.
 */
const nameOf = (deploymentId: string): string => `.payment-files-${deploymentId}.jsonl`;
/** The journal holds no names and no accounts; its mode is that of the payment files. */
const JOURNAL_MODE = 0o600;
/** The end of the journal that is read: the files of some years, or of a month with full files. */
const MOST_BYTES = 16_777_216;

/** A payment file that a folder was given. */
export interface JournalledFile {
  readonly messageId: string;
  /** ISO 8601. */
  readonly writtenAt: string;
  readonly refunds: readonly JournalledRefund[];
}

export interface JournalledRefund {
  readonly id: string;
  readonly paymentRequestId: string;
  readonly amountCents: number;
}

/**
 * Appends a file, after the database has noted the file and before the file has its final name. A
 * file that the bank’s program can take therefore always stands in the journal.
 */
export async function appendToJournal(
  folder: string,
  deploymentId: string,
  file: JournalledFile,
): Promise<void> {
  const handle = await open(join(folder, nameOf(deploymentId)), 'a', JOURNAL_MODE);
  try {
    // A crash may have left a torn line, which the first line feed ends.
    await handle.write(`\n${JSON.stringify(file)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The files of the journal, oldest first, each once; none where the folder has no journal. */
export async function readJournal(folder: string, deploymentId: string): Promise<JournalledFile[]> {
  const handle = await open(join(folder, nameOf(deploymentId)), 'r').catch((error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return [];
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, MOST_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    return [...new Map(lines.flatMap(readLine).map((file) => [file.messageId, file])).values()];
  } finally {
    await handle.close();
  }
}

/** A torn line is that of a file that never got its final name from the act that wrote it. */
function readLine(line: string): JournalledFile[] {
  try {
    const file = JSON.parse(line) as JournalledFile;
    return typeof file.messageId === 'string' && Array.isArray(file.refunds) ? [file] : [];
  } catch {
    return [];
  }
}
