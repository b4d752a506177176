import { hash } from 'node:crypto';
import { createSigningKeys, type SigningKeys } from '#access/signing-keys/signing-keys.ts';
import { type AccessToken, createTokenVerifier } from '#access/token/verify.ts';
import type { DatabaseDeps } from '#database/database.ts';
import type { Environment } from '#lib/environment.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import {
  type CredentialUses,
  createCredentialUses,
} from '#merchants/credentials/credential-uses.ts';
import { hashesOf } from '#merchants/credentials/secret-hash.ts';
import { looksLikeApiKey } from '#merchants/new-secret.ts';
import type { DatabaseMetrics } from '#telemetry/metrics/database-metrics.ts';
import { findApiKey, isCredentialLive, type KnownApiKey, renewApiKeyHash } from './access-store.ts';
import { type FindClient, findClientTogether } from './client-loader.ts';
import { createExpiringCache } from './expiring-cache.ts';
import { ACCESS_STATE_LIFETIME_MS } from './lifetimes.ts';
import { isHashCurrent, renewHash } from './renew-hash.ts';

/**
 * An entry takes about 1 KB, so the cache takes at most 10 MB. A further merchant costs only a
 * statement.
 */
const MOST_REMEMBERED = 10_000;

export interface AccessDeps extends DatabaseDeps {
  readonly environment: Environment;
  /** `CELL` */
  readonly cell: number;
  /** {auth_url}, the issuer of the tokens. */
  readonly publicAuthUrl: string;
  /** {base_url}, the audience of the tokens. */
  readonly publicApiUrl: string;
  /** `CREDENTIALS_PEPPER`, and the pepper that it replaces. */
  readonly credentialsPepper: RotatingKey;
  /** `SECRETS_KEY`, and the key that it replaces. */
  readonly secretsKey: RotatingKey;
  readonly metrics: DatabaseMetrics;
}

/**
 * The cached credentials, merchants and keys of a process. Each answer is at most 2 s old: a call
 * of an active merchant costs no statement, and a revocation still takes effect within 5 s.
 */
export interface Access extends AccessDeps {
  readonly signingKeys: SigningKeys;
  /** Notes when passwords and API keys were last used. */
  readonly uses: CredentialUses;
  /** The data of a username for the token call; read for each call. */
  readonly findClient: FindClient;
  /** The merchant of an API key, and whether the key is live; `undefined` for an unknown key. */
  findMerchantOfApiKey(
    apiKey: string,
  ): Promise<{ readonly known: KnownApiKey; readonly isLive: boolean } | undefined>;
  /** Whether a username is not revoked. */
  isCredentialLive(username: string): Promise<boolean>;
  /** Throws Problem ACCESS_TOKEN_INVALID or ACCESS_TOKEN_EXPIRED. */
  verifyAccessToken(token: string): Promise<AccessToken>;
  /**
   * The results of the three checks above when the caches alone say that all is well; null: a
   * statement is needed, or a credential is refused. Nearly every call is recalled, and
   * waits for none of the checks' promises.
   */
  recall(apiKey: string, token: string): Recalled | null;
}

/** A live API key, and a valid token whose username is not revoked. */
export interface Recalled {
  readonly known: KnownApiKey;
  readonly token: AccessToken;
}

/** Composes the shared parts of the token call and of a process's access checks. */
export function createAccess(deps: AccessDeps): Access {
  const { db, clock, credentialsPepper } = deps;
  const remember = { clock, lifetimeMs: ACCESS_STATE_LIFETIME_MS, mostEntries: MOST_REMEMBERED };
  const signingKeys = createSigningKeys(deps);
  const uses = createCredentialUses(deps);
  const apiKeys = createExpiringCache({
    ...remember,
    // A plain digest costs a tenth of the keyed hash, and keeps the key itself out of the cache.
    nameOf: (apiKey) => hash('sha256', apiKey, 'base64'),
    load: async (apiKey) => {
      const known = await findApiKey(db, hashesOf(credentialsPepper, apiKey));
      if (known && !isHashCurrent(credentialsPepper, known.hash)) {
        const { secretHash } = known.hash;
        await renewHash(credentialsPepper, apiKey, (renewed) =>
          renewApiKeyHash(db, secretHash, renewed),
        );
      }
      return known;
    },
  });
  const credentials = createExpiringCache({
    ...remember,
    load: (username) => isCredentialLive(db, username),
  });
  const tokens = createTokenVerifier({ ...deps, signingKeys });
  const isLiveKey = ({ expiresAt, revokedAt }: KnownApiKey) =>
    revokedAt === null && (expiresAt === null || expiresAt > clock.now());

  return {
    ...deps,
    signingKeys,
    uses,
    findClient: findClientTogether(deps),
    async findMerchantOfApiKey(apiKey) {
      if (!looksLikeApiKey(deps, apiKey)) return undefined;
      const known = await apiKeys.get(apiKey);
      if (!known) return undefined;
      const isLive = isLiveKey(known);
      if (isLive) uses.note(known.keyId);
      return { known, isLive };
    },
    isCredentialLive: (username) => credentials.get(username),
    verifyAccessToken: tokens.verify,
    recall(apiKey, text) {
      const known = apiKeys.peek(apiKey)?.value;
      if (!known || !isLiveKey(known)) return null;
      const token = tokens.recall(text);
      if (!token || credentials.peek(token.username)?.value !== true) return null;
      uses.note(known.keyId);
      return { known, token };
    },
  };
}
