import { hashOfService, readDone, writeDone } from './local-state.mjs';
import { ensureMerchant, readCredentials } from './merchant-credentials.mjs';
import { payreq } from './payreq-command.mjs';
import { serviceEnvironment } from './service-environment.mjs';
import { ENVIRONMENTS } from './settings.mjs';

/** @typedef {import('./settings.mjs').Environment} Environment */
/** @typedef {import('./merchant-credentials.mjs').MerchantCredentials} MerchantCredentials */

/**
 * Migrates both databases and seeds one merchant in each (contract §2). What an earlier start has
 * done is not done again: each command costs about a second of a small machine.
 * @param {import('./run.mjs').Context} context
 * @param {import('./service-environment.mjs').Ingredients} ingredients
 */
export async function bringUpMerchants({ settings, step, stop }, ingredients) {
  const { localDir } = settings;
  const known = readCredentials(localDir);
  const before = readDone(localDir);
  const sources = hashOfService();
  /** @param {Environment} environment */
  const isSame = (environment) =>
    before[environment]?.database === ingredients.databases[environment].identity;

  /** @param {string} title @param {(environment: Environment) => Promise<string>} run */
  const inBoth = (title, run) =>
    step(title, async () => {
      const said = await Promise.all(ENVIRONMENTS.map(run));
      const [sandbox, production] = said;
      return sandbox === production ? sandbox : `sandbox ${sandbox}, production ${production}`;
    });
  const optionsOf = (/** @type {Environment} */ environment) => ({
    env: serviceEnvironment(ingredients, environment),
    signal: stop.signal,
  });

  await inBoth('Migrations', async (environment) => {
    if (isSame(environment) && before[environment]?.sources === sources) return 'unchanged';
    await payreq(['migrate'], optionsOf(environment));
    return 'up to date';
  });

  const credentials = /** @type {Record<Environment, MerchantCredentials>} */ ({});
  const done = /** @type {Record<Environment, import('./local-state.mjs').Done>} */ ({});
  await inBoth('Merchants', async (environment) => {
    const mine = known[environment];
    const isKept =
      mine && isSame(environment) && before[environment]?.merchantId === mine.merchantId;
    const found = isKept
      ? { credentials: mine, outcome: /** @type {const} */ ('kept') }
      : await ensureMerchant(mine, optionsOf(environment));
    credentials[environment] = found.credentials;
    const { merchantId } = found.credentials;
    const database = ingredients.databases[environment].identity;
    done[environment] = { database, sources, merchantId };
    return { kept: 'unchanged', created: 'made', renewed: LOST }[found.outcome];
  });
  return { credentials, keep: () => writeDone(localDir, done) };
}

const LOST = 'kept, with new credentials since credentials.json was lost';
