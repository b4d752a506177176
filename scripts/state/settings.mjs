import { accessSync, constants, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure, fileFailure } from '../lib/failure.mjs';
import { CLONE_STATE } from '../toolchain/toolchain.mjs';
import { DEMO_CURRENCIES } from './demo-accounts.mjs';

/** @typedef {'sandbox' | 'production'} Environment */

/** @type {readonly Environment[]} */
export const ENVIRONMENTS = ['sandbox', 'production'];

const DEFAULT_BASE_PORT = 4000;
// The ports of the parts, counted from BASE_PORT (contract §2).
const OFFSETS = {
  shop: 0,
  shopWebhooks: 2,
  shopMail: 6,
  sandbox: 10,
  production: 20,
  bankSftp: 22,
  postgres: 30,
};
const HIGHEST_PORT = 65_535;

/**
 * @typedef {object} LocalSettings
 * @property {string} localDir an absolute path
 * @property {typeof OFFSETS} ports the same members, as ports
 * @property {boolean} isBankDemo production runs on bank transfer, with made accounts
 * @property {boolean} isSftpDemo the demo's bank is an SFTP server, and no folder
 * @property {string} demoCurrency that of the demo
 */

// A folder of its own, so that no database of another start becomes a demo (bank-transfer §6).
const BANK_DEMO_FOLDER = 'bank-demo';
const YES = ['1', 'yes'];
const NO = ['', '0', 'no'];

/**
 * Reads BASE_PORT, LOCAL_DIR (contract §2) and BANK_DEMO (bank-transfer §6).
 * @param {NodeJS.ProcessEnv} env @returns {LocalSettings}
 */
export function readLocalSettings(env) {
  const text = env.BASE_PORT || String(DEFAULT_BASE_PORT);
  const basePort = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  const highest = HIGHEST_PORT - OFFSETS.postgres;
  if (basePort < 1 || basePort > highest) {
    throw new Failure(`BASE_PORT must be a whole number from 1 to ${highest}, not "${text}".`);
  }
  const ports = { ...OFFSETS };
  for (const name of /** @type {(keyof typeof OFFSETS)[]} */ (Object.keys(OFFSETS))) {
    ports[name] = basePort + OFFSETS[name];
  }
  const demo = env.BANK_DEMO ?? '';
  const isSftpDemo = demo === 'sftp';
  const isBankDemo = isSftpDemo || YES.includes(demo);
  if (!isBankDemo && !NO.includes(demo)) {
    throw new Failure(`BANK_DEMO must be 1, sftp or empty, not "${demo}".`);
  }
  const stateDir = env.LOCAL_DIR ? resolve(env.LOCAL_DIR) : CLONE_STATE;
  const demoCurrency = env.CURRENCY || 'EUR';
  if (isBankDemo && !DEMO_CURRENCIES.includes(demoCurrency)) {
    const known = DEMO_CURRENCIES.join(', ');
    throw new Failure(`CURRENCY of a demo must be one of ${known}, not "${demoCurrency}".`);
  }
  // A database keeps its currency, and a payment file its way.
  const currency = demoCurrency === 'EUR' ? [] : [demoCurrency.toLowerCase()];
  const folder = [BANK_DEMO_FOLDER, ...(isSftpDemo ? ['sftp'] : []), ...currency].join('-');
  const localDir = isBankDemo ? join(stateDir, folder) : stateDir;
  return { localDir, ports, isBankDemo, isSftpDemo, demoCurrency };
}

/** The address of the demo shop for customers. @param {LocalSettings} settings */
export function shopUrlOf({ ports }) {
  return `http://localhost:${ports.shop}`;
}

/** The address of the demo shop's webhook listener. @param {LocalSettings} settings */
export function shopWebhookUrlOf({ ports }) {
  return `https://localhost:${ports.shopWebhooks}/webhooks`;
}

/**
 * The address of the mails that the local mail server took, for a browser and for a program.
 * @param {LocalSettings} settings @param {string} staffKey
 */
export function inboxUrlOf(settings, staffKey) {
  return `${shopUrlOf(settings)}/staff/inbox?key=${staffKey}`;
}

/** Makes LOCAL_DIR, and proves that it can be written to. @param {string} localDir */
export function prepareLocalDir(localDir) {
  try {
    mkdirSync(join(localDir, 'logs'), { recursive: true });
    accessSync(localDir, constants.W_OK | constants.X_OK);
    accessSync(join(localDir, 'logs'), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw fileFailure(error, `write to ${localDir} (LOCAL_DIR)`);
  }
}

/**
 * The addresses of one environment's service (contract §1).
 * @param {LocalSettings} settings @param {Environment} environment
 */
export function addressesOf({ ports }, environment) {
  const port = ports[environment];
  const origin = `http://localhost:${port}`;
  return {
    port,
    opsPort: port + 1,
    baseUrl: `${origin}/v1`,
    authUrl: `${origin}/oauth2/token`,
    paymentLinkBase: `${origin}/pay`,
    opsUrl: `http://localhost:${port + 1}`,
  };
}

/**
 * The folders of the bank in a demo: statements come in, files of refunds go out. An SFTP server
 * of the demo has a folder for each way; only the journal of its payment files is ours.
 * @param {LocalSettings} settings
 */
export function bankFoldersOf({ localDir, isSftpDemo }) {
  const refunds = join(localDir, 'bank-refunds');
  const statements = join(localDir, isSftpDemo ? 'bank/out' : 'bank-statements');
  return isSftpDemo
    ? { statements, refunds, taken: join(localDir, 'bank/in') }
    : { statements, refunds };
}

/** Makes them, for the owner alone: what lies there counts as money. @param {LocalSettings} of */
export function prepareBankFolders(of) {
  for (const folder of Object.values(bankFoldersOf(of))) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw fileFailure(error, `make ${folder}`);
    }
  }
}
