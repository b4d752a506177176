import type { Executor, Statement } from '#database/database.ts';
import {
  execute,
  firstRow,
  firstValue,
  hasRows,
  rowCount,
  valuesOf,
} from '#database/statements.ts';
import type { IdempotentCall } from './read-idempotent-call.ts';
import type { StoredAnswer } from './stored-answer.ts';

/** Contract §4: longer than any retry of a person or a queue. */
const KEPT = `interval '72 hours'`;

/**
 * CTEs that take the keys of many calls and store their answers, in front of the statement that
 * does the calls' work. The CTE `claimed (number)` holds the indexes into `$1` of the calls that
 * got their key. The CTEs wait for no lock: a key that another call holds stays with that call, and
 * so does a key whose answer is over its time and not pruned yet. If a key comes twice in one
 * statement, the first call gets it.
 */
export const CLAIM_KEYS = `claims AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS asked (
        number int, merchant_id text, key text, fingerprint text, status int, headers json,
        body text)
      WHERE pg_try_advisory_xact_lock(hashtextextended(merchant_id || ' ' || key, 0))),
    kept AS (
      INSERT INTO idempotency_answers (merchant_id, key, fingerprint, status, headers, body)
      SELECT merchant_id, key, decode(fingerprint, 'hex'), status, headers, body
      FROM claims ORDER BY number
      ON CONFLICT (merchant_id, key) DO NOTHING
      RETURNING merchant_id, key),
    claimed AS (
      SELECT min(number) AS number FROM claims JOIN kept USING (merchant_id, key)
      GROUP BY merchant_id, key)`;

const LOCK_MANY: Statement = {
  name: 'idempotency-lock-many',
  text: `SELECT merchant_id AS "merchantId", key
         FROM json_to_recordset($1::json) AS asked (merchant_id text, key text)
         WHERE pg_try_advisory_xact_lock(hashtextextended(merchant_id || ' ' || key, 0))`,
};

/** An answer over its time counts as taken. A join planned for a small table would scan it all. */
const FIND_TAKEN: Statement = {
  name: 'idempotency-find-taken',
  text: `SELECT merchant_id AS "merchantId", key
         FROM json_to_recordset($1::json) AS asked (merchant_id text, key text)
         WHERE (SELECT true FROM idempotency_answers a
                WHERE a.merchant_id = asked.merchant_id AND a.key = asked.key)`,
};

type Key = Pick<IdempotentCall, 'merchantId' | 'key'>;

/**
 * Takes the key until the transaction ends; returns false, without waiting, if another call has the
 * key.
 *
 * Merchant ids and keys hold no space, so that no two pairs give equal texts. Two pairs with equal
 * hashes would only get a needless "in progress", once in 2^64.
 */
export const tryLockKey = firstValue<boolean, [key: Key]>(
  'idempotency-try-lock',
  `SELECT pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0)) AS locked`,
  false,
  valuesOf('merchantId', 'key'),
);

/** The stored answer of the key, unless its time is over. */
export const findStoredAnswer = firstRow<
  StoredAnswer & { readonly fingerprint: Buffer },
  [call: Key]
>(
  'idempotency-find',
  `SELECT fingerprint, status, headers, body FROM idempotency_answers
   WHERE merchant_id = $1 AND key = $2 AND created_at > service_now() - ${KEPT}`,
  ({ merchantId, key }) => [merchantId, key],
);

/**
 * Stores an answer under its key; false if the key has an answer whose time is not over.
 *
 * An answer may be over its time and not pruned yet; its row is overwritten.
 */
export const saveAnswer = hasRows(
  'idempotency-save',
  `INSERT INTO idempotency_answers AS a
     (merchant_id, key, fingerprint, status, headers, body)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (merchant_id, key) DO UPDATE SET
     fingerprint = excluded.fingerprint, status = excluded.status,
     headers = excluded.headers, body = excluded.body, created_at = excluded.created_at
   WHERE a.created_at <= service_now() - ${KEPT}
   RETURNING key`,
  ({ merchantId, key, fingerprint }: IdempotentCall, { status, headers, body }: StoredAnswer) => [
    merchantId,
    key,
    fingerprint,
    status,
    JSON.stringify(headers),
    body,
  ],
);

export interface KeyClaim {
  /** The name of the call in the statement; unique. */
  readonly number: number;
  readonly call: IdempotentCall;
  /** Stored under the key if no other call has the key. */
  readonly answer: StoredAnswer;
}

/** The parameter `$1` of `CLAIM_KEYS`. */
export function claimsParameter(claims: readonly KeyClaim[]): string {
  return JSON.stringify(
    claims.map(({ number, call, answer }) => ({
      number,
      merchant_id: call.merchantId,
      key: call.key,
      fingerprint: call.fingerprint.toString('hex'),
      ...answer,
    })),
  );
}

/** Takes those keys until the transaction ends that no other call holds and that have no answer. */
export async function lockFreeKeys(
  tx: Executor,
  calls: readonly IdempotentCall[],
): Promise<readonly Key[]> {
  const parameter = (keys: readonly Key[]) =>
    JSON.stringify(keys.map(({ merchantId, key }) => ({ merchant_id: merchantId, key })));
  const locked = await tx.query<Key>(LOCK_MANY, [parameter(calls)]);
  // A separate statement after the locks: it sees the commits of their last holders.
  const taken = await tx.query<Key>(FIND_TAKEN, [parameter(locked)]);
  return locked.filter(
    (one) => !taken.some(({ merchantId, key }) => merchantId === one.merchantId && key === one.key),
  );
}

export type KeyedAnswer = Omit<KeyClaim, 'number'>;

/** Stores the first answers of keys that the transaction has locked. */
export const insertAnswers = execute(
  'idempotency-insert-many',
  `INSERT INTO idempotency_answers (merchant_id, key, fingerprint, status, headers, body)
   SELECT merchant_id, key, decode(fingerprint, 'hex'), status, headers, body
   FROM json_to_recordset($1::json) AS asked (
     merchant_id text, key text, fingerprint text, status int, headers json, body text)`,
  (answers: readonly KeyedAnswer[]) => [
    claimsParameter(answers.map((each, number) => ({ ...each, number }))),
  ],
);

/**
 * Deletes at most `limit` answers whose time is over, oldest first. Returns their number.
 *
 * Rows that another process prunes, or that a call renews, are skipped. The lock checks a row again
 * in its latest version.
 */
export const pruneAnswers = rowCount<[limit: number]>(
  'idempotency-prune',
  `DELETE FROM idempotency_answers WHERE (merchant_id, key) IN (
     SELECT merchant_id, key FROM idempotency_answers
     WHERE created_at <= service_now() - ${KEPT}
     ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);
