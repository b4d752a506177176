import { execute } from '#database/statements.ts';

/**
 * Notes the uses of passwords and API keys; another process's note of this hour stays.
 *
 * Ordered, so that two processes that note the same credentials meet no deadlock.
 */
export const saveCredentialUses = execute<[ids: readonly string[], usedAt: Date]>(
  'credential-uses-save',
  `INSERT INTO credential_uses (credential_id, used_at)
   SELECT DISTINCT id::uuid, $2::timestamptz FROM unnest($1::text[]) AS used (id) ORDER BY 1
   ON CONFLICT (credential_id) DO UPDATE SET used_at = excluded.used_at
     WHERE credential_uses.used_at < excluded.used_at - interval '59 minutes'`,
);
