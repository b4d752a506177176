import { join } from 'node:path';
import { addressesOf } from '../state/settings.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';
import { CLI } from './run-payreq.mjs';
import { serviceEnvironment } from './service-environment.mjs';

/** @typedef {import('./service-environment.mjs').Ingredients} Ingredients */
/** @typedef {import('../state/settings.mjs').Environment} Environment */
/**
 * A process that `npm start` runs beside PostgreSQL.
 * @typedef {object} LocalPart
 * @property {string} name also of its log file
 * @property {string} title as in "the sandbox service"
 * @property {import('../state/ports.mjs').WantedPort[]} ports
 * @property {string} script @property {string[]} args
 * @property {(ingredients: Ingredients) => NodeJS.ProcessEnv} environment
 * @property {string} readyUrl answers 200 as soon as the part is ready
 */

/**
 * Everything that `npm start` runs, in the order of starting.
 * @param {import('../state/settings.mjs').LocalSettings} settings @returns {LocalPart[]}
 */
export function localParts(settings) {
  return [service(settings, 'sandbox'), service(settings, 'production'), shop(settings)];
}

/**
 * The demo shop: customers come to the first port, webhooks to the second, mails to the third.
 * @param {import('../state/settings.mjs').LocalSettings} settings @returns {LocalPart}
 */
function shop({ localDir, ports }) {
  const title = 'the demo shop';
  return {
    name: 'shop',
    title,
    ports: [
      { port: ports.shop, purpose: title },
      { port: ports.shopWebhooks, purpose: `the webhook listener of ${title}` },
      { port: ports.shopMail, purpose: 'the local mail server' },
    ],
    script: join(ROOT, 'demo-shop', 'src', 'main.ts'),
    args: [],
    // It reads credentials.json, and has no part in the services' settings and secrets.
    environment: (ingredients) => ({
      PATH: process.env.PATH,
      LOCAL_DIR: localDir,
      BASE_PORT: `${ports.shop}`,
      // It shows its prices in the currency of its payment requests.
      CURRENCY: serviceEnvironment(ingredients, 'production').CURRENCY,
    }),
    readyUrl: `http://127.0.0.1:${ports.shop}/`,
  };
}

/**
 * @param {import('../state/settings.mjs').LocalSettings} settings @param {Environment} environment
 * @returns {LocalPart}
 */
function service(settings, environment) {
  const { port, opsPort } = addressesOf(settings, environment);
  const title = `the ${environment} service`;
  return {
    name: environment,
    title,
    ports: [
      { port, purpose: title },
      { port: opsPort, purpose: `the operators' listener of ${title}` },
    ],
    script: CLI,
    args: ['serve'],
    environment: (ingredients) => serviceEnvironment(ingredients, environment),
    readyUrl: `http://127.0.0.1:${opsPort}/health/ready`,
  };
}
