import type { DatabaseDeps } from '#database/database.ts';
import { findKnownMerchant } from '#merchants/known-merchant.ts';
import {
  listApiKeys,
  listCredentials,
  type StoredApiKey,
  type StoredCredential,
} from './credential-store.ts';

/** A merchant's credentials without their secrets. */
export interface CredentialList {
  readonly merchantId: string;
  readonly credentials: readonly ReturnType<typeof toCredential>[];
  readonly apiKeys: readonly ReturnType<typeof toApiKey>[];
}

/**
 * Lists the usernames and the newest API keys of a merchant, each with its end and its last use.
 *
 * @throws OperatorFault for an unknown merchant
 */
export async function readCredentials(
  { db, clock }: DatabaseDeps,
  merchantId: string,
): Promise<CredentialList> {
  await findKnownMerchant(db, merchantId);
  const now = clock.now();
  const credentials = await listCredentials(db, merchantId, now);
  const apiKeys = await listApiKeys(db, merchantId);
  return {
    merchantId,
    credentials: credentials.map(toCredential),
    apiKeys: apiKeys.map((key) => toApiKey(key, now)),
  };
}

function toCredential({ username, scopes, createdAt, revokedAt, ...rest }: StoredCredential) {
  const passwords = rest.passwordExpiries.map((end, index) => ({
    endDateTime: end?.toISOString() ?? null,
    lastUseDateTime: rest.passwordUses[index]?.toISOString() ?? null,
  }));
  return {
    username,
    status: revokedAt === null ? ('LIVE' as const) : ('REVOKED' as const),
    scopes,
    createdDateTime: createdAt.toISOString(),
    passwords: revokedAt === null ? passwords : [],
  };
}

function toApiKey({ id, hint, createdAt, expiresAt, revokedAt, usedAt }: StoredApiKey, now: Date) {
  return {
    id,
    hint,
    status: statusOf({ expiresAt, revokedAt }, now),
    createdDateTime: createdAt.toISOString(),
    endDateTime: (revokedAt ?? expiresAt)?.toISOString() ?? null,
    lastUseDateTime: usedAt?.toISOString() ?? null,
  };
}

function statusOf(
  { expiresAt, revokedAt }: Pick<StoredApiKey, 'expiresAt' | 'revokedAt'>,
  now: Date,
): 'LIVE' | 'ENDED' | 'REVOKED' {
  if (revokedAt !== null) return 'REVOKED';
  return expiresAt !== null && expiresAt <= now ? 'ENDED' : 'LIVE';
}
