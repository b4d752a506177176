import { newId } from '#lib/new-id.ts';
import { claimRound, endRound, pruneTried, renewLease } from './connection-store.ts';
import { openSession } from './open-session.ts';
import { type SendFilesDeps, sendFiles } from './send-files.ts';
import { SftpFault } from './sftp-fault.ts';
import type { Session } from './sftp-session.ts';
import { type TakeFilesDeps, takeFiles } from './take-files.ts';

/** A server that sends slowly holds up the next round, and no longer. */
const LONGEST_ROUND_MS = 600_000;
/** A sixth of the lease: five renewals may fail. */
const RENEWAL_MS = 20_000;

export interface RoundDeps extends Omit<TakeFilesDeps, 'session' | 'goOn'> {
  readonly sending: Pick<SendFilesDeps, 'secretsKey' | 'journalFolder'>;
}

/**
 * Looks at a bank's server once, if it is due and no other process does: payment files out, then
 * statements in, which may take all the time of the round. A fault of one leaves the other as it
 * is.
 *
 * @returns whether this process has looked
 */
export async function runRound(deps: RoundDeps, signal?: AbortSignal): Promise<boolean> {
  const { db, connection, metrics, log } = deps;
  const { number, everyMinutes } = connection;
  const by = newId();
  if (!(await claimRound(db, number, by, everyMinutes))) return false;
  const ending = new AbortController();
  const time = setTimeout(() => ending.abort(new SftpFault('TIME', 'list')), LONGEST_ROUND_MS);
  const renewal = setInterval(async () => {
    const isHeld = await renewLease(db, number, by).catch(() => true);
    if (!isHeld) ending.abort();
  }, RENEWAL_MS);
  const over = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  // The fault of a look that throws: the statements that note what it found have failed.
  let found: Look = { fault: new SftpFault('DATABASE', 'read'), filesThere: 0 };
  try {
    found = await lookOnce(deps, over);
  } finally {
    clearTimeout(time);
    clearInterval(renewal);
    const { fault, filesThere } = found;
    const end = { fault: fault?.kind ?? null, reason: fault?.message ?? null, filesThere };
    // A look that the stop of this process has cut is taken up at once, and not a day later.
    const untilNext = fault && signal?.aborted ? 0 : everyMinutes;
    await endRound(db, { number, by, everyMinutes: untilNext, ...end });
  }
  const { fault } = found;
  await pruneTried(db);
  metrics.bankConnectionRound(fault?.kind ?? 'GOOD');
  if (fault?.kind === 'HOST_KEY') metrics.bankAlert('HOST_KEY_CHANGED');
  if (fault) log.warn({ reason: fault.message }, 'bank connection: a round failed');
  return true;
}

interface Look {
  readonly fault: SftpFault | null;
  readonly filesThere: number;
}

async function lookOnce(deps: RoundDeps, over: AbortSignal): Promise<Look> {
  const faults: SftpFault[] = [];
  const failures: unknown[] = [];
  let filesThere = 0;
  const endOf = (): SftpFault =>
    over.reason instanceof SftpFault ? over.reason : new SftpFault('CLOSED', 'connect');
  const note = (error: unknown): undefined => {
    // The end of a round cuts the connection, which is no fault of the bank.
    if (error instanceof SftpFault) faults.push(over.aborted ? endOf() : error);
    else failures.push(error);
  };
  const goOn = () => {
    if (over.aborted) throw endOf();
  };
  const works: ((session: Session) => Promise<void>)[] = [
    (session) => sendFiles({ ...deps, ...deps.sending, session, goOn }),
    async (session) => {
      filesThere = await takeFiles({ ...deps, session, goOn });
    },
  ];
  let session: Session | undefined;
  for (const work of works) {
    if (over.aborted) break;
    session ??= await openSession(deps.connection, { signal: over }).catch(note);
    if (!session) break;
    await work(session).catch(note);
    if (!faults.at(-1)?.endsRound) continue;
    session.end();
    session = undefined;
  }
  session?.end();
  if (failures.length > 0) throw failures[0];
  return { fault: faults[0] ?? null, filesThere };
}
