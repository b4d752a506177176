import { lstat, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/new-id.ts';
import type { Log } from '#telemetry/log/log.ts';
import { StatementFault } from '../statements/statement-fault.ts';
import { readWholeFile, versionOf } from './read-whole-file.ts';

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
  readonly log: Log;
  /** Imports a file to where its bytes are stored and staged, or refused. */
  readonly take: (bytes: Buffer) => Promise<void>;
  /** A file above 25 MB: it stays in the folder under a name of ours, and is told once. */
  readonly onTooLarge: () => void;
}

interface Sight {
  readonly version: string;
  readonly sinceMs: number;
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
  const tooLarge = new Set<string>();

  async function isWhole(name: string, sights: Map<string, Sight>): Promise<boolean> {
    const found = await lstat(join(folder, name), { bigint: true }).catch(() => null);
    if (!found?.isFile()) return false;
    const version = versionOf(found);
    if (CLAIMED.test(name)) return !tooLarge.has(version);
    const before = seen.get(name);
    const sinceMs = before?.version === version ? before.sinceMs : clock.steadyMs();
    sights.set(name, { version, sinceMs });
    // A rename changes ctime and not mtime: a file that was renamed in is whole.
    return found.ctimeNs > found.mtimeNs || clock.steadyMs() - sinceMs >= STABLE_MS;
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
    for (const name of whole.slice(0, FILES_AT_ONCE)) await takeFile(deps, name, tooLarge);
    return whole.length > FILES_AT_ONCE;
  };
}

/** Renames the file first: a new file under its name is then another one, and is never removed. */
async function takeFile(deps: WatchFolderDeps, name: string, tooLarge: Set<string>): Promise<void> {
  const { folder } = deps;
  const path = join(folder, CLAIMED.test(name) ? name : `.payreq-${newId()}`);
  try {
    if (path !== join(folder, name)) await rename(join(folder, name), path);
    const { bytes, version } = await readWholeFile(path);
    await deps.take(bytes);
    const now = await lstat(path, { bigint: true });
    // A late writer changes the file: the next run takes the file anew.
    if (versionOf(now) === version) await unlink(path);
  } catch (error) {
    if (isGone(error)) return;
    if (!(error instanceof StatementFault)) throw error;
    const found = await lstat(path, { bigint: true });
    tooLarge.add(versionOf(found));
    deps.onTooLarge();
  }
}

/** Another process has taken the file. */
function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
