import type { Executor } from '#database/database.ts';

const LIST_MERCHANT_SECRETS = {
  name: 'doctor-list-merchant-secrets',
  text: `SELECT id, listener_password_encrypted AS "listenerPassword",
           array_remove(ARRAY[signing_secret_encrypted, previous_signing_secret_encrypted], NULL)
             AS "signingSecrets"
         FROM merchants WHERE id > $1 ORDER BY id LIMIT $2`,
};

const LIST_ENDPOINT_SECRETS = {
  name: 'doctor-list-endpoint-secrets',
  text: `SELECT id::text, listener_password_encrypted AS "listenerPassword",
           array_remove(ARRAY[signing_secret_encrypted, previous_signing_secret_encrypted], NULL)
             AS "signingSecrets"
         FROM webhook_endpoints WHERE id > $1 ORDER BY id LIMIT $2`,
};

/** The boxed secrets of a merchant or an endpoint. */
export interface StoredSecrets {
  readonly id: string;
  readonly listenerPassword: Buffer;
  readonly signingSecrets: readonly Buffer[];
}

/** A page of merchants' secrets in the order of their ids; `after` is '' for the first page. */
export function listMerchantSecrets(
  db: Executor,
  after: string,
  limit: number,
): Promise<StoredSecrets[]> {
  return db.query(LIST_MERCHANT_SECRETS, [after, limit]);
}

/** A page of endpoints' secrets; `after` is the nil UUID for the first page. */
export function listEndpointSecrets(
  db: Executor,
  after: string,
  limit: number,
): Promise<StoredSecrets[]> {
  return db.query(LIST_ENDPOINT_SECRETS, [after, limit]);
}
