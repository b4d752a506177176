import type { Executor, Statement } from '#database/database.ts';

/** A row with encrypted columns; null where a column is empty. */
export interface EncryptedRow {
  readonly id: string;
  readonly boxes: readonly (Buffer | null)[];
}

/** A table with encrypted columns, walked in the order of its ids. */
export interface EncryptedTable {
  readonly name: string;
  /** Below every id. */
  readonly firstId: string;
  /** The secrets of a row, in the order of its boxes; with the row's id, a box's context. */
  readonly contexts: (id: string) => readonly string[];
  readonly page: Statement;
  readonly save: Statement;
}

const LISTENER_COLUMNS = [
  'listener_password_encrypted',
  'signing_secret_encrypted',
  'previous_signing_secret_encrypted',
];
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Every table with secrets that can be read back, but for the answers of idempotent calls. */
export const ENCRYPTED_TABLES: readonly EncryptedTable[] = [
  encryptedTable('signing_keys', 'key_id', 'text', ['private_key_encrypted'], (id) => [
    `signing-key:${id}`,
  ]),
  encryptedTable('merchants', 'id', 'text', LISTENER_COLUMNS, (id) => [
    `merchant:${id}:listener_password`,
    `merchant:${id}:signing_secret`,
    `merchant:${id}:signing_secret`,
  ]),
  encryptedTable('webhook_endpoints', 'id', 'uuid', LISTENER_COLUMNS, (id) => [
    `endpoint:${id}:listener_password`,
    `endpoint:${id}:signing_secret`,
    `endpoint:${id}:signing_secret`,
  ]),
  encryptedTable('bank_refunds', 'refund_id', 'uuid', ['creditor_encrypted'], (id) => [
    `bank-refund:${id}:creditor`,
  ]),
  encryptedTable('bank_payment_files', 'message_id', 'text', ['bytes_encrypted'], (id) => [
    `bank-payment-file:${id}`,
  ]),
];

// NO KEY: payment requests that name the merchant are created meanwhile.
function encryptedTable(
  name: string,
  idColumn: string,
  idType: 'text' | 'uuid',
  columns: readonly string[],
  contexts: EncryptedTable['contexts'],
): EncryptedTable {
  const assigned = columns.map((column, index) => `${column} = renewed.box${index}`);
  const parameters = columns.map((_, index) => `$${index + 2}::bytea[]`);
  const names = columns.map((_, index) => `box${index}`);
  return {
    name,
    firstId: idType === 'uuid' ? NIL_UUID : '',
    contexts,
    page: {
      name: `rewrap-page-${name}`,
      text: `SELECT ${idColumn}::text AS id, ARRAY[${columns.join(', ')}] AS boxes
             FROM ${name} WHERE ${idColumn} > $1 ORDER BY ${idColumn} LIMIT $2 FOR NO KEY UPDATE`,
    },
    save: {
      name: `rewrap-save-${name}`,
      text: `UPDATE ${name} SET ${assigned.join(', ')}
             FROM unnest($1::${idType}[], ${parameters.join(', ')})
               AS renewed (id, ${names.join(', ')})
             WHERE ${name}.${idColumn} = renewed.id`,
    },
  };
}

const LIST_MERCHANT_IDS = {
  name: 'rewrap-list-merchant-ids',
  text: 'SELECT id FROM merchants WHERE id > $1 ORDER BY id LIMIT $2',
};

// Most bodies are JSON in the clear; an encrypted body is base64, which has no brace.
const PAGE_ANSWERS = {
  name: 'rewrap-page-answers',
  text: `SELECT key, CASE WHEN starts_with(body, '{') THEN NULL ELSE body END AS sealed
         FROM idempotency_answers WHERE merchant_id = $1 AND key > $2 ORDER BY key LIMIT $3`,
};

const SAVE_ANSWER = {
  name: 'rewrap-save-answer',
  text: `UPDATE idempotency_answers SET body = $4
         WHERE merchant_id = $1 AND key = $2 AND body = $3`,
};

const COUNT_OTHER_PEPPERS = {
  name: 'rewrap-count-other-peppers',
  text: `
    SELECT owner.id AS "merchantId", sum(owner.passwords)::int AS passwords,
           sum(owner.keys)::int AS "apiKeys"
    FROM (SELECT c.merchant_id AS id, 1 AS passwords, 0 AS keys
          FROM api_credential_passwords p JOIN api_credentials c USING (username)
          WHERE p.pepper_id IS DISTINCT FROM $1 AND c.revoked_at IS NULL
            AND (p.expires_at IS NULL OR p.expires_at > $2)
          UNION ALL
          SELECT k.merchant_id, 0, 1 FROM api_keys k
          WHERE k.pepper_id IS DISTINCT FROM $1 AND k.revoked_at IS NULL
            AND (k.expires_at IS NULL OR k.expires_at > $2)) AS owner
    GROUP BY owner.id ORDER BY owner.id`,
};

/** Locks and reads a page of a table; at most `limit` rows after an id. */
export function pageOfTable(
  tx: Executor,
  { page }: EncryptedTable,
  after: string,
  limit: number,
): Promise<EncryptedRow[]> {
  return tx.query(page, [after, limit]);
}

/** Writes the boxes of rows that `pageOfTable` locked. */
export async function saveRows(
  tx: Executor,
  { save }: EncryptedTable,
  rows: readonly EncryptedRow[],
): Promise<void> {
  const columns = rows[0]?.boxes.map((_, index) => rows.map(({ boxes }) => boxes[index] ?? null));
  if (columns) await tx.query(save, [rows.map(({ id }) => id), ...columns]);
}

export async function listMerchantIds(
  db: Executor,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(LIST_MERCHANT_IDS, [after, limit]);
  return rows.map(({ id }) => id);
}

/** An answer of an idempotent call; `sealed` is null where the body is not encrypted. */
export interface AnswerRow {
  readonly key: string;
  readonly sealed: string | null;
}

export function pageOfAnswers(
  db: Executor,
  merchantId: string,
  after: string,
  limit: number,
): Promise<AnswerRow[]> {
  return db.query(PAGE_ANSWERS, [merchantId, after, limit]);
}

/** Replaces an answer's body, unless the answer has changed meanwhile. */
export async function saveAnswerBody(
  db: Executor,
  merchantId: string,
  { key, sealed }: AnswerRow,
  renewed: string,
): Promise<void> {
  await db.query(SAVE_ANSWER, [merchantId, key, sealed, renewed]);
}

/** How many live credentials of a merchant have a hash under another pepper. */
export interface WaitingCredentials {
  readonly merchantId: string;
  readonly passwords: number;
  readonly apiKeys: number;
}

/** The merchants whose credentials still need another pepper than the one with this id. */
export function countOtherPeppers(
  db: Executor,
  pepperId: Buffer,
  now: Date,
): Promise<WaitingCredentials[]> {
  return db.query(COUNT_OTHER_PEPPERS, [pepperId, now]);
}
