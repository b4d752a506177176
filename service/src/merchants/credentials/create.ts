import { recordAct } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { newUsername } from '#merchants/new-secret.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { isScope, SCOPES } from '#merchants/scopes.ts';
import {
  insertCredential,
  listApiKeys,
  listCredentials,
  MOST_CREDENTIALS,
} from './credential-store.ts';
import { issueApiKey } from './issue-api-key.ts';
import { type CredentialDeps, issuePassword } from './issue-password.ts';

export interface CreatedCredentials {
  readonly merchantId: string;
  readonly username: string;
  readonly password: string;
  readonly scopes: readonly string[];
  /** A new API key for a merchant without a live key; else `null`, and the existing keys stay. */
  readonly apiKey: string | null;
}

/**
 * Creates another username with a password and the given scopes: for a narrower credential, or
 * after a revocation (contract §10).
 *
 * @param seenCount the number of usernames that the person saw; a repeated form is refused
 * @throws OperatorFault for an unknown merchant or scope, or a merchant with too many usernames
 */
export function createCredentials(
  deps: CredentialDeps,
  merchantId: string,
  scopes: readonly string[],
  seenCount?: number,
): Promise<CreatedCredentials> {
  const { db, clock } = deps;
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined || scopes.length === 0) {
    throw new Refusal('credentials.scopes', { names: SCOPES.join(', ') });
  }
  return db.transaction(async (tx) => {
    const now = clock.now();
    await lockKnownMerchant(tx, merchantId);
    const existing = await listCredentials(tx, merchantId, now);
    if (seenCount !== undefined && existing.length !== seenCount) {
      throw new Refusal('credentials.created');
    }
    const live = existing.filter((credential) => credential.revokedAt === null);
    if (live.length >= MOST_CREDENTIALS) {
      throw new Refusal('credentials.most', { count: live.length });
    }
    const username = newUsername(deps);
    await insertCredential(tx, { username, merchantId, scopes }, now);
    const password = await issuePassword(tx, deps, username);
    const hasKey = (await listApiKeys(tx, merchantId)).some(
      (key) => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now),
    );
    const apiKey = hasKey ? null : await issueApiKey(tx, deps, merchantId);
    await recordAct(tx, deps, 'CREDENTIALS_CREATED', merchantId, {
      username,
      scopes,
      apiKey: apiKey !== null,
    });
    return { merchantId, username, password, scopes, apiKey };
  });
}
