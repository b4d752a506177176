import { allRows, allValues, execute } from '#database/statements.ts';

export const listMerchantIds = allValues<string, [after: string, limit: number]>(
  'rewrap-list-merchant-ids',
  'SELECT id FROM merchants WHERE id > $1 ORDER BY id LIMIT $2',
);

/** An answer of an idempotent call; `sealed` is null where the body is not encrypted. */
export interface AnswerRow {
  readonly key: string;
  readonly sealed: string | null;
}

/** Most bodies are JSON in the clear; an encrypted body is base64, which has no brace. */
export const pageOfAnswers = allRows<AnswerRow, [merchantId: string, after: string, limit: number]>(
  'rewrap-page-answers',
  `SELECT key, CASE WHEN starts_with(body, '{') THEN NULL ELSE body END AS sealed
   FROM idempotency_answers WHERE merchant_id = $1 AND key > $2 ORDER BY key LIMIT $3`,
);

/** Replaces an answer's body, unless the answer has changed meanwhile. */
export const saveAnswerBody = execute(
  'rewrap-save-answer',
  `UPDATE idempotency_answers SET body = $4
   WHERE merchant_id = $1 AND key = $2 AND body = $3`,
  (merchantId: string, { key, sealed }: AnswerRow, renewed: string) => [
    merchantId,
    key,
    sealed,
    renewed,
  ],
);

/** How many live credentials of a merchant have a hash under another pepper. */
export interface WaitingCredentials {
  readonly merchantId: string;
  readonly passwords: number;
  readonly apiKeys: number;
}

/** The merchants whose credentials still need another pepper than the one with this id. */
export const countOtherPeppers = allRows<WaitingCredentials, [pepperId: Buffer, now: Date]>(
  'rewrap-count-other-peppers',
  `SELECT owner.id AS "merchantId", sum(owner.passwords)::int AS passwords,
          sum(owner.keys)::int AS "apiKeys"
   FROM (SELECT c.merchant_id AS id, 1 AS passwords, 0 AS keys
         FROM api_credential_passwords p JOIN api_credentials c USING (username)
         WHERE p.pepper_id <> $1 AND c.revoked_at IS NULL
           AND (p.expires_at IS NULL OR p.expires_at > $2)
         UNION ALL
         SELECT k.merchant_id, 0, 1 FROM api_keys k
         WHERE k.pepper_id <> $1 AND k.revoked_at IS NULL
           AND (k.expires_at IS NULL OR k.expires_at > $2)) AS owner
   GROUP BY owner.id ORDER BY owner.id`,
);
