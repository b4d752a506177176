import type { Executor, Statement } from '#database/database.ts';
import { execute, firstRowOrNull, hasRows } from '#database/statements.ts';
import type { RefusalReason } from '../refusal-reason.ts';

/** Half an hour from the last step: what a person who looks for a password may need. */
const LIFETIME_SECONDS = 30 * 60;
/**
 * Browsers that have chosen an institution for one payment request and not signed in yet; the
 * oldest gives way. Another 20 may be signed in, and never give way: any holder of the link can
 * start sessions, and must not end the session of a payer who is about to confirm.
 */
const MOST_OF_A_PAYMENT = 20;
/** The most rows that one statement prunes: a few milliseconds. */
const PRUNE_BATCH = 500;

const CHOOSE: Statement = {
  name: 'gateway-session-choose',
  text: `INSERT INTO gateway_sessions AS s (id_hash, payment_id, institution, expires_at)
         VALUES ($1, $2, $3, service_now() + make_interval(secs => $4))
         ON CONFLICT (id_hash) DO UPDATE SET institution = excluded.institution, username = NULL,
           attempted_username = NULL, refusal_reason = NULL, expires_at = excluded.expires_at
         WHERE s.payment_id = excluded.payment_id`,
};

const DROP_OLDEST: Statement = {
  name: 'gateway-session-drop-oldest',
  text: `DELETE FROM gateway_sessions WHERE id_hash IN (
           SELECT id_hash FROM gateway_sessions WHERE payment_id = $1 AND username IS NULL
           ORDER BY created_at DESC OFFSET $2)`,
};

const FIND_FURTHEST: Statement = {
  name: 'gateway-session-find-furthest',
  text: `SELECT bool_or(username IS NOT NULL) AS "isSignedIn" FROM gateway_sessions
         WHERE payment_id = $1 AND refusal_reason IS NULL AND expires_at > service_now()`,
};

const PRUNE: Statement = {
  name: 'gateway-session-prune',
  text: `DELETE FROM gateway_sessions WHERE id_hash IN (
           SELECT id_hash FROM gateway_sessions WHERE expires_at <= service_now() LIMIT $1)
         RETURNING 1`,
};

/** A payer who has chosen an institution. */
export interface GatewaySession {
  /** Its id. */
  readonly institution: string;
  /** The test user; null until the payer has signed in. */
  readonly username: string | null;
  /** The username of the last sign-in, if it failed. */
  readonly attemptedUsername: string | null;
  /** Why this payer was refused; null: not, or another institution was chosen since. */
  readonly refusalReason: RefusalReason | null;
}

export const findGatewaySession = firstRowOrNull<
  GatewaySession,
  [idHash: Buffer, paymentId: string]
>(
  'gateway-session-find',
  `SELECT institution, username, attempted_username AS "attemptedUsername",
     refusal_reason AS "refusalReason" FROM gateway_sessions
   WHERE id_hash = $1 AND payment_id = $2 AND expires_at > service_now()`,
);

/** How far another browser has come at a payment. */
export type StepElsewhere = 'SIGN_IN' | 'CONFIRM';

/** Finds the furthest step of all browsers; null where none has chosen an institution. */
export async function findStepElsewhere(
  db: Executor,
  paymentId: string,
): Promise<StepElsewhere | null> {
  const [row] = await db.query<{ isSignedIn: boolean | null }>(FIND_FURTHEST, [paymentId]);
  if (!row || row.isSignedIn === null) return null;
  return row.isSignedIn ? 'CONFIRM' : 'SIGN_IN';
}

/** Starts a session, or begins it anew with another institution. */
export async function chooseInstitution(
  db: Executor,
  idHash: Buffer,
  paymentId: string,
  institution: string,
): Promise<void> {
  await db.query(CHOOSE, [idHash, paymentId, institution, LIFETIME_SECONDS]);
  await db.query(DROP_OLDEST, [paymentId, MOST_OF_A_PAYMENT]);
}

/**
 * Signs a session in under a new id; the old one is worth nothing from here on.
 * @returns false where too many others of the payment are signed in, or the session has just ended.
 */
export const signInSession = hasRows(
  'gateway-session-sign-in',
  `UPDATE gateway_sessions SET id_hash = $3, username = $4,
     attempted_username = NULL, expires_at = service_now() + make_interval(secs => $5)
   WHERE id_hash = $1 AND payment_id = $2 AND expires_at > service_now()
     AND refusal_reason IS NULL
     AND (SELECT count(*) FROM gateway_sessions s
          WHERE s.payment_id = $2 AND s.username IS NOT NULL
            AND s.expires_at > service_now()) < $6
   RETURNING institution`,
  (
    idHash: Buffer,
    paymentId: string,
    { newIdHash, username }: { readonly newIdHash: Buffer; readonly username: string },
  ) => [idHash, paymentId, newIdHash, username, LIFETIME_SECONDS, MOST_OF_A_PAYMENT],
);

/** The sign-in page shows the username of a failed sign-in again, at most 64 characters. */
export const noteFailedSignIn = execute<[idHash: Buffer, paymentId: string, username: string]>(
  'gateway-session-note-failure',
  `UPDATE gateway_sessions SET attempted_username = nullif($3, '')
   WHERE id_hash = $1 AND payment_id = $2`,
);

/** @returns whether more may be over. */
export async function pruneGatewaySessions(db: Executor): Promise<boolean> {
  return (await db.query(PRUNE, [PRUNE_BATCH])).length === PRUNE_BATCH;
}
