import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { isDecisionProof } from '#payment-requests/network/decision-proof.ts';

/**
 * The part of a browser in a payment (decision 0037). PAYER: this browser's payer confirmed,
 * declined or was refused. OTHER_DEVICE: it was open at the network while another browser
 * confirmed. OTHER: it has the link. UNKNOWN: the payer paid outside of any browser, or the network
 * knows none. SENDER: the network knows none, and this browser's payer said that the money is sent.
 */
export type Viewer = 'PAYER' | 'OTHER_DEVICE' | 'OTHER' | 'UNKNOWN' | 'SENDER';

const DECISION = 'decision';
const PROOF = 'proof';
/** A month: a payer prints the result in it, and a shared computer forgets it afterwards. */
const COOKIE_SECONDS = 30 * 24 * 3_600;
/** Longer than the reference of any network; a browser drops a cookie above 4 kB. */
const LONGEST_DECISION = 200;

/** The parameters that a network adds to the return URL (e-transfer-network.ts). */
export interface ReturnQuery {
  readonly returned?: unknown;
  readonly decision?: unknown;
  readonly proof?: unknown;
  readonly elsewhere?: unknown;
}

export interface CookiePlace {
  /** The path of the payment link: other links do not get the cookie. */
  readonly path: string;
  readonly isSecure: boolean;
}

/** Keeps the decision that the network has told to this browser alone, unless another one paid. */
export function keepDecision(
  { decision, proof }: ReturnQuery,
  reply: FastifyReply,
  { id, payment }: PaymentRequest,
  { path, isSecure, secretsKey }: CookiePlace & { readonly secretsKey: RotatingKey },
): void {
  if (typeof decision !== 'string' || decision.length > LONGEST_DECISION) return;
  if (payment && payment.networkReference !== decision) return;
  const options = {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: COOKIE_SECONDS,
  } as const;
  reply.setCookie(DECISION, decision, options);
  if (typeof proof === 'string' && isDecisionProof(secretsKey, id, proof)) {
    reply.setCookie(PROOF, proof, options);
  }
}

/**
 * To know the network reference proves the confirmation, and shows institution and reference. The
 * proof shows why a payment failed: a payer's account is no matter of others who have the link.
 * While the payment is in progress, any decision chooses the words of a page that shows neither.
 */
export function viewerOf(
  { cookies, query }: { readonly cookies: FastifyRequest['cookies']; readonly query: ReturnQuery },
  { id, status, payment }: PaymentRequest,
  secretsKey: RotatingKey,
): Viewer {
  const { [DECISION]: decision, [PROOF]: proof } = cookies;
  const hasDecided =
    status === 'FAILED'
      ? proof !== undefined && isDecisionProof(secretsKey, id, proof)
      : status === 'PROCESSING' && decision !== undefined;
  if (payment ? decision === payment.networkReference : hasDecided) return 'PAYER';
  return query.elsewhere === undefined ? 'OTHER' : 'OTHER_DEVICE';
}
