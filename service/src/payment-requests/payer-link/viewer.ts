import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';

/**
 * The part of a browser in a payment (decision 0037). PAYER: this browser's payer confirmed,
 * declined or was refused. OTHER_DEVICE: it was open at the network while another browser
 * confirmed. OTHER: it has the link.
 */
export type Viewer = 'PAYER' | 'OTHER_DEVICE' | 'OTHER';

const COOKIE = 'decision';
/** A month: a payer prints the result in it, and a shared computer forgets it afterwards. */
const COOKIE_SECONDS = 30 * 24 * 3_600;
/** Longer than the reference of any network; a browser drops a cookie above 4 kB. */
const LONGEST_DECISION = 200;

/** The parameters that a network adds to the return URL (e-transfer-network.ts). */
export interface ReturnQuery {
  readonly returned?: unknown;
  readonly decision?: unknown;
  readonly elsewhere?: unknown;
}

export interface CookiePlace {
  /** The path of the payment link: other links do not get the cookie. */
  readonly path: string;
  readonly isSecure: boolean;
}

/** Keeps the decision that the network has told to this browser alone, unless another one paid. */
export function keepDecision(
  decision: unknown,
  reply: FastifyReply,
  { payment }: PaymentRequest,
  { path, isSecure }: CookiePlace,
): void {
  if (typeof decision !== 'string' || decision.length > LONGEST_DECISION) return;
  if (payment && payment.networkReference !== decision) return;
  reply.setCookie(COOKIE, decision, {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: COOKIE_SECONDS,
  });
}

/**
 * To know the network reference proves the confirmation, and shows institution and reference.
 * Before there is a payment, any decision chooses the words of a page that shows neither.
 */
export function viewerOf(
  { cookies, query }: { readonly cookies: FastifyRequest['cookies']; readonly query: ReturnQuery },
  { status, payment }: PaymentRequest,
): Viewer {
  const kept = cookies[COOKIE];
  const hasDecided = kept !== undefined && (status === 'PROCESSING' || status === 'FAILED');
  if (payment ? kept === payment.networkReference : hasDecided) return 'PAYER';
  return query.elsewhere === undefined ? 'OTHER' : 'OTHER_DEVICE';
}
