import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import {
  listApiKeys,
  listCredentials,
  type StoredApiKey,
  type StoredCredential,
} from '#merchants/credentials/credential-store.ts';
import { findMerchant } from '#merchants/merchant-store.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** `payreq credentials list`: what a merchant can log in with; no secrets, only names and ends. */
export function credentialsListCommand(invocation: Invocation): Command {
  return new Command('list')
    .description('print a merchant’s usernames and API keys, without their secrets')
    .addOption(merchantOption())
    .addOption(jsonOption())
    .action(async (options: { merchant: string; json?: boolean }, command: Command) => {
      const found = await withDeployment(invocation, command, async ({ db, clock }) => {
        const { merchant: merchantId } = options;
        if (!(await findMerchant(db, merchantId))) {
          throw new OperatorFault(`There is no merchant "${merchantId}".`);
        }
        const now = clock.now();
        const credentials = await listCredentials(db, merchantId, now);
        const apiKeys = await listApiKeys(db, merchantId);
        return {
          merchantId,
          credentials: credentials.map(toCredential),
          apiKeys: apiKeys.map((key) => toApiKey(key, now)),
        };
      });
      printResult(invocation, options, found, [
        ...alignColumns([
          ['USERNAME', 'STATUS', 'LIVE PASSWORDS', 'SCOPES'],
          ...found.credentials.map(({ username, status, passwords, scopes }) => [
            username,
            status,
            String(passwords.length),
            scopes.join(' '),
          ]),
        ]),
        '',
        ...alignColumns([
          ['API KEY', 'ID', 'STATUS', 'ENDS'],
          ...found.apiKeys.map(({ id, hint, status, endDateTime }) => [
            `${hint}…`,
            id,
            status,
            endDateTime ?? 'never',
          ]),
        ]),
      ]);
    });
}

function toCredential({ username, scopes, createdAt, revokedAt, ...rest }: StoredCredential) {
  return {
    username,
    status: revokedAt === null ? 'LIVE' : 'REVOKED',
    scopes,
    createdDateTime: createdAt.toISOString(),
    passwords:
      revokedAt === null
        ? rest.passwordExpiries.map((end) => ({ endDateTime: end?.toISOString() ?? null }))
        : [],
  };
}

function toApiKey({ id, hint, createdAt, expiresAt, revokedAt }: StoredApiKey, now: Date) {
  const isOver = expiresAt !== null && expiresAt <= now;
  return {
    id,
    hint,
    status: revokedAt !== null ? 'REVOKED' : isOver ? 'ENDED' : 'LIVE',
    createdDateTime: createdAt.toISOString(),
    endDateTime: (revokedAt ?? expiresAt)?.toISOString() ?? null,
  };
}
