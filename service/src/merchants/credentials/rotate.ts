import type { Executor } from '#database/database.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { endApiKeys, endPasswords, listApiKeys, listCredentials } from './credential-store.ts';
import { issueApiKey } from './issue-api-key.ts';
import { type CredentialDeps, issuePassword } from './issue-password.ts';

/** An overlap longer than a month is not a rotation. */
export const LONGEST_OVERLAP_HOURS = 720;
const HOUR_MS = 3_600_000;

export interface Rotation {
  readonly merchantId: string;
  /** Optional for a merchant with exactly one username. */
  readonly username?: string;
  /** The time for which the current password and API key keep working; 0 ends them now. */
  readonly overlapHours: number;
  /** The newest API key that the person saw; another one means a rotation meanwhile. */
  readonly seenApiKeyId?: string | null;
}

export interface RotatedCredentials {
  readonly merchantId: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
}

/**
 * Creates a new password for a username and a new API key for its merchant. The current ones live
 * for the overlap, older ones end now: at most two of each are live (contract §3). Tokens of an
 * older password stay valid.
 *
 * @throws OperatorFault for an unknown merchant or username, an overlap out of bounds, or where
 *   the newest API key is not the one that the person saw
 */
export function rotateCredentials(
  deps: CredentialDeps,
  { merchantId, username: wanted, overlapHours, seenApiKeyId }: Rotation,
): Promise<RotatedCredentials> {
  if (!(overlapHours >= 0 && overlapHours <= LONGEST_OVERLAP_HOURS)) {
    throw new Refusal('credentials.overlap', { most: LONGEST_OVERLAP_HOURS });
  }
  return deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const endsAt = new Date(now.getTime() + overlapHours * HOUR_MS);
    await lockKnownMerchant(tx, merchantId);
    const username = await chooseUsername(tx, merchantId, wanted, now);
    if (seenApiKeyId !== undefined) await refuseOutdated(tx, merchantId, seenApiKeyId);
    await endPasswords(tx, username, now, endsAt);
    await endApiKeys(tx, merchantId, now, endsAt);
    const password = await issuePassword(tx, deps, username);
    const apiKey = await issueApiKey(tx, deps, merchantId);
    await recordAct(tx, deps, 'CREDENTIALS_ROTATED', merchantId, {
      username,
      previousEndAt: endsAt,
    });
    return { merchantId, username, password, apiKey };
  });
}

/** A form that is sent twice would end the key in use: at most two keys live. */
async function refuseOutdated(tx: Executor, merchantId: string, seen: string | null) {
  const [newest] = await listApiKeys(tx, merchantId);
  if ((newest?.id ?? null) === seen) return;
  throw new Refusal('credentials.rotated');
}

async function chooseUsername(
  tx: Executor,
  merchantId: string,
  wanted: string | undefined,
  now: Date,
): Promise<string> {
  const live = (await listCredentials(tx, merchantId, now))
    .filter((credential) => credential.revokedAt === null)
    .map((credential) => credential.username);
  const [only] = live;
  if (only === undefined) {
    throw new Refusal('credentials.revoked');
  }
  if (wanted === undefined) {
    if (live.length === 1) return only;
    throw new Refusal('credentials.which', { names: live.join(', ') });
  }
  if (live.includes(wanted)) return wanted;
  throw new Refusal('credentials.username', { name: wanted });
}
