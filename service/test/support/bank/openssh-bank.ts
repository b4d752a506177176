import assert from 'node:assert/strict';
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unpackPackages } from '../debian-packages.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';

const run = promisify(execFile);
const PACKAGES = ['openssh-server', 'libwrap0', 'libnss-wrapper'];
/** `nobody`; the wrapper gives it the name of a bank's customer. */
const UID = 65_534;

/** OpenSSH as a bank's server: Debian's package, unpacked and run by an unprivileged user. */
export interface OpenSshBank {
  readonly settings: Readonly<Record<string, string>>;
  readonly port: number;
  /** The folder in which a sign-in begins, with `in` and `out`. */
  readonly disk: string;
  /** Sends a signal to each process that serves a connection. */
  signal(signal: NodeJS.Signals): void;
  /** Kills the server with its connections, and starts it again. */
  restart(): Promise<void>;
  /** Shows another host key from now on. */
  changeKey(): Promise<void>;
  /** Bounds the size of each file that is written, as a quota does; null: no bound. */
  limitFiles(kibibytes: number | null): Promise<void>;
  stop(): Promise<void>;
}

export async function startOpenSshBank(): Promise<OpenSshBank> {
  const folder = mkdtempSync(join(tmpdir(), 'openssh-bank-'));
  const at = (name: string) => join(folder, name);
  await unpackPackages(PACKAGES, folder);
  const library = execFileSync('find', [at('root'), '-name', 'libnss_wrapper.so'], {
    encoding: 'utf8',
  }).trim();
  assert.ok(library, 'libnss-wrapper is unpacked');
  mkdirSync(at('disk/in'), { recursive: true });
  mkdirSync(at('disk/out'));
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('user')]);
  const port = await freePort();
  await writeFile(at('passwd'), `bank:x:${UID}:${UID}:Bank:${at('disk')}:/bin/sh\n`);
  await writeFile(at('group'), `bank:x:${UID}:\n`);
  await writeFile(
    at('config'),
    [
      ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${at('host')}`],
      ...[`AuthorizedKeysFile ${at('user.pub')}`, 'PidFile none', 'StrictModes no'],
      ...['PasswordAuthentication no', `Subsystem sftp internal-sftp -d ${at('disk')}`],
    ].join('\n'),
  );
  let server: ChildProcess;
  let blocks: number | null = null;

  async function makeHostKey(): Promise<string> {
    for (const name of ['host', 'host.pub']) rmSync(at(name), { force: true });
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('host')]);
    for (const name of readdirSync(folder)) chownSync(at(name), UID, UID);
    for (const name of ['in', 'out']) chownSync(at(`disk/${name}`), UID, UID);
    chmodSync(folder, 0o755);
    const { stdout } = await run('ssh-keygen', ['-lf', at('host.pub')]);
    return stdout.split(' ')[1] ?? '';
  }
  async function start(): Promise<void> {
    const limit = blocks === null ? '' : `ulimit -f ${blocks}; trap '' XFSZ; `;
    const command = `${limit}exec ${at('root/usr/sbin/sshd')} -D -e -f ${at('config')}`;
    server = spawn('sh', ['-c', command], {
      stdio: 'ignore',
      ...{ uid: UID, gid: UID },
      env: {
        LD_PRELOAD: library,
        LD_LIBRARY_PATH: join(library, '..'),
        NSS_WRAPPER_PASSWD: at('passwd'),
        NSS_WRAPPER_GROUP: at('group'),
      },
    });
    await eventually(
      () =>
        new Promise<boolean>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => resolve(true));
          socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
        }),
      'sshd',
    );
  }
  /** The processes of the connections, from the system's table. */
  function serving(): number[] {
    const listed = execFileSync('ps', ['-eo', 'pid,ppid'], { encoding: 'utf8' });
    const rows = listed.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
    const childrenOf = (parent: number): number[] =>
      rows.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid, ...childrenOf(pid)] : []));
    return childrenOf(server.pid ?? -1);
  }
  async function stop(): Promise<void> {
    for (const pid of serving()) process.kill(pid, 'SIGKILL');
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  }

  const hostKey = await makeHostKey();
  await start();
  return {
    disk: at('disk'),
    port,
    settings: {
      BANK_SFTP_URL: `sftp://bank@127.0.0.1:${port}`,
      BANK_SFTP_KEY: (await readFile(at('user'), 'utf8')).trimEnd(),
      BANK_SFTP_HOST_KEY: hostKey,
      BANK_SFTP_STATEMENTS: 'out/*.xml',
    },
    signal(signal) {
      for (const pid of serving()) process.kill(pid, signal);
    },
    async restart() {
      await stop();
      await start();
    },
    async changeKey() {
      await stop();
      await makeHostKey();
      await start();
    },
    async limitFiles(kibibytes) {
      await stop();
      // A block of `ulimit -f` is 512 bytes in sh.
      blocks = kibibytes === null ? null : kibibytes * 2;
      await start();
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
