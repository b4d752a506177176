import { createHash, randomBytes } from 'node:crypto';
import { type Grant, grantText, parseGrant } from '#console/model/roles.ts';
import { sessionIdHash } from '#console/sessions/session-secret.ts';
import { endSession } from '#console/sessions/session-store.ts';
import { actorOf, startSession } from '#console/sessions/sessions.ts';
import type { DatabaseDeps } from '#database/database.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { findNamedMerchant } from '#merchants/find-named-merchant.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { insertLink, useStoredLink } from './link-store.ts';

/** Long enough to hand a link over; short enough that a forgotten one is worth nothing. */
const LINK_LIFETIME_MS = 10 * 60_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const TOKEN_LENGTH = 43;
/** The issuer of people who sign in by a link. */
const LINK_ISSUER = 'payreq';

export interface NewSignInLink {
  /** The person, for the audit log. */
  readonly name: string;
  readonly grant: Grant;
  /** The audit log's actor, who makes the link. */
  readonly actor: string;
}

/**
 * Makes a one-time link's token: 256 random bits, of which the database holds the hash.
 *
 * @throws OperatorFault for an unknown merchant
 */
export async function createSignInLink(
  { db, clock }: DatabaseDeps,
  { name, grant, actor }: NewSignInLink,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url');
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LINK_LIFETIME_MS);
  await db.transaction(async (tx) => {
    const { merchantId, role } = grant;
    if (merchantId !== null && !(await findNamedMerchant(tx, merchantId))) {
      throw new Refusal('merchant.unknown', { id: merchantId });
    }
    const tokenHash = hashOf(token);
    const text = grantText(grant);
    await insertLink(tx, {
      tokenHash,
      name,
      grantText: text,
      createdBy: actor,
      createdAt,
      expiresAt,
    });
    await recordAct(tx, { clock, actor }, 'CONSOLE_LINK_CREATED', merchantId, {
      person: name,
      role,
    });
  });
  return { token, expiresAt };
}

/**
 * Signs a person in by a link, which works once.
 *
 * @param formerSecret of the session that the browser had; it ends
 * @returns the session's secret; null: no link
 */
export async function redeemSignInLink(
  { db, clock }: DatabaseDeps,
  token: string,
  formerSecret: string | null,
): Promise<string | null> {
  if (!TOKEN.test(token)) return null;
  return db.transaction(async (tx) => {
    const now = clock.now();
    const link = await useStoredLink(tx, hashOf(token), now);
    const grant = link && parseGrant(link.grantText);
    if (!link || !grant) return null;
    const { name } = link;
    // Two people of one name at two merchants are two people.
    const subject = `${name} ${link.grantText}`;
    const person = { kind: 'LINK', issuer: LINK_ISSUER, subject, name } as const;
    const started = await startSession({ db: tx, clock }, { ...person, grants: [grant] });
    if (!started) return null;
    if (formerSecret !== null) await endSession(tx, sessionIdHash(formerSecret), now);
    const { id, secret } = started;
    await recordAct(tx, { clock, actor: actorOf(person) }, 'CONSOLE_SIGNED_IN', grant.merchantId, {
      sessionId: id,
      kind: 'LINK',
      roles: [link.grantText],
    });
    return secret;
  });
}

/** The secret of a link, or of the part of it that a person pasted. */
export function tokenOfLink(pasted: string): string {
  return pasted
    .trim()
    .slice(-TOKEN_LENGTH - 1)
    .replace(/^.*#/, '');
}

/** The address of a link. Browsers send nothing behind `#`: no log can hold the secret. */
export function linkAddress(origin: string, token: string): string {
  return `${origin}/console/sign-in/link#${token}`;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(`console link ${token}`).digest();
}
