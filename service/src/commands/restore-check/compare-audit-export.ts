import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { findAuditHead } from '#commands/audit/read-store.ts';
import type { Executor } from '#database/database.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** Acts that are listed: a person goes through them one by one. */
const MOST_LISTED = 1_000;

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

/**
 * Compares the restored audit log with an export that was kept outside (`payreq audit export`).
 * Entries of the export beyond the restored end tell which credentials, keys and destinations
 * changed later.
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
  for await (const entry of readExport(file)) {
    const position = BigInt(entry.position);
    if (end && position === end.position && entry.hash !== end.hash.toString('hex')) {
      throw new OperatorFault(`${file} is the export of another audit log.`);
    }
    if (end && position <= end.position) continue;
    count += 1;
    const { hash: _, ...act } = entry;
    if (data.length < MOST_LISTED) data.push(act);
  }
  return { head, lost: { count, data } };
}

async function* readExport(file: string): AsyncGenerator<LostAct & { readonly hash: string }> {
  let number = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      number += 1;
      const { position, occurredAt, actor, action, merchantId, hash } = JSON.parse(line);
      if (!Number.isInteger(position) || typeof hash !== 'string') throw new SyntaxError();
      yield { position, occurredAt, actor, action, merchantId, hash };
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
