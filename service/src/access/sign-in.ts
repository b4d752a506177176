import type { FastifyInstance } from 'fastify';

/** Who a merchant's call claims to be, for the log of a refused one. Only what exists is named. */
export interface SignIn {
  readonly call: 'token' | 'api';
  /** A username of ours; null where there is none such. */
  readonly username: string | null;
  /** Of the username or of the API key, also where the key is revoked or past its end. */
  readonly merchantId: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the token call and by `requireMerchant`; null for every other call. */
    signIn: SignIn | null;
  }
}

/** Gives every request the place of its claim; once for the whole application. */
export function declareSignIn(app: FastifyInstance): void {
  app.decorateRequest('signIn', null);
}
