import { join } from 'node:path';
import { readJsonFile, writePrivateFile } from '../lib/private-file.mjs';
import { addressesOf, ENVIRONMENTS, inboxUrlOf, shopUrlOf } from '../state/settings.mjs';
import { payreqJson } from './run-payreq.mjs';

/** @typedef {import('../state/settings.mjs').Environment} Environment */
/**
 * @typedef {object} MerchantCredentials
 * @property {string} merchantId
 * @property {string} username @property {string} password @property {string} apiKey
 * @property {{ username: string, password: string, signingSecret: string }} listener
 */

const SEEDED_NAME = 'Demo Shop';

/**
 * The complete entries of LOCAL_DIR/credentials.json.
 * @param {string} localDir @returns {Partial<Record<Environment, MerchantCredentials>>}
 */
export function readCredentials(localDir) {
  const found = /** @type {any} */ (readJsonFile(credentialsPath(localDir)));
  /** @type {Partial<Record<Environment, MerchantCredentials>>} */
  const credentials = {};
  for (const environment of ENVIRONMENTS) {
    const { merchantId, username, password, apiKey, listener } = found?.[environment] ?? {};
    const { username: user, password: word, signingSecret } = listener ?? {};
    const texts = [merchantId, username, password, apiKey, user, word, signingSecret];
    if (!texts.every((text) => typeof text === 'string' && text !== '')) continue;
    credentials[environment] = { merchantId, username, password, apiKey, listener };
  }
  return credentials;
}

/**
 * Writes LOCAL_DIR/credentials.json: exactly the members of contract §2.
 * @param {import('../state/settings.mjs').LocalSettings} settings
 * @param {Record<Environment, MerchantCredentials>} credentials
 * @param {import('../state/certificates.mjs').TlsFiles} tls
 * @param {string} staffKey
 */
export function writeCredentials(settings, credentials, { ca, cert, key }, staffKey) {
  const members = (/** @type {Environment} */ environment) => {
    const { port: _, opsPort: __, ...addresses } = addressesOf(settings, environment);
    return { ...addresses, ...credentials[environment] };
  };
  const content = {
    sandbox: members('sandbox'),
    production: members('production'),
    shopUrl: shopUrlOf(settings),
    inboxUrl: inboxUrlOf(settings, staffKey),
    tls: { ca, cert, key },
  };
  writePrivateFile(credentialsPath(settings.localDir), `${JSON.stringify(content, null, 2)}\n`);
}

/** @param {string} localDir */
export function credentialsPath(localDir) {
  return join(localDir, 'credentials.json');
}

/**
 * Makes the merchant of one environment; where it is there and its credentials are lost, new ones.
 * @param {MerchantCredentials | undefined} known
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<{ credentials: MerchantCredentials, outcome: 'kept' | 'created' | 'renewed' }>}
 */
export async function ensureMerchant(known, options) {
  /** @type {{ merchants: { merchantId: string, name: string }[] }} */
  const { merchants } = await payreqJson(['merchant', 'list'], options);
  if (known && merchants.some(({ merchantId }) => merchantId === known.merchantId)) {
    return { credentials: known, outcome: 'kept' };
  }
  const seeded = merchants.find(({ name }) => name === SEEDED_NAME);
  if (!seeded) {
    const created = await payreqJson(['merchant', 'create', '--name', SEEDED_NAME], options);
    return { credentials: pick(created, created.merchantId, created.listener), outcome: 'created' };
  }
  const { merchantId } = seeded;
  const of = ['--merchant', merchantId];
  const rotated = await payreqJson(['credentials', 'rotate', ...of], options);
  const listener = await payreqJson(['credentials', 'show-listener', ...of], options);
  return { credentials: pick(rotated, merchantId, listener), outcome: 'renewed' };
}

/**
 * @param {MerchantCredentials} made @param {string} merchantId
 * @param {MerchantCredentials['listener']} listener
 * @returns {MerchantCredentials}
 */
function pick({ username, password, apiKey }, merchantId, listener) {
  const { username: user, password: word, signingSecret } = listener;
  const members = { username: user, password: word, signingSecret };
  return { merchantId, username, password, apiKey, listener: members };
}
