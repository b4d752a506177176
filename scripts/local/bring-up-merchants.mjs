import { ensureMerchant, readCredentials } from './merchant-credentials.mjs';
import { payreq } from './payreq-command.mjs';
import { readSeeded, writeSeeded } from './seeded-merchants.mjs';
import { serviceEnvironment } from './service-environment.mjs';
import { ENVIRONMENTS } from './settings.mjs';

/** @typedef {import('./settings.mjs').Environment} Environment */
/** @typedef {import('./merchant-credentials.mjs').MerchantCredentials} MerchantCredentials */

const SAID = {
  kept: 'unchanged',
  created: 'made',
  renewed: 'kept; credentials.json was lost, so it has new credentials',
};

/**
 * Migrates both databases and seeds one merchant in each (contract §2), unless an earlier start has
 * done so: each command costs about a second of a small machine, and a service migrates as well
 * when it starts.
 * @param {import('./run.mjs').Context} context
 * @param {import('./service-environment.mjs').Ingredients} ingredients
 */
export async function bringUpMerchants({ settings, step, stop }, ingredients) {
  const known = readCredentials(settings.localDir);
  const seededBefore = readSeeded(settings.localDir);
  const credentials = /** @type {Record<Environment, MerchantCredentials>} */ ({});
  const seeded = /** @type {Record<Environment, import('./seeded-merchants.mjs').Seeded>} */ ({});

  const seed = async (/** @type {Environment} */ environment) => {
    const mine = known[environment];
    const { identity } = ingredients.databases[environment];
    const before = seededBefore[environment];
    const isThere = before?.database === identity && before.merchantId === mine?.merchantId;
    if (mine && isThere) {
      seeded[environment] = before;
      credentials[environment] = mine;
      return SAID.kept;
    }
    const options = { env: serviceEnvironment(ingredients, environment), signal: stop.signal };
    await payreq(['migrate'], options);
    const merchant = await ensureMerchant(mine, options);
    credentials[environment] = merchant.credentials;
    seeded[environment] = { database: identity, merchantId: merchant.credentials.merchantId };
    return SAID[merchant.outcome];
  };
  await step('Merchants', async () => {
    const [sandbox, production] = await Promise.all(ENVIRONMENTS.map(seed));
    return sandbox === production ? sandbox : `sandbox: ${sandbox}; production: ${production}`;
  });
  return { credentials, keep: () => writeSeeded(settings.localDir, seeded) };
}
