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
  isSubject,
  nameOfClaims,
  textsOfClaim,
} from '#console/sign-in/model/read-claims.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';
import { type BoundedFetch, createBoundedFetch } from './bounded-fetch.ts';
import { createDiscovery, loadClient } from './discovery.ts';
import { ProviderFault } from './provider-fault.ts';

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
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A person as the provider states it, after every check. */
export interface ProvenPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** The values of the roles claim. */
  readonly roleValues: readonly string[];
  /** null: the provider does not say. */
  readonly authenticatedAt: Date | null;
}

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
export async function newSignInSecrets(): Promise<SignInSecrets> {
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
  const configure = createConfigure(options);

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
      const configured = await configure(await discovered());
      const answer = new URL(redirectUri);
      answer.search = query;
      const tokens = await grant(configured, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      configured.keepKeys();
      const claims = tokens.claims();
      if (!claims || !isSubject(claims.sub)) throw invalid();
      return personOf(claims, await missingClaims(configured, tokens, claims, rolesClaim), {
        rolesClaim,
      });
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
  /** Keeps the provider's keys for the next sign-in. */
  keepKeys(): void;
}

/** Makes the configuration of one sign-in: its time limit begins now. */
function createConfigure({ issuer, clientId, clientSecret, clock }: IdentityProviderOptions) {
  let keys: Parameters<typeof import('openid-client').setJwksCache>[1] | undefined;
  return async (metadata: ServerMetadata): Promise<Configured> => {
    const client = await loadClient();
    const authentication = clientSecret === '' ? client.None() : authenticate(client, metadata);
    const aheadMs = clock.now().getTime() - systemClock.hostNow().getTime();
    const about = { [client.clockSkew]: Math.round(aheadMs / 1_000) };
    const config = new client.Configuration(metadata, clientId, about, authentication);
    if (isPlainLocalhost(issuer)) client.allowInsecureRequests(config);
    // Signatures are checked also where TLS names the sender already.
    client.enableNonRepudiationChecks(config);
    const calls = createBoundedFetch();
    config[client.customFetch] = calls.fetch;
    if (keys) client.setJwksCache(config, keys);
    const keepKeys = () => {
      keys = client.getJwksCache(config);
    };
    return { config, calls, keepKeys };
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
    throw new ProviderFault('REFUSED', 'The identity provider refused the sign-in.', error);
  }
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
): ProvenPerson {
  const { iss: issuer, sub: subject } = claims;
  return {
    issuer,
    subject,
    name: nameOfClaims({ ...further, ...claims }, subject),
    roleValues: textsOfClaim(claims, rolesClaim) ?? textsOfClaim(further, rolesClaim) ?? [],
    authenticatedAt: authenticatedAtOf(claims),
  };
}

function invalid(cause?: unknown): ProviderFault {
  const message = 'The answer of the identity provider breaks OpenID Connect.';
  return new ProviderFault('INVALID_ANSWER', message, cause);
}
