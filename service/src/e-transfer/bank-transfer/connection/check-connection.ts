import type { BankConnection } from '#lib/bank/bank-connection.ts';
import { newId } from '#lib/new-id.ts';
import { openSession } from './open-session.ts';
import { SftpFault } from './sftp-fault.ts';
import { inFolder, type Session } from './sftp-session.ts';
import { matcherOf } from './take-files.ts';

/** A step that was tried on the bank's server. */
export interface CheckedStep {
  readonly connection: number;
  readonly step: string;
  /** null: it works. Else the fault, and who can correct it. */
  readonly fault: string | null;
}

export interface CheckedConnection {
  /** The fingerprint that the server showed; null: it cannot be reached. */
  readonly hostKey: string | null;
  readonly steps: readonly CheckedStep[];
}

const PROBE = Buffer.from('This file of payreq bank connection check can be removed.\n');

/**
 * Tries each step that a round needs: sign in, list and read the statements, write and remove a
 * file where payment files go. Stops where nothing more can be tried.
 */
export async function checkConnection(connection: BankConnection): Promise<CheckedConnection> {
  const { number, host, port, user, incoming, payments } = connection;
  const steps: CheckedStep[] = [];
  let hostKey: string | null = null;
  async function attempt<Value>(step: string, work: () => Promise<Value>): Promise<Value | null> {
    try {
      const value = await work();
      steps.push({ connection: number, step, fault: null });
      return value;
    } catch (error) {
      if (!(error instanceof SftpFault)) throw error;
      steps.push({ connection: number, step, fault: error.message });
      return null;
    }
  }
  const session = await attempt(`sign in to ${host}:${port} as ${user}`, () =>
    openSession(connection, { onHostKey: (shown) => (hostKey = shown) }),
  );
  if (session) {
    for (const { folder, pattern } of incoming) {
      const names = await attempt(`list ${folder}`, () => session.list(folder, matcherOf(pattern)));
      const newest = names?.[0];
      if (newest) {
        const path = inFolder(folder, newest.name);
        await attempt(`read a file in ${folder} (${pattern})`, () => session.read(path, 1));
      }
    }
    if (payments !== null) await attempt(`write to ${payments}`, () => probe(session, payments));
    session.end();
  }
  return { hostKey, steps };
}

async function probe(session: Session, folder: string): Promise<void> {
  const path = inFolder(folder, `payreq-probe-${newId()}.tmp`);
  await session.write(path, PROBE);
  await session.remove(path);
}
