import { Failure } from '../lib/failure.mjs';
import { ensureGivenDatabases, ensureOwnDatabases, holdsTables } from '../postgres/databases.mjs';
import { startPostgres } from '../postgres/server.mjs';
import { boundLogFiles, openLogFile } from '../state/log-files.mjs';
import { keepSecrets, secretsMissing } from '../state/secrets.mjs';

/** @typedef {import('./npm-start.mjs').Context} Context */
/** @typedef {import('./npm-start.mjs').Prepared} Prepared */
/** @typedef {import('../state/settings.mjs').Environment} Environment */
/** @typedef {Record<Environment, import('../postgres/databases.mjs').LocalDatabase>} Databases */

/**
 * Starts our own PostgreSQL, or goes to the one that DATABASE_URL names, and makes the databases.
 * @param {Context} context @param {Prepared} prepared @returns {Promise<Databases>}
 */
export function bringUpDatabases(context, prepared) {
  const { ownPostgres } = prepared;
  return ownPostgres
    ? bringUpOwn(context, prepared, ownPostgres)
    : bringUpGiven(context, prepared, givenUrl(context.settings));
}

/**
 * DATABASE_URL; a demo has databases of its own, which are demos for ever (bank-transfer §6).
 * @param {import('../state/settings.mjs').LocalSettings} settings
 */
function givenUrl({ isBankDemo }) {
  const text = process.env.DATABASE_URL ?? '';
  const url = URL.parse(text);
  if (!isBankDemo || !url) return text;
  url.pathname = `${url.pathname.length > 1 ? url.pathname : '/payment_requests'}_bank_demo`;
  return url.href;
}

/**
 * @param {Context} context @param {Prepared} prepared
 * @param {import('../postgres/prepare.mjs').OwnPostgres} ownPostgres @returns {Promise<Databases>}
 */
async function bringUpOwn({ settings, step, stop }, prepared, ownPostgres) {
  const { secrets, areNew, path } = prepared.kept;
  if (areNew && ownPostgres.holdsData) throw secretsMissing(path, ownPostgres.folder);
  if (areNew) keepSecrets(path, secrets);
  /** @type {import('../postgres/server.mjs').PostgresServer | undefined} */
  let server;
  await step('PostgreSQL', async (note) => {
    const log = openLogFile(settings.localDir, 'postgresql');
    stop.onStop(boundLogFiles([log]));
    server = await startPostgres({
      ...ownPostgres,
      port: settings.ports.postgres,
      password: secrets.postgresPassword,
      settings: [],
      log,
      signal: stop.signal,
      note,
    });
    stop.onStop(server.stop);
    server.stopping.then((failure) =>
      stop.request({ sentence: 'PostgreSQL has stopped; stopping all …', failure }),
    );
    const { account, folder } = ownPostgres;
    const under = account ? `, under user ${account.name}` : '';
    return `on port ${settings.ports.postgres}, data in ${folder}${under}`;
  });
  if (!server) throw new Failure('PostgreSQL does not come up.');
  return ensureOwnDatabases(server, secrets);
}

/**
 * @param {Context} context @param {Prepared} prepared @param {string} url
 * @returns {Promise<Databases>}
 */
async function bringUpGiven({ step }, { kept }, url) {
  /** @type {Databases | undefined} */
  let databases;
  await step('PostgreSQL', async () => {
    databases = await ensureGivenDatabases(url);
    const both = Object.values(databases);
    for (const database of kept.areNew ? both : []) {
      if (await holdsTables(database)) {
        throw secretsMissing(kept.path, `the database ${database.name}`);
      }
    }
    if (kept.areNew) keepSecrets(kept.path, kept.secrets);
    return `of DATABASE_URL, databases ${both.map(({ name }) => name).join(' and ')}`;
  });
  if (!databases) throw new Failure('The databases of DATABASE_URL cannot be made.');
  return databases;
}
