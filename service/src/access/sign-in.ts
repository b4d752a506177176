import type { FastifyInstance } from 'fastify';

/** The identity that a merchant's call claims, for the log line of a refused call. */
export interface SignIn {
  readonly call: 'token' | 'api';
  /** null: the username does not exist. */
  readonly username: string | null;
  /**
   * The merchant of the username or of the API key; a revoked or expired key has its merchant too.
   */
  readonly merchantId: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the token call and by `requireMerchant`; null for every other call. */
    signIn: SignIn | null;
  }
}

/** Declares the request property of the claim; once for the whole application. */
export function declareSignIn(app: FastifyInstance): void {
  app.decorateRequest('signIn', null);
}
