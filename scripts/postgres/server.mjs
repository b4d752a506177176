import { spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  fchmodSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, fileFailure } from '../lib/failure.mjs';
import { definedOnly, runCommand } from '../lib/run-command.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';
import { endOrphanedPostgres, readPostmasterFile } from './orphan.mjs';

/** @typedef {import('./account.mjs').Account} Account */
/** @typedef {import('./programs.mjs').Programs} Programs */
/** @typedef {import('../state/log-files.mjs').LogFile} LogFile */

/**
 * @typedef {object} PostgresServer
 * @property {(user: string, password: string, database: string) => string} url
 * @property {Promise<Failure | undefined>} stopping settles when it stops: undefined after a
 *   requested stop
 * @property {() => Promise<void>} stop waits until it has ended
 */

// A slow disk takes a minute for a new cluster.
const INITDB_MS = 180_000;
// After a crash it first replays its log, which is the longest that a start takes.
const READY_MS = 120_000;
const READY_POLL_MS = 20;
// PostgreSQL announces no stop that another process requested; its lock file shows the stop.
const STOPPING_POLL_MS = 500;
// A stop writes what is in memory to disk: seconds. After this the guard kills it, which loses
// nothing either but makes the next start slower.
const STOP_GRACE_SECONDS = 60;
// Processes of a killed server are gone within a second; until then a new one refuses to start.
const STILL_IN_USE_TRIES = 20;
const STILL_IN_USE_WAIT_MS = 500;

/**
 * Starts PostgreSQL on 127.0.0.1, and makes its data first where there is none. The start takes
 * over a stale lock file and an orphaned server of an earlier run (contract §2).
 *
 * @param {object} options
 * @param {Programs} options.programs @param {Account | undefined} options.account
 * @param {string} options.folder holds the data, owned by the account
 * @param {number} options.port @param {string} options.password of the superuser `postgres`
 * @param {readonly string[]} options.settings as in `fsync=off`
 * @param {LogFile} options.log @param {AbortSignal} options.signal
 * @param {(note: string) => void} options.note says what takes long
 * @returns {Promise<PostgresServer>}
 */
export async function startPostgres(options) {
  const { folder, port, note } = options;
  const dataDir = join(folder, 'data');
  await endOrphanedPostgres(dataDir, note);
  if (!existsSync(join(dataDir, 'PG_VERSION'))) {
    note('making a new database cluster');
    await initialise(options, dataDir);
  }
  requireSameVersion(dataDir, options.programs);
  note('starting');
  const guard = await launch(options, dataDir);
  return {
    url: (user, password, database) =>
      `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    stopping: guard.stopping,
    async stop() {
      guard.letGo();
      await guard.ended;
    },
  };
}

/** @param {Parameters<typeof startPostgres>[0]} options @param {string} dataDir */
async function initialise({ programs, account, folder, password, signal, settings }, dataDir) {
  const fresh = `${dataDir}.new`;
  const passwordFile = join(folder, 'password');
  try {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
    writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
    if (account) chownSync(passwordFile, account.uid, account.gid);
    const args = ['--pgdata', fresh, '--username=postgres', `--pwfile=${passwordFile}`];
    args.push('--encoding=UTF8', '--locale=C', '--no-instructions');
    // Upper and lower case of every script, the same on every machine.
    args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8');
    if (settings.includes('fsync=off')) args.push('--no-sync', '--no-data-checksums');
    // The password's hash has the number of rounds that holds when it is written. If a few are
    // enough, the password itself passes the loopback: its proof takes 1 ms of CPU.
    const rounds = settings.find((setting) => setting.startsWith('scram_iterations='));
    args.push(`--auth=${rounds ? 'password' : 'scram-sha-256'}`);
    if (rounds) args.push(`--set=${rounds}`);
    const { exitCode, stderr } = await runCommand(programs.initdb, args, {
      signal,
      timeoutMs: INITDB_MS,
      cwd: folder,
      env: postgresEnv(),
      uid: account?.uid,
      gid: account?.gid,
    });
    if (exitCode !== 0) {
      throw new Failure(`PostgreSQL cannot make its data in ${dataDir}: ${stderr.trim()}`);
    }
    renameSync(fresh, dataDir);
  } catch (error) {
    if (error instanceof Failure || signal.aborted) throw error;
    throw fileFailure(error, `write to ${folder}`);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** @param {string} dataDir @param {Programs} programs */
function requireSameVersion(dataDir, programs) {
  const found = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim();
  const share = join(programs.postgres, '..', '..', 'share', 'postgresql', 'postgres.bki');
  const wanted = /^# PostgreSQL (\d+)/.exec(readFileSync(share, 'utf8'))?.[1];
  if (wanted === undefined || found === wanted) return;
  throw new Failure(
    `The data in ${dataDir} is of PostgreSQL ${found}, and this is PostgreSQL ${wanted}: ` +
      'dump it with the old version first, or move it away to start anew.',
  );
}

/** @param {Parameters<typeof startPostgres>[0]} options @param {string} dataDir */
async function launch(options, dataDir) {
  for (let attempt = 1; ; attempt += 1) {
    const guard = spawnGuard(options, dataDir);
    if (await isReady(guard, dataDir, options.signal)) {
      return { ...guard, stopping: watch(guard, dataDir, options.log) };
    }
    const tail = options.log.tail();
    const isStillInUse = /pre-existing shared memory block|is still in use/.test(tail);
    if (isStillInUse && attempt < STILL_IN_USE_TRIES) {
      await sleep(STILL_IN_USE_WAIT_MS);
      continue;
    }
    throw new Failure(
      `PostgreSQL does not come up. The last lines of ${options.log.path}:\n${tail}`,
    );
  }
}

/** @param {Parameters<typeof startPostgres>[0]} options @param {string} dataDir */
function spawnGuard({ programs, account, folder, port, settings, log }, dataDir) {
  const guard = copyGuard(folder);
  // Over TCP only: a socket file would need a short path that every user can reach.
  const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
  // Log and data use UTC, also on a machine with another time zone.
  own.push('timezone=UTC', 'log_timezone=UTC');
  const args = ['-D', dataDir, ...[...own, ...settings].flatMap((setting) => ['-c', setting])];
  // INT is PostgreSQL's fast shutdown: it ends sessions instead of waiting for them.
  const command = [guard, 'INT', `${STOP_GRACE_SECONDS}`, programs.postgres, ...args];
  const child = spawn('sh', command, {
    ...definedOnly({ uid: account?.uid, gid: account?.gid }),
    cwd: '/',
    env: postgresEnv(),
    stdio: ['pipe', log.fd, log.fd],
    // A session of its own, so that Ctrl-C does not reach it before the services have ended.
    detached: true,
  });
  child.stdin?.on('error', () => {});
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => {
    child.on('error', () => resolve(null));
    child.on('exit', (code) => resolve(code));
  });
  return { child, ended, letGo: () => child.stdin?.end() };
}

/**
 * Copies the guard to where the account can read it, which it may not in the project's folder.
 * @param {string} folder the account's: what lies there already is never written through
 */
function copyGuard(folder) {
  const path = join(folder, 'guard.sh');
  rmSync(path, { force: true });
  const fd = openSync(path, 'wx');
  fchmodSync(fd, 0o755);
  writeSync(fd, readFileSync(join(ROOT, 'scripts', 'lib', 'guard.sh')));
  closeSync(fd);
  return path;
}

/**
 * @param {ReturnType<typeof spawnGuard>} guard @param {string} dataDir @param {AbortSignal} signal
 * @returns {Promise<boolean>} false: it ended by itself
 */
async function isReady(guard, dataDir, signal) {
  const giveUpAt = Date.now() + READY_MS;
  while (guard.child.exitCode === null && guard.child.signalCode === null && guard.child.pid) {
    if (readPostmasterFile(dataDir)?.status === 'ready') return true;
    if (signal.aborted || Date.now() > giveUpAt) {
      guard.letGo();
      await guard.ended;
      signal.throwIfAborted();
      return false;
    }
    await sleep(READY_POLL_MS);
  }
  return false;
}

/**
 * @param {ReturnType<typeof spawnGuard>} guard @param {string} dataDir @param {LogFile} log
 * @returns {PostgresServer['stopping']}
 */
function watch({ ended }, dataDir, log) {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (readPostmasterFile(dataDir)?.status === 'stopping') resolve(undefined);
    }, STOPPING_POLL_MS);
    ended.then((code) => {
      clearInterval(timer);
      if (code === 0) resolve(undefined);
      const lines = `The last lines of ${log.path}:\n${log.tail()}`;
      resolve(new Failure(`PostgreSQL has ended unasked. ${lines}`));
    });
  });
}

/** Leaves out the variables that steer psql: they must not steer the server. */
function postgresEnv() {
  const entries = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG|TZ)/.test(name));
  return { ...Object.fromEntries(entries), LC_ALL: 'C' };
}
