#!/usr/bin/env node
// payment-requests-sandbox: a sandbox with a PostgreSQL of its own, for the tests of a shop. It
// prints one line of JSON when it is ready, and ends with the program that has started it.
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeFailure, Failure } from '../lib/failure.mjs';
import { prepareOwnPostgres } from '../postgres/prepare.mjs';
import { startPostgres } from '../postgres/server.mjs';
import { diedEarly, startPart } from '../start/service-process.mjs';
import { createStop, exitCodeOf, stopFromOutside } from '../start/shutdown.mjs';
import { openLogFile } from '../state/log-files.mjs';
import { findFreePort } from '../state/ports.mjs';
import { prepareLocalDir } from '../state/settings.mjs';
import { makeTestFolder, postgresFolderIn } from '../test/test-folder.mjs';
import { isNewEnough } from '../toolchain/toolchain.mjs';
import { passedEnvironment } from './passed-environment.mjs';
import { watchRunner } from './watch-runner.mjs';

/** In the package; the sources of a checkout are TypeScript, which Node.js reads itself. */
const SERVICE = fileURLToPath(new URL('../../dist/service/src/serve-sandbox.js', import.meta.url));

const USAGE = `payment-requests-sandbox [--port N]
Starts a sandbox on 127.0.0.1, at a free port or at N, and prints a line of JSON when it is ready.`;

if (!isNewEnough(process.versions.node)) {
  const needed = 'Node.js 24.12 or newer is needed; this is';
  console.error(`payment-requests-sandbox: ${needed} ${process.versions.node}.`);
  process.exit(1);
}
const stop = createStop();
stopFromOutside(stop);
watchRunner(() => stop.request({ sentence: '' }));
let isReady = false;
try {
  const values = readOptions();
  if (values.help) {
    console.log(USAGE);
    stop.request({ sentence: '' });
  } else {
    console.log(JSON.stringify(await start(values.port)));
  }
  isReady = true;
} catch (failure) {
  stop.request({ sentence: '', failure });
}
const reason = await stop.requested;
if (reason.failure) console.error(`payment-requests-sandbox: ${describeFailure(reason.failure)}`);
await stop.undoAll();
process.exit(exitCodeOf(reason, isReady));

/** @returns {{ port?: string, help?: boolean }} @throws Failure for a wrong option */
function readOptions() {
  try {
    return parseArgs({ options: { port: { type: 'string' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : error}\nUsage: ${USAGE}`);
  }
}

/** @param {string | undefined} asked */
async function start(asked) {
  const port = asked === undefined ? await findFreePort() : Number(asked);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Failure(`--port takes a port, not "${asked}".`);
  }
  const folder = makeTestFolder({ isInMemory: true });
  stop.onStop(folder.remove);
  prepareLocalDir(folder.path);
  const databaseUrl = await bringUpDatabase(folder.path);
  const origin = `http://127.0.0.1:${port}`;
  const opsPort = await findFreePort();
  const log = openLogFile(folder.path, 'sandbox');
  const secret = () => randomBytes(32).toString('base64');
  const part = {
    name: 'sandbox',
    title: 'the sandbox',
    script: SERVICE,
    args: [],
    readyUrl: `http://127.0.0.1:${opsPort}/health/ready`,
  };
  const env = {
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
    WEBHOOK_ALLOW_PORTS: '*',
    RATE_LIMIT_READS: '0',
    RATE_LIMIT_WRITES: '0',
    SHUTDOWN_GRACE_SECONDS: '1',
    ...passedEnvironment(process.env),
    ENVIRONMENT: 'sandbox',
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    PORT: `${port}`,
    OPS_HOST: '127.0.0.1',
    OPS_PORT: `${opsPort}`,
    PUBLIC_API_URL: `${origin}/v1`,
    PUBLIC_AUTH_URL: `${origin}/oauth2/token`,
    PAYMENT_LINK_BASE: `${origin}/pay`,
    CREDENTIALS_PEPPER: secret(),
    SECRETS_KEY: secret(),
  };
  const onStart = (/** @type {import('../start/service-process.mjs').PartProcess} */ started) => {
    stop.onStop(() => started.stop());
    started.ended.then((ending) =>
      stop.request({ sentence: '', failure: diedEarly(part.title, ending, log) }),
    );
  };
  // The type has members that only `npm start` uses.
  await startPart(/** @type {any} */ (part), { env, log, signal: stop.signal, onStart });
  return {
    baseUrl: `${origin}/v1`,
    merchantsUrl: `${origin}/v1/sandbox/merchants`,
    pid: process.pid,
  };
}

/** @param {string} folder @returns {Promise<string>} the URL of the database */
async function bringUpDatabase(folder) {
  const own = await prepareOwnPostgres(postgresFolderIn(folder), () => {});
  const password = randomBytes(24).toString('base64url');
  const server = await startPostgres({
    ...own,
    port: await findFreePort(),
    password,
    // The data of a test run need not outlive the machine.
    settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
    log: openLogFile(folder, 'postgresql'),
    signal: stop.signal,
    note: () => {},
  });
  stop.onStop(server.stop);
  return server.url('postgres', password, 'postgres');
}
