// npm start runs this under Node.js 24: everything of contract §2, from the folder to Ready.
import { join } from 'node:path';
import { describeFailure, Failure } from '../lib/failure.mjs';
import { createProgress, secondsSince } from '../lib/progress.mjs';
import { prepareOwnPostgres } from '../postgres/prepare.mjs';
import { ensureCertificates } from '../state/certificates.mjs';
import { requireFreePorts } from '../state/ports.mjs';
import { ensureSecrets, ensureStaffKey } from '../state/secrets.mjs';
import {
  addressesOf,
  ENVIRONMENTS,
  inboxUrlOf,
  prepareBankFolders,
  prepareLocalDir,
  readLocalSettings,
  shopUrlOf,
} from '../state/settings.mjs';
import { makeConsoleLinks } from './console-links.mjs';
import { endEarlierParts, lockLocalDir } from './earlier-run.mjs';
import { credentialsPath, writeCredentials } from './merchant-credentials.mjs';
import { proveEtransfer } from './prove-etransfer.mjs';
import { endCommands } from './run-payreq.mjs';
import { bringUpMerchants } from './seed-merchants.mjs';
import { writeEnvironmentFile } from './service-environment.mjs';
import { localParts } from './services.mjs';
import { createStop, exitCodeOf, stopFromOutside } from './shutdown.mjs';
import { bringUpDatabases } from './start-databases.mjs';
import { bringUpParts } from './start-services.mjs';

/**
 * @typedef {object} Context every part of the start needs it
 * @property {import('../state/settings.mjs').LocalSettings} settings
 * @property {import('../lib/progress.mjs').Step} step
 * @property {import('./shutdown.mjs').Stop} stop
 */
/**
 * @typedef {object} Prepared the state before any process is started
 * @property {import('../state/certificates.mjs').TlsFiles} tls
 * @property {ReturnType<typeof ensureSecrets>} kept
 * @property {import('../postgres/prepare.mjs').OwnPostgres | undefined} ownPostgres
 */

const startedAt = Number(process.argv[2]) || Date.now();
const progress = createProgress();
const stop = createStop();
stopFromOutside(stop);

let isReady = false;
try {
  await bringUp();
  isReady = true;
} catch (failure) {
  stop.request({ sentence: '', failure });
}
const reason = await stop.requested;
if (reason.failure) console.error(`npm start failed: ${describeFailure(reason.failure)}`);
else progress.say(reason.sentence);
try {
  await stop.undoAll();
  if (!reason.failure) progress.say('Stopped.');
} catch (failure) {
  console.error(`npm start did not stop cleanly: ${describeFailure(failure)}`);
  process.exit(1);
}
process.exit(exitCodeOf(reason, isReady));

async function bringUp() {
  const settings = readLocalSettings(process.env);
  /** @type {import('../lib/progress.mjs').Step} */
  const step = (title, run) => {
    stop.signal.throwIfAborted();
    return progress.step(title, run);
  };
  const context = { settings, step, stop };
  const prepared = await prepare(context);
  const databases = await bringUpDatabases(context, prepared);
  stop.onStop(endCommands);
  const { tls, kept } = prepared;
  // Its demo alone loads the library of SSH, which takes 0.1 s of CPU.
  const sftpBank = settings.isSftpDemo
    ? await (await import('./sftp-bank.mjs')).bringUpSftpBank(context)
    : undefined;
  const ingredients = { settings, secrets: kept.secrets, tls, databases, sftpBank };
  for (const environment of ENVIRONMENTS) writeEnvironmentFile(ingredients, environment);
  const { credentials, keep } = await bringUpMerchants(context, ingredients);
  // At once: a start that fails from here on must not lose what is shown only once.
  const staffKey = ensureStaffKey(settings.localDir);
  writeCredentials(settings, credentials, tls, staffKey);
  keep();
  await bringUpParts(context, ingredients);
  const { merchantId } = credentials.production;
  if (settings.demoCurrency === 'CAD') await proveEtransfer(context, ingredients, merchantId);
  const links = await makeConsoleLinks(context, ingredients);
  endCommands();
  stop.signal.throwIfAborted();
  announce(settings, links, staffKey);
}

/** @param {Context} context @returns {Promise<Prepared>} */
async function prepare({ settings, step, stop }) {
  const { localDir, ports } = settings;
  /** @type {Prepared | undefined} */
  let prepared;
  await step('Local state', async (note) => {
    prepareLocalDir(localDir);
    if (settings.isBankDemo) prepareBankFolders(settings);
    stop.onStop(lockLocalDir(localDir).release);
    note('looking for what an earlier start left');
    await endEarlierParts(localDir);
    const isOwn = !process.env.DATABASE_URL;
    const ownPostgres = isOwn
      ? await prepareOwnPostgres(join(localDir, 'postgres'), note)
      : undefined;
    const wanted = localParts(settings).flatMap((part) => part.ports);
    if (isOwn) wanted.push({ port: ports.postgres, purpose: 'PostgreSQL' });
    if (settings.isSftpDemo) wanted.push({ port: ports.bankSftp, purpose: 'the SFTP bank' });
    await requireFreePorts(wanted);
    note('certificates and secrets');
    const tls = await ensureCertificates(localDir);
    prepared = { tls, kept: ensureSecrets(localDir), ownPostgres };
    return `in ${localDir}`;
  });
  if (!prepared) throw new Failure(`${localDir} cannot be prepared.`);
  return prepared;
}

/**
 * @param {import('../state/settings.mjs').LocalSettings} settings
 * @param {string[]} consoleLinks @param {string} staffKey
 */
function announce(settings, consoleLinks, staffKey) {
  const sandboxFile = join(settings.localDir, 'sandbox.env');
  const rows = [
    ['demo shop', `${shopUrlOf(settings)} (buys on production)`],
    ['its staff', `${shopUrlOf(settings)}/staff?key=${staffKey} (refunds)`],
    ['its e-mails', inboxUrlOf(settings, staffKey)],
    ['sandbox', addressesOf(settings, 'sandbox').baseUrl],
    ['production', `${addressesOf(settings, 'production').baseUrl} (no real money moves)`],
    ...consoleLinks.map((link, index) => [index === 0 ? 'consoles' : '', link]),
    ['', 'each signs you in once, within 10 minutes; another one:'],
    ['', `./payreq --env-file ${quoted(sandboxFile)} console link --role operator --person you`],
    ['credentials', credentialsPath(settings.localDir)],
    ['logs', join(settings.localDir, 'logs')],
  ];
  if (settings.isBankDemo) {
    const file = join(settings.localDir, 'production.env');
    rows.push(
      ['demo', 'production takes bank transfers; the account and the money are made up'],
      ['pay a link', `./payreq --env-file ${quoted(file)} bank demo-pay LINK`],
    );
    if (settings.isSftpDemo) {
      const url = `sftp://127.0.0.1:${settings.ports.bankSftp}`;
      rows.push(['its bank', `${url}, in ${join(settings.localDir, 'bank')}`]);
    }
  }
  for (const [name = '', value] of rows) progress.say(`  ${name.padEnd(12)} ${value}`);
  progress.say(`Ready in ${secondsSince(startedAt)}. Ctrl-C stops all of it.`);
}

/** For a shell. @param {string} path */
function quoted(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
