import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoopWork } from '#lib/loop.ts';
import { tokenOf } from '#messages/mail/return-path.ts';
import { applyReport, type BounceDeps } from './apply-report.ts';
import { parseReport, readFields } from './parse-report.ts';

/** A report quotes the mail's head; some quote the whole mail (messages §5). */
export const MOST_REPORT_BYTES = 262_144;
/** Some milliseconds each. */
const FILES_AT_ONCE = 50;
/** The fields in which mail servers say to whom a mail came. */
const RECIPIENT_FIELDS = ['delivered-to', 'x-original-to', 'to'];
const LONGEST_HEAD_LINES = 1_000;

/** A merchant may look whether a link has arrived. */
const INTERVAL_MS = 5_000;

/** Reads a maildir again and again. */
export function maildirReader(deps: BounceDeps, folder: string): LoopWork {
  return {
    name: 'read-bounces',
    intervalMs: INTERVAL_MS,
    run: (signal) => readMaildir(deps, folder, signal),
  };
}

/**
 * Applies the mails of a maildir, and deletes each. Another process may read it at the same time: a
 * report changes a message once.
 *
 * @returns whether more mails are there
 */
async function readMaildir(
  deps: BounceDeps,
  folder: string,
  signal: AbortSignal,
): Promise<boolean> {
  const names = (await readdir(join(folder, 'new'))).sort();
  let waiting = 0;
  for (const name of names.slice(0, FILES_AT_ONCE)) {
    if (signal.aborted) return false;
    const isOver = await readMail(deps, join(folder, 'new', name)).catch((err) => {
      // Another process was faster.
      if (err.code !== 'ENOENT') throw err;
      return true;
    });
    if (!isOver) waiting += 1;
  }
  return names.length > FILES_AT_ONCE && waiting === 0;
}

async function readMail(deps: BounceDeps, path: string): Promise<boolean> {
  const isWhole = (await stat(path)).size <= MOST_REPORT_BYTES;
  const mail = isWhole ? await readFile(path, 'latin1') : '';
  const outcome = await applyReport(deps, recipientOf(mail, deps.domain), parseReport(mail));
  if (outcome === 'LATER') return false;
  await unlink(path);
  return true;
}

/** The token of the address to which a mail came. */
function recipientOf(mail: string, domain: string): Buffer | null {
  const { fields } = readFields(mail.split(/\r?\n/, LONGEST_HEAD_LINES));
  for (const name of RECIPIENT_FIELDS) {
    const [address = ''] = /[^\s<>,;]+@[^\s<>,;]+/.exec(fields.get(name) ?? '') ?? [];
    const token = tokenOf(address, domain);
    if (token) return token;
  }
  return null;
}
