import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { findFile } from '../files/file-store.ts';
import { storeFile } from '../files/import-file.ts';
import { reasonOf } from '../files/withheld-sentence.ts';
import { ProgramRefusal } from './program-refusal.ts';

/** The loop of files looks each second; the import of the largest file takes 10 s. */
const LOOK_MS = 200;
const LONGEST_WAIT_MS = 30_000;

export interface TakeUploadDeps {
  readonly db: Database;
  readonly secretsKey: RotatingKey;
}

export interface UploadVerdict {
  readonly fileId: string;
  /** null: the file waits for the loop of files, in a process of the role `background`. */
  readonly state: 'TAKEN' | 'REFUSED' | null;
  /** Why it is refused, or which entries do not count; null: all of it counts. */
  readonly reason: string | null;
  /** Whether these bytes came for the first time. */
  readonly isNew: boolean;
}

/**
 * Stores a file for the loop of files, the staging of every way, and waits for its verdict. The
 * file counts as one that a stop left unread: it needs its sender no more.
 */
export async function takeUpload(
  deps: TakeUploadDeps,
  bytes: Buffer,
  accounts: readonly string[] | null,
): Promise<UploadVerdict> {
  const { id: fileId, isNew, ...stored } = await storeFile(deps, bytes, accounts);
  let { state, reason, withheld } = stored;
  for (let waited = 0; state === 'RECEIVED' && waited < LONGEST_WAIT_MS; waited += LOOK_MS) {
    await setTimeout(LOOK_MS);
    const found = await findFile(deps.db, fileId);
    if (found) ({ state, reason, withheld } = found);
  }
  const verdict = state === 'REFUSED' ? 'REFUSED' : 'TAKEN';
  const said = { fileId, reason: reasonOf({ reason, withheld }), isNew };
  return { ...said, state: state === 'RECEIVED' ? null : verdict };
}

/** @throws ProgramRefusal for a body that is not the one which the sender hashed (RFC 9530) */
export function checkDigest(header: unknown, bytes: Buffer): void {
  if (header === undefined) return;
  const [, given] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/.exec(`${header}`) ?? [];
  if (given === undefined) {
    const sentence = 'Content-Digest must have sha-256=:…:, the SHA-256 of the body in base64.';
    throw new ProgramRefusal(400, 'DIGEST_INVALID', sentence);
  }
  if (!createHash('sha256').update(bytes).digest().equals(Buffer.from(given, 'base64'))) {
    const sentence = 'Content-Digest is not that of the body: nothing was stored. Send it again.';
    throw new ProgramRefusal(400, 'DIGEST_MISMATCH', sentence);
  }
}
