import { lstat, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { passFailpoint } from '#lib/failpoints/failpoint.ts';
import { newId } from '#lib/new-id.ts';
import { StatementFault } from '../statements/statement-fault.ts';
import { canBeRead, readWholeFile, versionOf } from './read-whole-file.ts';

/** A transfer pauses for less: a file of this age is whole (bank-transfer §3). */
const STABLE_MS = 5_000;
/** Files that one run takes, so that a full folder does not hold up the loop. */
const FILES_AT_ONCE = 5;
/** Entries of the folder that are looked at in one run: no fetcher leaves more. */
const MOST_NAMES = 10_000;
/** A name of ours while a file is imported; a stop leaves it for the next run. */
const CLAIMED = /^\.payreq-[0-9a-f-]{36}$/;

export interface WatchFolderDeps {
  readonly folder: string;
  readonly clock: Clock;
  /** Imports a file to where its bytes are stored and staged, or refused. */
  readonly take: (bytes: Buffer) => Promise<void>;
  /** Takes a file that is too large out of the watch's sight. */
  readonly refuse: (path: string, reason: string) => Promise<void>;
  /** A file without the right to read it: it stays as it is, and is told once for each change. */
  readonly onUnreadable: () => void;
}

interface Sight {
  readonly version: string;
  readonly sinceMs: number;
  readonly isUnreadable: boolean;
}

/**
 * Makes the function that looks into the folder once: it takes files that are whole, and removes
 * each from the disk when it is taken. Names are never trusted and never logged.
 *
 * @returns whether more files may be taken at once
 */
export function createFolderWatch(deps: WatchFolderDeps): () => Promise<boolean> {
  const { folder, clock } = deps;
  let seen = new Map<string, Sight>();

  async function isWhole(name: string, sights: Map<string, Sight>): Promise<boolean> {
    const found = await lstat(join(folder, name), { bigint: true }).catch(() => null);
    if (!found?.isFile()) return false;
    const version = versionOf(found);
    const before = seen.get(name);
    const isKnown = before?.version === version;
    const sinceMs = isKnown ? before.sinceMs : clock.steadyMs();
    const isUnreadable = !(await canBeRead(join(folder, name)));
    if (isUnreadable && !(isKnown && before.isUnreadable)) deps.onUnreadable();
    sights.set(name, { version, sinceMs, isUnreadable });
    if (isUnreadable) return false;
    // A rename changes ctime and not mtime: a file that was renamed in is whole.
    const isRenamed = CLAIMED.test(name) || found.ctimeNs > found.mtimeNs;
    return isRenamed || clock.steadyMs() - sinceMs >= STABLE_MS;
  }

  return async () => {
    const names = (await readdir(folder)).sort().slice(0, MOST_NAMES);
    const sights = new Map<string, Sight>();
    const whole: string[] = [];
    for (const name of names) {
      if (name.startsWith('.') && !CLAIMED.test(name)) continue;
      if (await isWhole(name, sights)) whole.push(name);
    }
    seen = sights;
    const failures: unknown[] = [];
    for (const name of whole.slice(0, FILES_AT_ONCE)) {
      // A file that fails holds up no other file.
      await takeFile(deps, name).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    return whole.length > FILES_AT_ONCE;
  };
}

/** Renames the file first: a new file under its name is then another one, and is never removed. */
async function takeFile(deps: WatchFolderDeps, name: string): Promise<void> {
  const { folder } = deps;
  const path = join(folder, CLAIMED.test(name) ? name : `.payreq-${newId()}`);
  try {
    if (path !== join(folder, name)) await rename(join(folder, name), path);
    passFailpoint('bank-file-renamed');
    const { bytes, version } = await readWholeFile(path);
    await deps.take(bytes);
    passFailpoint('bank-file-imported');
    const now = await lstat(path, { bigint: true });
    // A late writer changes the file: the next run takes the file anew.
    if (versionOf(now) === version) await unlink(path);
  } catch (error) {
    if (isGone(error)) return;
    if (!(error instanceof StatementFault)) throw error;
    await deps.refuse(path, error.message).catch((failure) => {
      if (!isGone(failure)) throw failure;
    });
  }
}

/** Another process has taken the file. */
function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
