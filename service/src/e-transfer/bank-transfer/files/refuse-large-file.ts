import { createHash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '#database/database.ts';
import { newId } from '#lib/new-id.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { BankMetrics } from '#telemetry/metrics/bank-metrics.ts';
import { LARGEST_STATEMENT_BYTES } from '../statements/read-statements.ts';
import { storeRefusal } from './file-store.ts';

/** The largest number of the column; the true size of such a file is of no use. */
const LARGEST_SIZE = 2 ** 31 - 1;

export interface RefuseLargeFileDeps {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: BankMetrics;
}

/**
 * Refuses a file above 25 MB: stores the refusal without the bytes, and sets the file aside under
 * a hidden name with the refusal's id. The watch takes no hidden file, so the alert comes once
 * (docs/decisions/0053).
 */
export async function refuseLargeFile(
  { db, log, metrics }: RefuseLargeFileDeps,
  path: string,
  reason: string,
): Promise<void> {
  const { sha256, size } = await fingerprintOf(path);
  const sizeBytes = Math.min(size, LARGEST_SIZE);
  const fileId = await storeRefusal(db, { id: newId(), sha256, sizeBytes, reason });
  await rename(path, join(dirname(path), `.refused-${fileId}`));
  metrics.bankAlert('FILE_REFUSED');
  log.error({ fileId, reason }, 'bank file refused');
}

/** The size and the first 25 MB: the rest of a file of any size is not read. */
async function fingerprintOf(path: string): Promise<{ sha256: Buffer; size: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Buffer.alloc(LARGEST_STATEMENT_BYTES);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    const hash = createHash('sha256').update(`${size}\n`).update(start.subarray(0, bytesRead));
    return { sha256: hash.digest(), size };
  } finally {
    await file.close();
  }
}
