import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import { createExpiringCache } from '#access/expiring-cache.ts';
import { ACCESS_STATE_LIFETIME_MS } from '#access/lifetimes.ts';
import type { DatabaseDeps } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret } from '#lib/secrets/secret-box.ts';
import { signingKeyContext } from './create.ts';
import { listSigningKeys, type StoredSigningKey } from './key-store.ts';
import { ensureSigningKey } from './rotate.ts';
import { nextStateChangeMs, type SigningKeyState, signingKeyStates } from './states.ts';

/** The keys that make and check access tokens, at most 2 s old. */
export type SigningKeys = ReturnType<typeof createSigningKeys>;

export type Signer = ReturnType<typeof signerOf>;

export interface SigningKeysDeps extends DatabaseDeps {
  readonly secretsKey: RotatingKey;
}

/** A process has one key set: the cache has one entry, under this name. */
const KEY_SET = 'key-set';

/** Reads the key set through a cache of 2 s; see `SigningKeys`. */
export function createSigningKeys({ db, clock, secretsKey }: SigningKeysDeps) {
  const sets = createExpiringCache({
    clock,
    lifetimeMs: ACCESS_STATE_LIFETIME_MS,
    mostEntries: 1,
    load: async () => (await listSigningKeys(db)).map((key) => openLazily(key, secretsKey)),
  });
  const statesOf = rememberStates(clock);
  let lastRefetchMs = Number.NEGATIVE_INFINITY;

  async function keysInStates() {
    // A known key set costs no turn of the event loop.
    return statesOf(sets.peek(KEY_SET)?.value ?? (await sets.get(KEY_SET)));
  }

  async function findKey(keyId: string) {
    return (await keysInStates()).find(({ key }) => key.keyId === keyId);
  }

  return {
    /** The key that signs now; creates the first key of the deployment if there is none. */
    async signer() {
      let signing = (await keysInStates()).find(({ state }) => state === 'SIGNING');
      if (!signing) {
        await ensureSigningKey({ db, clock, secretsKey, actor: 'service' });
        sets.drop(KEY_SET);
        signing = (await keysInStates()).find(({ state }) => state === 'SIGNING');
      }
      if (!signing) throw new Error('There is no signing key though one was just ensured.');
      return signerOf(signing.key);
    },
    /** The key that `signer` would give at once; null: the key set has to be read. */
    knownSigner() {
      const keys = sets.peek(KEY_SET)?.value;
      const signing = keys && statesOf(keys).find(({ state }) => state === 'SIGNING');
      return signing ? signerOf(signing.key) : null;
    },
    /** The public key of a `kid`; `undefined` for a foreign, retired or removed key. */
    async verifier(keyId: string) {
      let found = await findKey(keyId);
      // The key may be newer than the cache. Any stranger can name unknown keys, so the key set is
      // read again at most once a lifetime.
      if (!found && clock.steadyMs() - lastRefetchMs >= ACCESS_STATE_LIFETIME_MS) {
        lastRefetchMs = clock.steadyMs();
        sets.drop(KEY_SET);
        found = await findKey(keyId);
      }
      return found && verifies(found.state) ? found.key.publicKey() : undefined;
    },
    /** Whether `verifier` would find the key at once; false also for a key set to be read again. */
    isKnownVerifier(keyId: string) {
      const keys = sets.peek(KEY_SET)?.value;
      if (!keys) return false;
      return statesOf(keys).some(({ key, state }) => key.keyId === keyId && verifies(state));
    },
    /** The public keys of tokens that are signed now or in a moment (RFC 7517). */
    async published() {
      return (await keysInStates())
        .filter(({ state }) => verifies(state))
        .map(({ key }) => publicMembers(key));
    },
  };
}

interface KeyInState {
  readonly key: OpenableKey;
  readonly state: SigningKeyState;
}

/** The states of a key set. Each call asks for them; they change a few times in a rotation. */
function rememberStates(clock: Clock): (keys: readonly OpenableKey[]) => readonly KeyInState[] {
  let keySet: readonly OpenableKey[] | null = null;
  let states: readonly KeyInState[] = [];
  let fromMs = 0;
  let untilMs = 0;
  return (keys) => {
    const now = clock.now();
    const nowMs = now.getTime();
    // A clock may also be set back.
    if (keys !== keySet || nowMs < fromMs || nowMs >= untilMs) {
      keySet = keys;
      states = signingKeyStates(keys, now);
      fromMs = nowMs;
      untilMs = nextStateChangeMs(keys, nowMs);
    }
    return states;
  };
}

function signerOf({ keyId, privateKey }: OpenableKey) {
  return { keyId, privateKey: privateKey() };
}

function verifies(state: SigningKeyState): boolean {
  return state !== 'RETIRED' && state !== 'REMOVED';
}

type OpenableKey = StoredSigningKey & {
  readonly publicKey: () => KeyObject;
  readonly privateKey: () => KeyObject;
};

/** Most keys of a set are never used within its 2 s, so each half is decoded at its first use. */
function openLazily(key: StoredSigningKey, secretsKey: RotatingKey): OpenableKey {
  let publicKey: KeyObject | undefined;
  let privateKey: KeyObject | undefined;
  return {
    ...key,
    publicKey() {
      publicKey ??= createPublicKey({ key: key.publicJwk, format: 'jwk' });
      return publicKey;
    },
    privateKey() {
      privateKey ??= openPrivateKey(key, secretsKey);
      return privateKey;
    },
  };
}

function openPrivateKey(key: StoredSigningKey, secretsKey: RotatingKey): KeyObject {
  const jwk = decryptSecret(secretsKey, key.privateKeyEncrypted, signingKeyContext(key.keyId));
  return createPrivateKey({ key: JSON.parse(jwk), format: 'jwk' });
}

function publicMembers({ keyId, publicJwk }: StoredSigningKey): JWK {
  const { kty, crv, x } = publicJwk;
  return { kty, crv, x, kid: keyId, use: 'sig', alg: 'EdDSA' } as JWK;
}
