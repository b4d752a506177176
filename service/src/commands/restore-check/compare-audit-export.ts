import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { findAuditHashes, findAuditHead } from '#audit/read-store.ts';
import type { Executor } from '#database/database.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** Acts that are listed: a person goes through them one by one. */
const MOST_LISTED = 1_000;
/** Lines that one statement compares: some hundred kilobytes in memory. */
const BATCH_SIZE = 1_000;

/** An act that the exported audit log has and the restored one lacks. */
export interface LostAct {
  readonly position: number;
  readonly occurredAt: string;
  readonly actor: string;
  readonly action: string;
  readonly merchantId: string | null;
}

export interface AuditFindings {
  /** The last entry of the restored log, as `payreq audit verify` prints it; null: it is empty. */
  readonly head: string | null;
  /** null: no export was given. */
  readonly lost: { readonly count: number; readonly data: readonly LostAct[] } | null;
}

/** A line of the export. */
interface ExportedEntry extends LostAct {
  readonly hash: string;
  readonly content: unknown;
}

/**
 * Compares the restored audit log with an export that was kept outside (`payreq audit export`).
 * Entries of the export that the restored log lacks tell which credentials, keys and destinations
 * changed later. `restore-check` itself adds an entry, at the position of a lost one: hashes tell
 * both apart.
 *
 * @throws OperatorFault where the file is no export, or that of another log
 */
export async function compareAuditExport(
  db: Executor,
  file: string | null,
): Promise<AuditFindings> {
  const end = await findAuditHead(db);
  const head = end ? `${end.position}:${end.hash.toString('hex')}` : null;
  if (file === null) return { head, lost: null };
  const data: LostAct[] = [];
  let count = 0;
  let isSameLog = false;
  for await (const entries of batchesOf(readExport(file))) {
    const places = entries.flatMap(({ position }) => [position - 1, position]);
    const stored = await findAuditHashes(db, places);
    for (const entry of entries) {
      const { hash, content: _, ...act } = entry;
      const here = stored.get(entry.position);
      if (here?.toString('hex') === hash) {
        isSameLog = true;
        continue;
      }
      // A prune has deleted it here.
      if (!here && end && BigInt(entry.position) <= end.position) continue;
      isSameLog ||= !here || follows(entry, stored.get(entry.position - 1));
      if (!isSameLog) throw new OperatorFault(`${file} is the export of another audit log.`);
      count += 1;
      if (data.length < MOST_LISTED) data.push(act);
    }
  }
  return { head, lost: { count, data } };
}

/** Says whether an entry of the export is the next one after an entry of this database. */
function follows({ hash, content }: ExportedEntry, previous: Buffer | undefined): boolean {
  if (!previous || typeof content !== 'string') return false;
  return createHash('sha256').update(previous).update(content).digest('hex') === hash;
}

async function* batchesOf(
  entries: AsyncIterable<ExportedEntry>,
): AsyncGenerator<readonly ExportedEntry[]> {
  let batch: ExportedEntry[] = [];
  for await (const entry of entries) {
    batch.push(entry);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* readExport(file: string): AsyncGenerator<ExportedEntry> {
  let number = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      number += 1;
      const entry = JSON.parse(line);
      const { position, occurredAt, actor, action, merchantId, hash, content } = entry;
      if (!Number.isInteger(position) || typeof hash !== 'string') throw new SyntaxError();
      yield { position, occurredAt, actor, action, merchantId, hash, content };
    }
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new OperatorFault(
        `Line ${number} of ${file} is no entry of an audit log: give what payreq audit export ` +
          'has written.',
      );
    }
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
      throw new OperatorFault(`${file} cannot be read (${error.code}).`);
    }
    throw error;
  }
}
