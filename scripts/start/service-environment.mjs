import { join } from 'node:path';
import { writePrivateFile } from '../lib/private-file.mjs';
import { demoAccountOf } from '../state/demo-accounts.mjs';
import { addressesOf, bankFoldersOf } from '../state/settings.mjs';

/** @typedef {import('../state/settings.mjs').Environment} Environment */

/**
 * @typedef {object} Ingredients
 * @property {import('../state/settings.mjs').LocalSettings} settings
 * @property {import('../state/secrets.mjs').Secrets} secrets
 * @property {import('../state/certificates.mjs').TlsFiles} tls
 * @property {Record<Environment, import('../postgres/databases.mjs').LocalDatabase>} databases
 * @property {import('./sftp-bank.mjs').SftpBank | undefined} [sftpBank] the bank of BANK_DEMO=sftp
 */

/**
 * The settings of one service that only this runner can know (contract §1). They stand above what
 * the environment says, since they differ from one service to the other.
 * @param {Ingredients} ingredients @param {Environment} environment
 * @returns {Record<string, string>}
 */
export function ownSettings({ settings, secrets, databases, sftpBank }, environment) {
  const { port, opsPort, baseUrl, authUrl, paymentLinkBase } = addressesOf(settings, environment);
  return {
    ENVIRONMENT: environment,
    DATABASE_URL: databases[environment].url,
    HOST: '127.0.0.1',
    PORT: `${port}`,
    OPS_HOST: '127.0.0.1',
    OPS_PORT: `${opsPort}`,
    PUBLIC_API_URL: baseUrl,
    PUBLIC_AUTH_URL: authUrl,
    PAYMENT_LINK_BASE: paymentLinkBase,
    ...(environment === 'production' ? networkSettings(settings, sftpBank) : {}),
    CREDENTIALS_PEPPER: secrets[environment].credentialsPepper,
    SECRETS_KEY: secrets[environment].secretsKey,
  };
}

/**
 * The network of the production service: simulated, or bank transfer with made accounts.
 * @param {import('../state/settings.mjs').LocalSettings} settings
 * @param {import('./sftp-bank.mjs').SftpBank} [sftpBank]
 * @returns {Record<string, string>}
 */
function networkSettings(settings, sftpBank) {
  if (!settings.isBankDemo) {
    return { E_TRANSFER_NETWORK: 'simulated', ALLOW_SIMULATED_NETWORK: 'yes' };
  }
  const { statements, refunds } = bankFoldersOf(settings);
  return {
    E_TRANSFER_NETWORK: 'bank-transfer',
    BANK_DEMO: 'yes',
    CURRENCY: settings.demoCurrency,
    BANK_REFUNDS_DIR: refunds,
    ...(sftpBank ? sftpSettings(settings, sftpBank) : { BANK_FILES_DIR: statements }),
  };
}

/**
 * @param {import('../state/settings.mjs').LocalSettings} settings
 * @param {import('./sftp-bank.mjs').SftpBank} sftpBank
 */
function sftpSettings({ ports, demoCurrency }, { keyFile, hostKey }) {
  return {
    BANK_SFTP_URL: `sftp://demo@127.0.0.1:${ports.bankSftp}`,
    BANK_SFTP_KEY_FILE: keyFile,
    BANK_SFTP_HOST_KEY: hostKey,
    BANK_SFTP_ACCOUNTS: demoAccountOf(demoCurrency),
    BANK_SFTP_STATEMENTS: '/out/*.xml',
    BANK_SFTP_PAYMENTS: '/in',
    BANK_SFTP_EVERY: '1',
  };
}

/** The sender of the demo shop's mails, which reach the local mail server alone. */
const DEMO_SENDER = 'pay@demo-shop.example';

/**
 * Settings for a service on this machine; the environment may replace them (contract §2).
 * @param {Ingredients} ingredients @param {Environment} environment
 * @returns {Record<string, string>}
 */
export function localDefaults({ tls, settings }, environment) {
  return {
    WEBHOOK_CA_FILE: tls.ca,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
    WEBHOOK_ALLOW_PORTS: '*',
    // A developer waits for it after Ctrl-C. A delivery that is cut off is sent again.
    SHUTDOWN_GRACE_SECONDS: '5',
    ...(environment === 'production' && mailDefaults(settings)),
  };
}

/**
 * The local mail server, unless the environment names one.
 * @param {import('../state/settings.mjs').LocalSettings} settings
 */
function mailDefaults({ ports }) {
  if (process.env.MAIL_SMTP_URL !== undefined || process.env.MAIL_SMTP_URL_FILE) return {};
  return { MAIL_SMTP_URL: `smtp://127.0.0.1:${ports.shopMail}`, MAIL_FROM: DEMO_SENDER };
}

/**
 * The whole environment of one service or one command of its command line.
 * @param {Ingredients} ingredients @param {Environment} environment
 * @returns {NodeJS.ProcessEnv}
 */
export function serviceEnvironment(ingredients, environment) {
  // Variables of libpq (PGSSLMODE, PGOPTIONS) are not meant for our own PostgreSQL.
  const isOurs = !process.env.DATABASE_URL;
  const own = ownSettings(ingredients, environment);
  // A setting of this runner and a file for the same setting would be two values.
  const taken = new Set(Object.keys(own).map((name) => `${name}_FILE`));
  // It chooses what this runner starts; the production service alone is the demo.
  taken.add('BANK_DEMO');
  const inherited = Object.entries(process.env).filter(
    ([name]) => !(isOurs && name.startsWith('PG')) && !taken.has(name),
  );
  return {
    ...localDefaults(ingredients, environment),
    ...Object.fromEntries(inherited),
    ...own,
  };
}

/**
 * Writes LOCAL_DIR/sandbox.env or production.env, with which `payreq --env-file` works on the
 * service that runs here.
 * @param {Ingredients} ingredients @param {Environment} environment
 */
export function writeEnvironmentFile(ingredients, environment) {
  const settings = {
    ...ownSettings(ingredients, environment),
    ...localDefaults(ingredients, environment),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quote(value)}`);
  const path = join(ingredients.settings.localDir, `${environment}.env`);
  writePrivateFile(path, `${lines.join('\n')}\n`);
}

/** Readers of such files know no escapes, but three kinds of quotes. @param {string} value */
function quote(value) {
  const mark = ["'", '"', '`'].find((candidate) => !value.includes(candidate)) ?? "'";
  return `${mark}${value}${mark}`;
}
