import type { Executor } from '#database/database.ts';
import { allRows, execute, firstRow, firstRowOrNull, firstValue } from '#database/statements.ts';
import type { Merchant, MerchantStatus } from './merchant.ts';

/** The columns of every statement that returns a merchant, from `merchants as m`. */
export const MERCHANT_COLUMNS = `m.id, m.name, m.status,
  m.unique_transaction_ids AS "uniqueTransactionIds", m.webhook_origins AS "webhookOrigins",
  m.return_origins AS "returnOrigins", m.message_settings AS "messageSettings"`;

/** A page is one round trip and small in memory. */
const PAGE_SIZE = 500;

const LIST = {
  name: 'merchant-list',
  text: `SELECT ${MERCHANT_COLUMNS}, m.created_at AS "createdAt" FROM merchants m
         WHERE m.id > $1 ORDER BY m.id LIMIT ${PAGE_SIZE}`,
};

/** A listener's stored credentials: encrypted except for the name. */
export interface StoredListener {
  readonly username: string;
  readonly passwordEncrypted: Buffer;
  readonly signingSecretEncrypted: Buffer;
}

export interface FoundListener extends StoredListener {
  /** The end of the previous signing secret; null: it does not sign. */
  readonly previousSecretUntil: Date | null;
}

export interface ListedMerchant extends Merchant {
  readonly createdAt: Date;
}

/** Writes a merchant with its default listener credentials. */
export const insertMerchant = execute(
  'merchant-insert',
  `INSERT INTO merchants (id, name, unique_transaction_ids, webhook_origins, return_origins,
     listener_username, listener_password_encrypted, signing_secret_encrypted, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  (
    merchant: Omit<Merchant, 'status' | 'messageSettings'>,
    listener: StoredListener,
    createdAt: Date,
  ) => [
    merchant.id,
    merchant.name,
    merchant.uniqueTransactionIds,
    merchant.webhookOrigins,
    merchant.returnOrigins,
    listener.username,
    listener.passwordEncrypted,
    listener.signingSecretEncrypted,
    createdAt,
  ],
);

/** Writes the endpoint that onboarding registers for all of the merchant's events. */
export const insertDefaultEndpoint = execute(
  'merchant-insert-default-endpoint',
  `INSERT INTO webhook_endpoints (id, merchant_id, url, description, listener_username,
     listener_password_encrypted, signing_secret_encrypted, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
  (
    endpoint: { readonly id: string; readonly merchantId: string; readonly url: string },
    listener: StoredListener,
    createdAt: Date,
  ) => [
    endpoint.id,
    endpoint.merchantId,
    endpoint.url,
    'Registered at onboarding',
    listener.username,
    listener.passwordEncrypted,
    listener.signingSecretEncrypted,
    createdAt,
  ],
);

export const findMerchant = firstRow<Merchant, [id: string]>(
  'merchant-find',
  `SELECT ${MERCHANT_COLUMNS} FROM merchants m WHERE m.id = $1`,
);

/** The id and name of each merchant that exists, by name. */
export const findMerchantNames = allRows<
  { readonly id: string; readonly name: string },
  [ids: readonly string[]]
>('merchant-find-names', 'SELECT id, name FROM merchants WHERE id = ANY ($1) ORDER BY name, id');

/** The id and name of a merchant, and the time zone of its profile; null: there is none. */
export const findMerchantZone = firstRowOrNull<
  Pick<Merchant, 'id' | 'name'> & { readonly timeZone: string | null },
  [id: string]
>(
  'merchant-find-zone',
  `SELECT m.id, m.name, p.time_zone AS "timeZone"
   FROM merchants m LEFT JOIN merchant_profiles p ON p.merchant_id = m.id WHERE m.id = $1`,
);

/** Finds a merchant and locks its row, so that two changes of its access wait for each other. */
export const lockMerchant = firstRow<Merchant, [id: string]>(
  'merchant-lock',
  `SELECT ${MERCHANT_COLUMNS} FROM merchants m WHERE m.id = $1 FOR NO KEY UPDATE`,
);

/** All merchants in the order of their ids, fetched page by page. */
export async function* listMerchants(db: Executor): AsyncGenerator<ListedMerchant> {
  let page: ListedMerchant[];
  let after = '';
  do {
    page = await db.query<ListedMerchant>(LIST, [after]);
    yield* page;
    after = page.at(-1)?.id ?? after;
  } while (page.length === PAGE_SIZE);
}

export const findListener = firstRow<FoundListener, [merchantId: string]>(
  'merchant-find-listener',
  `SELECT listener_username AS username, listener_password_encrypted AS "passwordEncrypted",
     signing_secret_encrypted AS "signingSecretEncrypted",
     CASE WHEN previous_signing_secret_until > service_now()
          THEN previous_signing_secret_until END AS "previousSecretUntil"
   FROM merchants WHERE id = $1`,
);

/**
 * Gives the default listener a new signing secret; the previous secret also signs for the given
 * hours.
 *
 * @returns the end of the previous secret, by the database's clock; null after its end
 */
export const rotateListener = firstValue<
  Date | null,
  [
    merchantId: string,
    listener: Omit<StoredListener, 'username'> & { readonly overlapHours: number },
  ]
>(
  'merchant-rotate-listener',
  `UPDATE merchants SET listener_password_encrypted = $2, signing_secret_encrypted = $3,
     previous_signing_secret_encrypted =
       CASE WHEN $4::float8 > 0 THEN signing_secret_encrypted END,
     previous_signing_secret_until =
       CASE WHEN $4 > 0 THEN service_now() + make_interval(secs => $4 * 3600) END
   WHERE id = $1 RETURNING previous_signing_secret_until AS "endsAt"`,
  null,
  (merchantId, { passwordEncrypted, signingSecretEncrypted, overlapHours }) => [
    merchantId,
    passwordEncrypted,
    signingSecretEncrypted,
    overlapHours,
  ],
);

/** Adds an origin for the webhook URLs of payment requests, unless it is registered. */
export const allowWebhookOrigin = execute<[id: string, origin: string]>(
  'merchant-allow-webhook-origin',
  `UPDATE merchants SET webhook_origins = webhook_origins || $2::text
   WHERE id = $1 AND NOT $2 = ANY (webhook_origins)`,
);

/** Replaces the origins of a locked merchant's webhook URLs and endpoints. */
export const setWebhookOrigins = execute<[id: string, origins: readonly string[]]>(
  'merchant-set-webhook-origins',
  'UPDATE merchants SET webhook_origins = $2 WHERE id = $1',
);

/** Replaces the origins of a locked merchant's return URLs. */
export const setReturnOrigins = execute<[id: string, origins: readonly string[]]>(
  'merchant-set-return-origins',
  'UPDATE merchants SET return_origins = $2 WHERE id = $1',
);

/** Sets the status; the instant of a suspension ends earlier tokens (contract §3). */
export const setMerchantStatus = execute<[id: string, status: MerchantStatus, at: Date]>(
  'merchant-set-status',
  `UPDATE merchants SET status = $2,
     suspended_at = CASE WHEN $2 = 'SUSPENDED' THEN $3 ELSE suspended_at END
   WHERE id = $1`,
);
