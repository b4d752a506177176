import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingLibraries, unpackPackages } from '../debian-packages.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';

/** Accounts of each Debian, in the place of those that an installation of Postfix makes. */
const ACCOUNTS = ['mail_owner = daemon', 'setgid_group = mail', 'default_privs = nobody'];
const OWNER_UID = 1;
const MAIL_GID = 8;
/** `nobody`, to whom the mailboxes belong. */
const MAILBOX_UID = 65_534;

const QUEUES = [
  ...['active', 'bounce', 'corrupt', 'defer', 'deferred', 'flush', 'hold', 'incoming', 'maildrop'],
  ...['private', 'public', 'saved', 'trace'],
];

/** The services of a Postfix, as lines of its master.cf: none has a chroot. */
const SERVICES = [
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 300 1 qmgr',
  'tlsmgr unix - - n 1000? 1 tlsmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'proxymap unix - - n - - proxymap',
  'smtp unix - - n - - smtp',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'virtual unix - n n - - virtual',
  'anvil unix - - n - 1 anvil',
  'postlog unix-dgram n - n - 1 postlogd',
];

/** A server that starts takes a connection before it can greet. */
const ANSWER_MS = 2_000;

/** A Postfix of Debian on loopback, with a queue and mailboxes of its own. */
export interface Postfix {
  readonly port: number;
  readonly log: () => string;
  /** The mails in a mailbox, whole. */
  readonly mailsIn: (mailbox: string) => string[];
  /** The folder of a mailbox. */
  readonly mailbox: (name: string) => string;
  /** Writes a table, which the next connection meets. */
  setTable(name: string, rows: Readonly<Record<string, string>>): void;
  /** Lets every process read the tables again. */
  reload(): void;
  stop(): Promise<void>;
}

export interface PostfixPackage {
  readonly start: (options: PostfixOptions) => Promise<Postfix>;
  remove(): void;
}

export interface PostfixOptions {
  readonly hostname: string;
  /** Lines of main.cf; `$tables` is the folder of the tables. */
  readonly settings: readonly string[];
  readonly tables: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Maildirs that are there from the start. */
  readonly mailboxes?: readonly string[];
  /** A certificate and its key, in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Unpacks Debian's Postfix; its master process needs root, as an installed one does. */
export async function unpackPostfix(): Promise<PostfixPackage> {
  const folder = openFolder('postfix-');
  const root = await unpackPackages(['postfix'], folder);
  const libraries = await missingLibraries(folder, 'postfix');
  if (libraries.length > 0) await unpackPackages(libraries, folder);
  return {
    start: (options) => startPostfix(root, options),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Processes of several accounts read what is in it. */
function openFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o755);
  return folder;
}

async function startPostfix(root: string, options: PostfixOptions): Promise<Postfix> {
  const folder = openFolder(`${options.hostname}-`);
  const at = (name: string) => join(folder, name);
  const port = await freePort();
  makeFolders(folder, options.mailboxes);
  writeFileSync(
    at('master.cf'),
    [`127.0.0.1:${port} inet n - n - - smtpd`, ...SERVICES, ''].join('\n'),
  );
  const { cert = '', key = '' } = options.tls ?? {};
  writeFileSync(at('tls.pem'), [key, cert, ''].join('\n'), { mode: 0o600 });
  writeFileSync(at('main.cf'), [...settingsOf(root, folder, options), ''].join('\n'));
  const setTable: Postfix['setTable'] = (name, rows) =>
    writeFileSync(
      at(name),
      Object.entries(rows)
        .map(([left, right]) => `${left} ${right}\n`)
        .join(''),
    );
  for (const [name, rows] of Object.entries(options.tables)) setTable(name, rows);
  const libraries = [join(root, 'usr/lib/postfix'), ...systemLibraries(root)].join(':');
  const master: ChildProcess = spawn(
    join(root, 'usr/lib/postfix/sbin/master'),
    ['-d', '-c', folder],
    // A group of its own: the master process ends the processes of its group.
    { stdio: 'ignore', detached: true, env: { LD_LIBRARY_PATH: libraries, PATH: '/usr/bin:/bin' } },
  );
  const log = () => (existsSync(at('log')) ? readFileSync(at('log'), 'utf8') : '');
  // A run that is interrupted leaves none behind.
  const end = () => master.kill('SIGTERM');
  process.once('exit', end);
  const ended = new Promise<void>((resolve) =>
    master.once('exit', () => {
      process.off('exit', end);
      resolve();
    }),
  );
  await eventually(() => answers(port), 'Postfix', 30_000).catch((error) => {
    master.kill('SIGTERM');
    throw new Error(log(), { cause: error });
  });
  const mailbox = (name: string) => at(`mail/${name}`);
  return {
    port,
    log,
    setTable,
    mailbox,
    mailsIn(name) {
      const arrived = join(mailbox(name), 'new');
      const names = existsSync(arrived) ? readdirSync(arrived) : [];
      return names.map((each) => readFileSync(join(arrived, each), 'latin1'));
    },
    reload: () => void master.kill('SIGHUP'),
    async stop() {
      master.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folders that `postfix check` makes before a first start, and mailboxes. */
function makeFolders(folder: string, mailboxes: readonly string[] = []): void {
  const make = (name: string, uid: number, gid = 0, mode = 0o700) => {
    mkdirSync(join(folder, name), { recursive: true });
    chownSync(join(folder, name), uid, gid);
    chmodSync(join(folder, name), mode);
  };
  make('queue', 0, 0, 0o755);
  make('queue/pid', 0, 0, 0o755);
  for (const name of QUEUES) make(`queue/${name}`, OWNER_UID);
  chownSync(join(folder, 'queue/public'), OWNER_UID, MAIL_GID);
  make('data', OWNER_UID);
  const maildirs = mailboxes.flatMap((name) =>
    ['', '/new', '/cur', '/tmp'].map((part) => name + part),
  );
  for (const name of ['mail', ...maildirs.map((each) => `mail/${each}`)]) make(name, MAILBOX_UID);
}

function settingsOf(
  root: string,
  folder: string,
  { hostname, settings, tls }: PostfixOptions,
): string[] {
  const program = join(root, 'usr/lib/postfix');
  return [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    `command_directory = ${root}/usr/sbin`,
    `daemon_directory = ${program}/sbin`,
    `shlib_directory = ${program}`,
    `meta_directory = ${folder}`,
    ...ACCOUNTS,
    'import_environment = MAIL_CONFIG LD_LIBRARY_PATH',
    `maillog_file = ${folder}/log`,
    'maillog_file_prefixes = /',
    `myhostname = ${hostname}`,
    'myorigin = $myhostname',
    'mydestination =',
    'local_recipient_maps =',
    'alias_maps =',
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    'mynetworks = 127.0.0.0/8',
    'smtp_dns_support_level = disabled',
    'smtpd_peername_lookup = no',
    'notify_classes =',
    // A process takes one connection, so that the next one reads the tables again.
    'max_use = 1',
    // Seconds in the place of minutes: a test waits for the second attempt.
    'queue_run_delay = 1s',
    'minimal_backoff_time = 1s',
    'maximal_backoff_time = 2s',
    `virtual_mailbox_base = ${folder}/mail`,
    `virtual_uid_maps = static:${MAILBOX_UID}`,
    `virtual_gid_maps = static:${MAILBOX_UID}`,
    ...(tls ? [`smtpd_tls_chain_files = ${folder}/tls.pem`] : []),
    ...settings.map((line) => line.replaceAll('$tables', folder)),
  ];
}

/** The folders of unpacked libraries, as in usr/lib/x86_64-linux-gnu. */
function systemLibraries(root: string): string[] {
  return ['usr/lib', 'lib'].flatMap((folder) => {
    const names = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
    return names.filter((name) => /-linux-gnu/.test(name)).map((name) => join(root, folder, name));
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.setTimeout(ANSWER_MS, () => {
      socket.destroy();
      resolve(false);
    });
  });
}
