import type { Database, Executor } from '#database/database.ts';
import { sharedKeyOf } from '#lib/bank/account-number.ts';
import type { LoopWork } from '#lib/loop.ts';
import { formatAmount } from '#lib/money.ts';
import { decryptBytes } from '#lib/secrets/secret-box.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { BankMetrics } from '#telemetry/metrics/bank-metrics.ts';
import type { PaymentFileRow } from '../../network-connection.ts';
import { lockPaymentFile } from '../connection/sent-file-store.ts';
import { type DeliverDeps, writeDown } from '../refunds-out/deliver-files.ts';
import { areRefundsHeld } from '../refunds-out/notice-restore.ts';
import { bytesContext } from '../refunds-out/send-refunds.ts';
import {
  type Claim,
  findClaim,
  listWaiting,
  markStaleClaims,
  noteClaim,
  noteSentByProgram,
} from './hand-out-store.ts';
import { ProgramRefusal } from './program-refusal.ts';

/** A claim is an hour old before it is a case: a minute more does not matter. */
const INTERVAL_MS = 60_000;

const MESSAGE_ID = /^[\w-]{1,35}$/;

const conflict = (code: string, sentence: string) => new ProgramRefusal(409, code, sentence);

/** The files that a program can claim, as the call answers them. */
export async function waitingFiles(
  { db }: Pick<DeliverDeps, 'db'>,
  accounts: readonly string[],
): Promise<readonly object[]> {
  const found = await listWaiting(db);
  return found
    .filter(({ account }) => accounts.includes(sharedKeyOf(account)))
    .map(({ id, account, refunds, totalCents, currency, createdAt, releasedAt }) => ({
      ...{ id, account, refunds, total: formatAmount(totalCents), currency },
      ...{ createdDateTime: createdAt, releasedDateTime: releasedAt },
    }));
}

/**
 * Gives the bytes of a released file to one program, and again under its claim, until a person
 * decides about the file. The journal names the file before any byte leaves.
 *
 * @throws ProgramRefusal
 */
export async function claimFile(
  deps: DeliverDeps,
  messageId: string,
  claimId: string,
  accounts: readonly string[],
): Promise<Buffer> {
  const { db, secretsKey, journalFolder } = deps;
  if (!journalFolder || (await areRefundsHeld(db, journalFolder))) {
    const sentence = 'No payment file leaves: refunds are held, see payreq restore-check.';
    throw conflict('REFUNDS_HELD', sentence);
  }
  const bytesEncrypted = await db.transaction(async (tx) => {
    const { file, claim } = await lockFile(tx, messageId, accounts);
    if (claim.claimId !== claimId) {
      refuseTaken(file, claim);
      await noteClaim(tx, messageId, claimId);
    } else if (!claim.isRepeatable) throw overOf(file);
    return claim.bytesEncrypted;
  });
  if (!bytesEncrypted) throw new Error(`payment file ${messageId} has no bytes`);
  await writeDown(deps, journalFolder, messageId);
  return decryptBytes(secretsKey, bytesEncrypted, bytesContext(messageId));
}

/**
 * Notes that the bank has the file; also later than an hour, and again.
 *
 * @throws ProgramRefusal
 */
export async function endClaim(
  { db }: Pick<DeliverDeps, 'db'>,
  messageId: string,
  claimId: string,
  accounts: readonly string[],
): Promise<void> {
  await db.transaction(async (tx) => {
    const { claim } = await lockFile(tx, messageId, accounts);
    if (claim.claimId !== claimId) throw claimedByOther();
    await noteSentByProgram(tx, messageId);
  });
}

async function lockFile(tx: Executor, messageId: string, accounts: readonly string[]) {
  // A text column takes no NUL.
  const file = MESSAGE_ID.test(messageId) ? await lockPaymentFile(tx, messageId) : null;
  const isListed = file && accounts.includes(sharedKeyOf(file.account));
  const claim = isListed && (await findClaim(tx, messageId));
  if (claim) return { file, claim };
  const sentence = 'There is no such payment file for the accounts of this token.';
  throw new ProgramRefusal(404, 'PAYMENT_FILE_NOT_FOUND', sentence);
}

/** @throws ProgramRefusal for a file that waits for a person, or that another program has */
function refuseTaken(file: PaymentFileRow, { claimId }: Claim): void {
  if (file.state === 'SENT' || file.state === 'UNCLEAR') throw overOf(file);
  if (claimId !== null) throw claimedByOther();
  if (file.state !== 'RELEASED') {
    const sentence = 'The file waits for payreq bank payment-file release.';
    throw conflict('PAYMENT_FILE_NOT_RELEASED', sentence);
  }
  if (file.refundsOver === 0) return;
  const sentence = 'Refunds of the file ended meanwhile. A person sets its way to the folder.';
  throw conflict('PAYMENT_FILE_OUTDATED', sentence);
}

const claimedByOther = () =>
  conflict('PAYMENT_FILE_CLAIMED', 'Another claimId has the file: only its program goes on.');

const overOf = ({ state }: PaymentFileRow) =>
  conflict(`PAYMENT_FILE_${state}`, `The file is ${state}, and is handed out no more.`);

/** Makes a case of each file that a program has taken and not sent for an hour. */
export function staleClaimsLoop({
  db,
  log,
  metrics,
}: {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: BankMetrics;
}): LoopWork {
  return {
    name: 'bank-stale-claims',
    intervalMs: INTERVAL_MS,
    async run() {
      for (const { messageId } of await markStaleClaims(db)) {
        metrics.bankAlert('PAYMENT_FILE_UNCLEAR');
        log.error({ messageId }, 'refunds: a program took a payment file and has not sent it');
      }
      return false;
    },
  };
}
