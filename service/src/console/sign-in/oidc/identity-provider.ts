import type {
  AuthorizationCodeGrantChecks,
  Configuration,
  IDToken,
  ServerMetadata,
  TokenEndpointResponse,
  TokenEndpointResponseHelpers,
} from 'openid-client';
import {
  authenticatedAtOf,
  type Claims,
  emailOfClaims,
  isSubject,
  nameOfClaims,
  textsOfClaim,
} from '#console/sign-in/model/read-claims.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';
import { type BoundedFetch, createBoundedFetch } from './bounded-fetch.ts';
import { createDiscovery, loadClient } from './discovery.ts';
import { ProviderFault } from './provider-fault.ts';

/** The provider's clock may differ from ours by this. */
export const CLOCK_TOLERANCE_MS = 30_000;
/** A key that changed under its id is read again at most once in this time. */
const KEYS_PAUSE_MS = 30_000;
/** Codes of RFC 6749 and OpenID Connect look so; another text is not for the log. */
const REFUSAL_CODE = /^[a-z_]{1,40}$/;
/** Sessions of the console end after 8 h: a person's sign-in at the provider is no older. */
const OLDEST_SIGN_IN_SECONDS = 8 * 3_600;

export interface IdentityProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** `openid` and further scopes, with spaces between them. */
  readonly scopes: string;
  /** The claim with the person's groups or roles. */
  readonly rolesClaim: string;
  /** The console's address for the provider's answer. */
  readonly redirectUri: string;
  readonly clock: Clock;
}

/** Secrets of one sign-in, which the browser brings back (RFC 6749, RFC 7636). */
export type SignInSecrets = Awaited<ReturnType<typeof newSignInSecrets>>;

/** A person as the provider states it, after every check. */
export type ProvenPerson = ReturnType<typeof personOf>;

export interface IdentityProvider {
  /**
   * The address at the provider that the browser opens.
   * @param isFresh the provider must ask the person for a password or a key
   * @throws ProviderFault
   */
  begin(secrets: SignInSecrets, isFresh: boolean): Promise<string>;
  /**
   * Checks the answer that the browser brought.
   * @param query the query of the answer's address
   * @throws ProviderFault
   */
  finish(query: string, secrets: SignInSecrets): Promise<ProvenPerson>;
  /** The provider's own sign-out; null: it has none, or cannot be asked. */
  signOutUrl(returnUri: string): Promise<string | null>;
}

/** New secrets of a sign-in, 256 random bits each. */
export async function newSignInSecrets() {
  const client = await loadClient();
  return {
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
  };
}

/** The operator's identity provider, by OpenID Connect with PKCE. */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { scopes, redirectUri, rolesClaim } = options;
  const discovered = createDiscovery(options);
  const { configure, keepKeys, forgetKeys } = createConfigure(options);

  /** The provider may have replaced a key under the same `kid`: the answer is checked once more. */
  async function grantByNewKeys(answer: URL, checks: AuthorizationCodeGrantChecks) {
    const metadata = await discovered();
    const first = await configure(metadata);
    try {
      return { configured: first, tokens: await grant(first, answer, checks) };
    } catch (error) {
      if (!isBadSignature(error) || !forgetKeys(first)) throw error;
      const configured = await configure(metadata, first);
      return { configured, tokens: await grant(configured, answer, checks) };
    }
  }

  return {
    async begin({ state, nonce, codeVerifier }, isFresh) {
      const client = await loadClient();
      const { config } = await configure(await discovered());
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        // Without max_age a provider may leave auth_time out.
        ...(isFresh ? { prompt: 'login', max_age: '0' } : { max_age: `${OLDEST_SIGN_IN_SECONDS}` }),
      });
      return url.href;
    },
    async finish(query, { state, nonce, codeVerifier }) {
      const answer = new URL(redirectUri);
      answer.search = query;
      const { configured, tokens } = await grantByNewKeys(answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      await keepKeys(configured);
      const claims = tokens.claims();
      if (!claims || !isSubject(claims.sub)) throw invalid();
      const further = await missingClaims(configured, tokens, claims, rolesClaim);
      const person = personOf(claims, further, { rolesClaim });
      const latestMs = options.clock.now().getTime() + CLOCK_TOLERANCE_MS;
      if (person.authenticatedAt && person.authenticatedAt.getTime() > latestMs) {
        throw invalid(new Error('auth_time lies in the future.'));
      }
      return person;
    },
    async signOutUrl(returnUri) {
      try {
        const client = await loadClient();
        const metadata = await discovered();
        if (!metadata.end_session_endpoint) return null;
        const { config } = await configure(metadata);
        const parameters = { post_logout_redirect_uri: returnUri };
        return client.buildEndSessionUrl(config, parameters).href;
      } catch {
        return null;
      }
    },
  };
}

interface Configured {
  readonly config: Configuration;
  readonly calls: BoundedFetch;
  /** The sign-in began with keys of an earlier one. */
  readonly hasKeptKeys: boolean;
}

/** Makes the configuration of one sign-in: its time limit begins now. */
function createConfigure({ issuer, clientId, clientSecret, clock }: IdentityProviderOptions) {
  let keys: Parameters<typeof import('openid-client').setJwksCache>[1] | undefined;
  let nextForgetMs = 0;

  /** @param before the same sign-in, whose calls go on: a code is exchanged once */
  async function configure(metadata: ServerMetadata, before?: Configured): Promise<Configured> {
    const client = await loadClient();
    const authentication = clientSecret === '' ? client.None() : authenticate(client, metadata);
    const aheadMs = clock.now().getTime() - systemClock.hostNow().getTime();
    const about = { [client.clockSkew]: Math.round(aheadMs / 1_000) };
    const config = new client.Configuration(metadata, clientId, about, authentication);
    if (isPlainLocalhost(issuer)) client.allowInsecureRequests(config);
    // Signatures are checked also where TLS names the sender already.
    client.enableNonRepudiationChecks(config);
    const kept = URL.parse(metadata.token_endpoint ?? '')?.href;
    const calls = before?.calls ?? createBoundedFetch({ kept });
    config[client.customFetch] = calls.fetch;
    if (keys) client.setJwksCache(config, keys);
    return { config, calls, hasKeptKeys: keys !== undefined };
  }

  return {
    configure,
    /** Keeps the provider's keys for the next sign-in. */
    async keepKeys({ config }: Configured): Promise<void> {
      keys = (await loadClient()).getJwksCache(config);
    },
    /** @returns false: the keys are the provider's of this sign-in, or were read again just now */
    forgetKeys({ hasKeptKeys }: Configured): boolean {
      const nowMs = clock.steadyMs();
      if (!hasKeptKeys || nowMs < nextForgetMs) return false;
      nextForgetMs = nowMs + KEYS_PAUSE_MS;
      keys = undefined;
      return true;
    },
  };

  function authenticate(client: typeof import('openid-client'), metadata: ServerMetadata) {
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret);
  }
}

async function grant(
  { config, calls }: Configured,
  answer: URL,
  checks: AuthorizationCodeGrantChecks,
): Promise<TokenEndpointResponse & TokenEndpointResponseHelpers> {
  const client = await loadClient();
  try {
    return await client.authorizationCodeGrant(config, answer, checks);
  } catch (error) {
    const fault = calls.fault();
    if (fault) throw fault;
    const isRefusal =
      error instanceof client.AuthorizationResponseError ||
      error instanceof client.ResponseBodyError ||
      error instanceof client.WWWAuthenticateChallengeError;
    if (!isRefusal) throw invalid(error);
    const code = 'error' in error && REFUSAL_CODE.test(error.error) ? ` (${error.error})` : '';
    const message = `The identity provider refused the sign-in${code}.`;
    throw new ProviderFault('REFUSED', message, error);
  }
}

/** The library has one code for all bad answers, and its own sentence for this one. */
function isBadSignature(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message === 'JWT signature verification failed') return true;
  }
  return false;
}

/** Providers may give the claims of scopes as user information alone. */
async function missingClaims(
  { config, calls }: Configured,
  { access_token }: TokenEndpointResponse,
  claims: IDToken,
  rolesClaim: string,
): Promise<Claims> {
  const hasAll = textsOfClaim(claims, rolesClaim) !== null && claims.name !== undefined;
  if (hasAll || !config.serverMetadata().userinfo_endpoint) return {};
  const client = await loadClient();
  try {
    return await client.fetchUserInfo(config, access_token, claims.sub);
  } catch (error) {
    throw calls.fault() ?? invalid(error);
  }
}

function personOf(
  claims: IDToken,
  further: Claims,
  { rolesClaim }: { readonly rolesClaim: string },
) {
  const { iss: issuer, sub: subject } = claims;
  return {
    issuer,
    subject,
    name: nameOfClaims({ ...further, ...claims }, subject),
    /** An address that the provider has verified; null: it says none. */
    email: emailOfClaims({ ...further, ...claims }),
    /** The values of the roles claim. */
    roleValues: textsOfClaim(claims, rolesClaim) ?? textsOfClaim(further, rolesClaim) ?? [],
    /** null: the provider does not say. */
    authenticatedAt: authenticatedAtOf(claims),
  };
}

function invalid(cause?: unknown): ProviderFault {
  const message = 'The answer of the identity provider breaks OpenID Connect.';
  return new ProviderFault('INVALID_ANSWER', message, cause);
}
