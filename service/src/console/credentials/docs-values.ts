import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleFile, Visit } from '#console/shell/visit.ts';
import { readCredentials } from '#merchants/credentials/list.ts';
import { listNamedMerchants } from '#merchants/find-named-merchant.ts';

/**
 * The person's merchants, and the values of one that code of the documentation shows: none is a
 * secret. A person who may not read the credentials gets neither username nor API key.
 */
export async function docsValues(deps: ConsoleDeps, visit: Visit): Promise<ConsoleFile> {
  const ids = visit.viewer.grants.flatMap(({ merchantId }) => merchantId ?? []);
  const merchants = await listNamedMerchants(deps.db, [...new Set(ids)]);
  const asked = visit.query.get('merchant');
  const merchant = merchants.find(({ id }) => id === asked) ?? merchants[0];
  const values = merchant
    ? { ...merchant, ...(await credentialsOf(deps, visit, merchant.id)) }
    : null;
  const content = JSON.stringify({ merchants, values });
  return { fileName: 'docs-values.json', type: 'application/json', content, isInline: true };
}

async function credentialsOf(deps: ConsoleDeps, visit: Visit, merchantId: string) {
  if (!visit.can('credentials.read', merchantId)) return { username: null, apiKey: null };
  const { credentials, apiKeys } = await readCredentials(deps, merchantId);
  const key = apiKeys.find(({ status }) => status === 'LIVE');
  return {
    username: credentials.find(({ status }) => status === 'LIVE')?.username ?? null,
    apiKey: key ? `${key.hint}…` : null,
  };
}
