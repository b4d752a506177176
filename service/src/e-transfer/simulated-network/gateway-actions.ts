import type { FastifyReply } from 'fastify';
import type { AddressLimit } from '#http/overload/address-limit.ts';
import { countFailedSignIn, noteGatewayStep } from './gateway-payment-store.ts';
import { newSessionSecret, sendSessionSecret, sessionIdHash } from './gateway-session.ts';
import { chooseInstitution, noteFailedSignIn, signInSession } from './gateway-session-store.ts';
import { addressOf, chosenInstitution, type GatewayVisit } from './gateway-visit.ts';
import { findInstitution, type Institution } from './institutions.ts';
import { rememberInstitution } from './last-institution.ts';
import { confirmPayment, offerAnother, type ReportDeps, refusePayment } from './report-payments.ts';
import { findTestUser } from './test-users.ts';

/** Failed sign-ins at one payment, from all browsers; then the institution refuses the payer. */
export const MOST_SIGN_INS = 5;

export interface GatewayActionDeps extends ReportDeps {
  /** Counts sign-ins that failed, over all payments. */
  readonly signIns: AddressLimit;
  readonly isCookieSecure: boolean;
}

export interface GatewayForm {
  readonly fields: URLSearchParams;
  /** The secret of the session's cookie, which the form was made for. */
  readonly secret: string;
  /** The IP address that sent the form. */
  readonly address: string;
  readonly reply: FastifyReply;
}

/**
 * Does what a form asks for.
 * @returns the payer's next address; TOO_MANY_SIGN_INS when this address may not try again yet.
 */
export type GatewayAction = (
  deps: GatewayActionDeps,
  visit: GatewayVisit,
  form: GatewayForm,
) => Promise<string | typeof TOO_MANY_SIGN_INS>;

export const TOO_MANY_SIGN_INS = Symbol('too many sign-ins');

/** The payer has chosen an institution. */
export const chooseAction: GatewayAction = async (deps, visit, { fields, secret }) => {
  const institution = findInstitution(fields.get('institution'));
  if (!institution) return `${addressOf(visit, 'choose')}?missing=1`;
  if (institution.isDownForMaintenance) {
    return `${addressOf(visit, 'choose')}?down=${institution.id}`;
  }
  return goTo(deps, visit, secret, institution);
};

/** @returns the address of the institution's sign-in. */
export async function goTo(
  { db, listener }: Pick<GatewayActionDeps, 'db' | 'listener'>,
  { payment, path }: GatewayVisit,
  secret: string,
  institution: Institution,
): Promise<string> {
  await chooseInstitution(db, sessionIdHash(secret), payment.id, institution.id);
  await noteGatewayStep(db, payment.id);
  listener.noteStep(payment.paymentRequestId, 'INSTITUTION_CHOSEN');
  return `${path}/${institution.id}/sign-in`;
}

/** The payer signs in at the institution, and gets a new session: nobody else can know its id. */
export const signInAction: GatewayAction = async (deps, visit, form) => {
  const { db, listener, signIns, isCookieSecure } = deps;
  const { payment, session, path } = visit;
  const username = readUsername(form.fields);
  const user = findTestUser(username.toLowerCase());
  const password = form.fields.get('password');
  if (!user || user.password === null || password !== user.password) {
    // Only failures are counted and refused: a payer who knows the password always gets in,
    // however many others behind the same address guess.
    if (!signIns.count(form.address)) return TOO_MANY_SIGN_INS;
    listener.noteStep(payment.paymentRequestId, 'SIGN_IN_FAILED');
    await noteFailedSignIn(db, sessionIdHash(form.secret), payment.id, username);
    const failures = await countFailedSignIn(db, payment.id);
    if (failures < MOST_SIGN_INS) return `${addressOf(visit, 'sign-in')}?failed=1`;
    const sessionId = sessionIdHash(form.secret);
    await offerAnother(deps, payment.id, 'AUTHENTICATION_FAILED', sessionId);
    return path;
  }
  const secret = newSessionSecret();
  const signedIn = { newIdHash: sessionIdHash(secret), username: user.username };
  const isSignedIn = await signInSession(db, sessionIdHash(form.secret), payment.id, signedIn);
  if (!isSignedIn) return TOO_MANY_SIGN_INS;
  await noteGatewayStep(db, payment.id);
  sendSessionSecret(form.reply, secret, { path, isSecure: isCookieSecure });
  rememberInstitution(form.reply, session?.institution, isCookieSecure);
  listener.noteStep(payment.paymentRequestId, 'SIGNED_IN');
  return path;
};

/** The sign-in field takes this many characters. */
const LONGEST_USERNAME = 64;

/** Reads a username without control characters, which the database would refuse. */
function readUsername(fields: URLSearchParams): string {
  const text = (fields.get('username') ?? '').replace(/\p{Cc}/gu, '').trim();
  return Array.from(text).slice(0, LONGEST_USERNAME).join('');
}

/** The payer confirms or declines; a second time follows what the first one led to. */
export const decideAction: GatewayAction = async (deps, visit, { fields, secret }) => {
  const { payment, session, path } = visit;
  const institution = chosenInstitution(visit);
  const user = findTestUser(session?.username);
  const decision = fields.get('decision');
  if (!institution || !user) return path;
  if (decision === 'confirm') {
    deps.listener.noteStep(payment.paymentRequestId, 'CONFIRMED');
    const decidedBy = sessionIdHash(secret);
    await confirmPayment(deps, payment, { institution, decidedBy, behaviour: user.onConfirm });
  }
  if (decision === 'decline') {
    deps.listener.noteStep(payment.paymentRequestId, 'DECLINED');
    await refusePayment(deps, payment.id, 'PAYER_DECLINED', sessionIdHash(secret));
  }
  return path;
};

/** The payer tries the same institution again, or ends the payment with the reason of its page. */
export const refusedAction: GatewayAction = async (deps, visit, { fields, secret }) => {
  const { payment, session, path } = visit;
  const institution = chosenInstitution(visit);
  if (fields.get('decision') === 'again' && institution) {
    return goTo(deps, visit, secret, institution);
  }
  const reason = session?.refusalReason;
  if (reason) await refusePayment(deps, payment.id, reason, sessionIdHash(secret));
  return path;
};
