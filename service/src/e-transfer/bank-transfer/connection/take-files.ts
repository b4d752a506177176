import { createHash } from 'node:crypto';
import type { BankConnection, RemoteFiles } from '#lib/bank/bank-connection.ts';
import { passFailpoint } from '#lib/failpoints/failpoint.ts';
import { newId } from '#lib/new-id.ts';
import { type ProcessFilesDeps, processFile } from '../files/process-files.ts';
import { withheldSentence } from '../files/withheld-sentence.ts';
import { LARGEST_STATEMENT_BYTES } from '../statements/read-statements.ts';
import { findToTry, type ListedFile, noteTried, type TriedFile } from './connection-store.ts';
import { SftpFault } from './sftp-fault.ts';
import { inFolder, LONGEST_NAME, type Session } from './sftp-session.ts';

/** Names that one statement compares: some milliseconds. */
const NAMES_AT_ONCE = 1_000;
/** Files that fail here hold up no other one; where the database is away, each would. */
const MOST_FAILURES = 3;
/** A bank that lists every file of its life slows each round down. */
const MANY_FILES = 5_000;
const LONGEST_SHOWN_NAME = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: such names are refused
const HOSTILE = /[/\\\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g;

export interface TakeFilesDeps extends ProcessFilesDeps {
  readonly connection: BankConnection;
  readonly session: Session;
  /** Throws where the round is over: its time has passed, or another process has the lease. */
  readonly goOn: () => void;
}

type Verdict = Pick<TriedFile, 'verdict' | 'reason' | 'fileId'>;

/**
 * Takes the statements and reports of a bank's server: fetch, import, note, and only then delete or
 * move. A stop at any moment fetches again, and a file that came before changes nothing.
 *
 * @returns how many files that count are on the server
 */
export async function takeFiles(deps: TakeFilesDeps): Promise<number> {
  let count = 0;
  for (const place of deps.connection.incoming) count += await takeFolder(deps, place);
  if (count >= MANY_FILES) {
    deps.log.warn({ count }, 'bank connection: many files on the server, set BANK_SFTP_AFTER');
  }
  return count;
}

async function takeFolder(deps: TakeFilesDeps, { folder, pattern }: RemoteFiles): Promise<number> {
  const { session, db, connection } = deps;
  const listed = await session.list(folder, matcherOf(pattern));
  const files = listed.map((file) => ({ ...file, pathHash: hashOf(inFolder(folder, file.name)) }));
  const removes = connection.after.act !== 'leave';
  /** A folder without the right to delete holds up no file: the round ends with this fault. */
  let stays: SftpFault | null = null;
  const away = async (file: ListedFile) => {
    if (!stays) stays = await putAway(deps, folder, file).then(() => null, fileFault);
  };
  const failures: unknown[] = [];
  const take = (file: ListedFile) =>
    takeFile(deps, folder, file).catch((error) => {
      if (error instanceof SftpFault || failures.push(error) === MOST_FAILURES) throw error;
      return false;
    });
  for (let at = 0; at < files.length; at += NAMES_AT_ONCE) {
    const some = files.slice(at, at + NAMES_AT_ONCE);
    for (const { place, isTaken } of await findToTry(db, connection.number, some, removes)) {
      const file = some[place - 1];
      if (!file || (isTaken && stays)) continue;
      deps.goOn();
      // Read again where it is still there: a bank may use its name, size and time again.
      if (await take(file)) await away(file);
    }
  }
  if (failures.length > 0) throw failures[0];
  if (stays) throw stays;
  return files.length;
}

/** @returns whether it is staged */
async function takeFile(deps: TakeFilesDeps, folder: string, file: ListedFile): Promise<boolean> {
  const verdict = await fetchAndStage(deps, folder, file);
  // It is still being written: the next round takes it.
  if (verdict === null) return false;
  const { db, connection, metrics, log } = deps;
  const name = file.name.replaceAll(HOSTILE, '\ufffd').slice(0, LONGEST_SHOWN_NAME);
  const tried = { ...file, name, id: newId(), connection: connection.number, ...verdict };
  await noteTried(db, tried);
  metrics.bankConnectionFile(verdict.verdict);
  // The staging has raised the alert of a file that it has refused.
  if (verdict.verdict !== 'TAKEN' && verdict.fileId === null) {
    metrics.bankAlert('FILE_REFUSED');
    log.error({ reason: verdict.reason }, 'bank connection: a file was not taken');
  }
  return verdict.verdict === 'TAKEN';
}

/** A fault of one file; any other one ends the round. */
function fileFault(error: unknown): SftpFault {
  if (error instanceof SftpFault && !error.endsRound) return error;
  throw error;
}

/** null: the file changes while it is read. */
async function fetchAndStage(
  deps: TakeFilesDeps,
  folder: string,
  file: ListedFile,
): Promise<Verdict | null> {
  const { session, connection } = deps;
  const fail = (verdict: 'REFUSED' | 'FAILED', reason: string): Verdict => ({
    ...{ verdict, reason, fileId: null },
  });
  if (file.name.search(HOSTILE) >= 0) return fail('REFUSED', 'The name has characters of a path.');
  if (file.name.length > LONGEST_NAME) return fail('REFUSED', 'The name has above 255 characters.');
  const path = inFolder(folder, file.name);
  try {
    const before = await session.find(path);
    if (!before || isOther(before, file)) return null;
    if (!before.isFile) return fail('REFUSED', 'It is a link or a folder, and no file.');
    if (file.size > LARGEST_STATEMENT_BYTES) return fail('REFUSED', 'The file is above 25 MB.');
    const bytes = await session.read(path, file.size + 1);
    const after = await session.find(path);
    if (!after || isOther(after, file) || bytes.length !== file.size) return null;
    passFailpoint('sftp-file-fetched');
    const accounts = connection.accounts.length > 0 ? connection.accounts : null;
    const outcome = await processFile(deps, bytes, accounts);
    passFailpoint('sftp-file-staged');
    const { fileId } = outcome;
    if (outcome.isRefused) return { verdict: 'REFUSED', reason: outcome.reason, fileId };
    const { withheld } = outcome;
    // It stays on the server until all of it counts, for the person who imports it.
    if (withheld.length > 0) return { verdict: 'PART', reason: withheldSentence(withheld), fileId };
    return { verdict: 'TAKEN', reason: null, fileId };
  } catch (error) {
    const { kind, message } = fileFault(error);
    return kind === 'MISSING' ? null : fail('FAILED', message);
  }
}

async function putAway(deps: TakeFilesDeps, folder: string, file: ListedFile): Promise<void> {
  const { session, connection } = deps;
  const { after } = connection;
  if (after.act === 'leave') return;
  const path = inFolder(folder, file.name);
  const found = await session.find(path);
  if (!found?.isFile || isOther(found, file)) return;
  if (!('folder' in after)) await session.remove(path);
  else await session.rename(path, inFolder(after.folder, await freeName(deps, after.folder, file)));
}

/** A bank may use a name each day: the file that was moved before keeps it. */
async function freeName({ session }: TakeFilesDeps, folder: string, { name }: ListedFile) {
  return (await session.find(inFolder(folder, name))) ? `${name}.${newId()}` : name;
}

const isOther = (
  found: Pick<ListedFile, 'size' | 'modifiedAt'>,
  { size, modifiedAt }: ListedFile,
): boolean => found.size !== size || found.modifiedAt !== modifiedAt;

const hashOf = (path: string): Buffer => createHash('sha256').update(path).digest();

/** `*` and `?` of a shell; no star begins with a dot, as in a shell. */
export function matcherOf(pattern: string): (name: string) => boolean {
  const text = RegExp.escape(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.');
  const regex = new RegExp(`^${/^[*?]/.test(pattern) ? '(?!\\.)' : ''}${text}$`, 's');
  return (name) => regex.test(name);
}
