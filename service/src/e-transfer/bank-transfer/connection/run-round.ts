import { newId } from '#lib/new-id.ts';
import { claimRound, endRound, pruneTried, renewLease } from './connection-store.ts';
import { openSession } from './open-session.ts';
import { type SendFilesDeps, sendFiles } from './send-files.ts';
import { SftpFault } from './sftp-fault.ts';
import type { Session } from './sftp-session.ts';
import { type TakeFilesDeps, takeFiles } from './take-files.ts';

/** A server that sends slowly holds up the next round, and no longer. */
const LONGEST_ROUND_MS = 600_000;
/** Statements that come slowly leave the rest of the round to payment files: seconds are enough. */
const LONGEST_TAKING_MS = 480_000;
/** A short fault of the network is over, and no bank takes four sign-ins an hour for an attack. */
const MINUTES_AFTER_FAULT = 15;
/** A sixth of the lease: five renewals may fail. */
const RENEWAL_MS = 20_000;

export interface RoundDeps extends Omit<TakeFilesDeps, 'session' | 'goOn'> {
  readonly sending: Pick<SendFilesDeps, 'secretsKey' | 'journalFolder'>;
}

/**
 * Looks at a bank's server once, if it is due and no other process does: statements in, then
 * payment files out, since a statement may say that a refund must not leave any more. A fault of
 * one leaves the other as it is.
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
    if (!isHeld) ending.abort(new SftpFault('LEASE_LOST', 'list'));
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
    // A look that failed is tried again soon, and one that the stop of this process has cut at
    // once, also by a connection that looks once a day.
    const soon = signal?.aborted ? 0 : Math.min(everyMinutes, MINUTES_AFTER_FAULT);
    const untilNext = fault ? soon : everyMinutes;
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

/** A look does two such works; `end` cuts the connection of one, with the fault as its reason. */
interface Work {
  readonly end: AbortSignal;
  readonly run: (base: Pick<TakeFilesDeps, 'session' | 'goOn'>) => Promise<void>;
}

async function lookOnce(deps: RoundDeps, over: AbortSignal): Promise<Look> {
  const faults: SftpFault[] = [];
  const failures: unknown[] = [];
  let filesThere = 0;
  const taking = new AbortController();
  const late = setTimeout(() => taking.abort(new SftpFault('TIME', 'list')), LONGEST_TAKING_MS);
  const works: readonly Work[] = [
    {
      end: AbortSignal.any([over, taking.signal]),
      async run(base) {
        filesThere = await takeFiles({ ...deps, ...base }).finally(() => clearTimeout(late));
      },
    },
    { end: over, run: (base) => sendFiles({ ...deps, ...deps.sending, ...base }) },
  ];
  let session: Session | undefined;
  for (const { end, run } of works) {
    const endOf = (): SftpFault =>
      end.reason instanceof SftpFault ? end.reason : new SftpFault('CLOSED', 'connect');
    if (over.aborted) {
      // A round that ends between its works is as little a good one as a round that ends in them.
      faults.push(endOf());
      break;
    }
    const note = (error: unknown): undefined => {
      // The end of the time cuts the connection, which is no fault of the bank.
      if (error instanceof SftpFault) faults.push(end.aborted ? endOf() : error);
      else failures.push(error);
    };
    const goOn = () => {
      if (end.aborted) throw endOf();
    };
    session ??= await openSession(deps.connection, { signal: end }).catch(note);
    if (!session) break;
    await run({ session, goOn }).catch(note);
    if (!faults.at(-1)?.endsRound) continue;
    session.end();
    session = undefined;
  }
  clearTimeout(late);
  session?.end();
  if (failures.length > 0) throw failures[0];
  return { fault: faults[0] ?? null, filesThere };
}
