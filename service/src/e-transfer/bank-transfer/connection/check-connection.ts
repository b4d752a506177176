import type { BankConnection } from '#lib/bank/bank-connection.ts';
import { newId } from '#lib/new-id.ts';
import { openSession } from './open-session.ts';
import { SftpFault } from './sftp-fault.ts';
import { inFolder } from './sftp-session.ts';
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
 * Tries each step that a round needs: connect, compare the server's key, sign in, list and read the
 * statements, and write, rename and remove a file where payment files go. Stops where nothing more
 * can be tried.
 */
export async function checkConnection(connection: BankConnection): Promise<CheckedConnection> {
  const { incoming, payments, after } = connection;
  const steps: CheckedStep[] = [];
  const note = (step: string, fault: string | null) =>
    steps.push({ connection: connection.number, step, fault });
  /** @returns undefined: the step failed */
  async function attempt<Value>(step: string, work: () => Promise<Value>) {
    try {
      const value = await work();
      note(step, null);
      return { value };
    } catch (error) {
      note(step, faultOf(error).message);
      return undefined;
    }
  }
  let hostKey: string | null = null;
  const start = startSteps(connection);
  const session = await openSession(connection, { onHostKey: (shown) => (hostKey = shown) }).catch(
    (error) => {
      const fault = faultOf(error);
      const failed = startStepOf(fault, hostKey !== null);
      for (const step of start.slice(0, hostKey === null ? 0 : failed)) note(step, null);
      note(start[failed] ?? '', fault.message);
      return null;
    },
  );
  if (!session) return { hostKey, steps };
  for (const step of start) note(step, null);
  for (const { folder, pattern } of incoming) {
    const listed = await attempt(`list ${folder}`, () => session.list(folder, matcherOf(pattern)));
    const [newest] = listed?.value ?? [];
    if (!newest) continue;
    const path = inFolder(folder, newest.name);
    await attempt(`read a file in ${folder} (${pattern})`, () => session.read(path, 1));
  }
  if ('folder' in after)
    await attempt(`list ${after.folder}`, () => session.list(after.folder, NONE));
  if (payments !== null) {
    const path = inFolder(payments, `payreq-probe-${newId()}`);
    // No bank takes such names.
    const [first, second] = [`${path}.tmp`, `${path}-renamed.tmp`];
    const wrote = await attempt(`write to ${payments}`, () => session.write(first, PROBE));
    const renamed =
      wrote && (await attempt(`rename in ${payments}`, () => session.rename(first, second)));
    const left = renamed ? second : first;
    if (wrote) await attempt(`remove from ${payments}`, () => session.remove(left));
    // A part of it may be there, as on a full disk.
    else await session.remove(left).catch(faultOf);
  }
  session.end();
  return { hostKey, steps };
}

const NONE = () => false;

const startSteps = ({ host, port, user }: BankConnection): readonly string[] => [
  `connect to ${host}:${port}`,
  'compare the key of the server',
  `sign in as ${user}`,
];

/** The place of the step that failed before there was a session. */
function startStepOf({ kind, step }: SftpFault, hasShownKey: boolean): number {
  if (kind === 'HOST_KEY') return 1;
  return hasShownKey || step === 'sign in' ? 2 : 0;
}

function faultOf(error: unknown): SftpFault {
  if (error instanceof SftpFault) return error;
  throw error;
}
