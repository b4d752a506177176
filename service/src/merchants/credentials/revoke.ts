import type { Executor } from '#database/database.ts';
import { type RunMode, runOrRehearse } from '#database/rehearse.ts';
import { type AuditedDeps, insertAuditEntry } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import {
  listApiKeys,
  listCredentials,
  revokeApiKey,
  revokeCredential,
} from './credential-store.ts';

export interface Revocation {
  readonly merchantId: string;
  /** Exactly one of these: a username, an API key's id, or all credentials of the merchant. */
  readonly what:
    | { readonly username: string }
    | { readonly apiKeyId: string }
    | { readonly all: true };
}

export interface Revoked {
  readonly merchantId: string;
  readonly usernames: readonly string[];
  readonly apiKeyIds: readonly string[];
}

/**
 * Ends credentials for good: a revoked username gets no token, and every process refuses its tokens
 * within 5 s (contract §3). This also holds for a revoked API key.
 *
 * @throws OperatorFault for an unknown merchant, or when there was nothing to revoke
 */
export function revokeCredentials(
  { db, clock, actor }: AuditedDeps,
  { merchantId, what }: Revocation,
  mode: RunMode = 'DO',
): Promise<Revoked> {
  return runOrRehearse(db, mode, async (tx) => {
    const now = clock.now();
    await lockKnownMerchant(tx, merchantId);
    const asked = await collect(tx, merchantId, what, now);
    const usernames: string[] = [];
    const apiKeyIds: string[] = [];
    for (const username of asked.usernames) {
      if (await revokeCredential(tx, merchantId, username, now)) usernames.push(username);
    }
    for (const id of asked.apiKeyIds) {
      if (await revokeApiKey(tx, merchantId, id, now)) apiKeyIds.push(id);
    }
    if (usernames.length + apiKeyIds.length === 0) {
      throw new Refusal('credentials.nothing');
    }
    const entry = { actor, merchantId, occurredAt: now };
    for (const username of usernames) {
      await insertAuditEntry(tx, {
        ...entry,
        action: 'CREDENTIALS_REVOKED',
        details: { username },
      });
    }
    for (const apiKeyId of apiKeyIds) {
      await insertAuditEntry(tx, { ...entry, action: 'API_KEY_REVOKED', details: { apiKeyId } });
    }
    return { merchantId, usernames, apiKeyIds };
  });
}

async function collect(
  tx: Executor,
  merchantId: string,
  what: Revocation['what'],
  now: Date,
): Promise<{ usernames: readonly string[]; apiKeyIds: readonly string[] }> {
  if ('username' in what) return { usernames: [what.username], apiKeyIds: [] };
  if ('apiKeyId' in what) return { usernames: [], apiKeyIds: [what.apiKeyId] };
  const credentials = await listCredentials(tx, merchantId, now);
  const apiKeys = await listApiKeys(tx, merchantId);
  return {
    usernames: credentials.map((credential) => credential.username),
    apiKeyIds: apiKeys
      .filter((key) => key.expiresAt === null || key.expiresAt > now)
      .map((key) => key.id),
  };
}
