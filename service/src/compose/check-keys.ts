import { signingKeyContext } from '#access/signing-keys/create.ts';
import { listSigningKeys, type StoredSigningKey } from '#access/signing-keys/key-store.ts';
import { ConfigFaults } from '#config.ts';
import type { Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { isUnderCurrentKey } from '#lib/secrets/secret-box.ts';
import { isPepperOfCredentials } from '#merchants/credentials/check-store.ts';
import { isKeyOfSecrets, keepSecretsCheck } from '#merchants/secrets-check-store.ts';

export interface Keys {
  readonly secretsKey: RotatingKey;
  readonly credentialsPepper: RotatingKey;
}

const WRONG_PEPPER =
  'CREDENTIALS_PEPPER is not the pepper of this database: its passwords and API keys are hashed ' +
  'with another one, and nobody could sign in. During a rotation CREDENTIALS_PEPPER_PREVIOUS ' +
  'holds the other one, until payreq secrets rewrap says that it may go.';
const WRONG_KEY =
  'SECRETS_KEY is not the key of this database: what it encrypts cannot be read with this ' +
  'SECRETS_KEY. During a rotation SECRETS_KEY_PREVIOUS holds the other one, until payreq secrets ' +
  'rewrap says that it may go.';

/**
 * Compares the keys of the configuration with those that the database was written with.
 *
 * @throws ConfigFaults with a sentence for each wrong key
 */
export async function checkKeys(db: Executor, keys: Keys): Promise<void> {
  const faults: string[] = [];
  if ((await isPepperOfCredentials(db, keys.credentialsPepper)) === false) {
    faults.push(WRONG_PEPPER);
  }
  if (!(await isSecretsKeyRight(db, keys.secretsKey))) faults.push(WRONG_KEY);
  if (faults.length > 0) throw new ConfigFaults(faults);
}

async function isSecretsKeyRight(db: Executor, key: RotatingKey): Promise<boolean> {
  const isKnown = await isKeyOfSecrets(db, key);
  if (isKnown !== null) return isKnown;
  const [newest] = await listSigningKeys(db);
  const candidates = key.previous === null ? [key.current] : [key.current, key.previous];
  const inForce = newest
    ? candidates.find((each) => opensKey({ current: each, previous: null }, newest))
    : key.current;
  if (inForce === undefined) return false;
  await keepSecretsCheck(db, inForce);
  return true;
}

function opensKey(key: RotatingKey, { keyId, privateKeyEncrypted }: StoredSigningKey): boolean {
  return isUnderCurrentKey(key, privateKeyEncrypted, signingKeyContext(keyId));
}
