import { join } from 'node:path';
import { DEMO_ACCOUNTS } from '../state/demo-accounts.mjs';
import { readSeeded, writeSeeded } from '../state/seeded-merchants.mjs';
import { ENVIRONMENTS, shopUrlOf, shopWebhookUrlOf } from '../state/settings.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';
import { ensureMerchant, readCredentials } from './merchant-credentials.mjs';
import { payreq, payreqJson } from './run-payreq.mjs';
import { localDefaults, serviceEnvironment } from './service-environment.mjs';

/** @typedef {import('../state/settings.mjs').Environment} Environment */
/** @typedef {import('./merchant-credentials.mjs').MerchantCredentials} MerchantCredentials */

// The shop's own, so that payers' pages look as a merchant's do; a shade for light and dark.
const DEMO_LOGO = join(ROOT, 'demo-shop', 'browser', 'logo.png');
const DEMO_COLOUR = '#3d7262';

const SAID = {
  kept: 'unchanged',
  created: 'made',
  renewed: 'kept; credentials.json was lost, so it has new credentials',
};

/**
 * Migrates both databases and seeds one merchant in each (contract §2), unless an earlier start has
 * done so: each command costs about a second of a small machine, and a service migrates as well
 * when it starts.
 * @param {import('./npm-start.mjs').Context} context
 * @param {import('./service-environment.mjs').Ingredients} ingredients
 */
export async function bringUpMerchants({ settings, step, stop }, ingredients) {
  // The demo shop is the page to which the seeded merchants lead payers back (contract §4).
  const returnOrigin = shopUrlOf(settings);
  const known = readCredentials(settings.localDir);
  const seededBefore = readSeeded(settings.localDir);
  const credentials = /** @type {Record<Environment, MerchantCredentials>} */ ({});
  const seeded =
    /** @type {Record<Environment, import('../state/seeded-merchants.mjs').Seeded>} */ ({});

  const seed = async (/** @type {Environment} */ environment) => {
    const mine = known[environment];
    const { identity } = ingredients.databases[environment];
    const before = seededBefore[environment];
    // In production the demo shop is the merchant (delivery §3).
    const webhookUrl = environment === 'production' ? shopWebhookUrlOf(settings) : undefined;
    const isThere = before?.database === identity && before.merchantId === mine?.merchantId;
    const isSame = before?.webhookUrl === webhookUrl && before?.returnOrigin === returnOrigin;
    if (mine && isThere && isSame) {
      seeded[environment] = before;
      credentials[environment] = mine;
      return SAID.kept;
    }
    // The local defaults come last: a stricter URL guard in the environment must not refuse the
    // shop.
    const env = {
      ...serviceEnvironment(ingredients, environment),
      ...localDefaults(ingredients, environment),
    };
    const options = { env, signal: stop.signal };
    await payreq(['migrate'], options);
    const merchant = await ensureMerchant(mine, options);
    const { merchantId } = merchant.credentials;
    // BASE_PORT moves the shop.
    const moved = before?.returnOrigin ? ['--remove', before.returnOrigin] : [];
    const origins = ['--merchant', merchantId, ...moved, '--add', returnOrigin];
    await payreq(['merchant', 'set-return-origins', ...origins], options);
    if (environment === 'production' && settings.isBankDemo) {
      const account = DEMO_ACCOUNTS[settings.demoCurrency] ?? [];
      await payreq(['merchant', 'set-account', '--merchant', merchantId, ...account], options);
    }
    // Only once: a developer may have changed it since.
    if (environment === 'production' && merchant.outcome === 'created') {
      const look = ['--logo', DEMO_LOGO, '--accent-colour', DEMO_COLOUR];
      await payreq(['merchant', 'set-profile', '--merchant', merchantId, ...look], options);
    }
    credentials[environment] = merchant.credentials;
    const seededNow = { database: identity, merchantId, returnOrigin };
    seeded[environment] = { ...seededNow, ...(webhookUrl && { webhookUrl }) };
    if (webhookUrl === undefined) return SAID[merchant.outcome];
    const where = ['--merchant', merchantId, '--webhook-url', webhookUrl];
    // Also when the merchant was there before: BASE_PORT moves the shop's listener.
    const { outcome } = await payreqJson(['merchant', 'set-webhook-url', ...where], options);
    return outcome === 'moved'
      ? `${SAID[merchant.outcome]}, its listener moved`
      : SAID[merchant.outcome];
  };
  await step('Merchants', async () => {
    const [sandbox, production] = await Promise.all(ENVIRONMENTS.map(seed));
    return sandbox === production ? sandbox : `sandbox: ${sandbox}; production: ${production}`;
  });
  return { credentials, keep: () => writeSeeded(settings.localDir, seeded) };
}
