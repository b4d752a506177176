import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, afterEach, before, describe, it, mock } from 'node:test';
import ssh2 from 'ssh2';
import { FOLDER_MODE, type SftpBank, startSftpBank } from '../../support/bank/sftp-bank.ts';
import { freePort } from '../../support/free-port.ts';
import { runCli } from '../run-cli.ts';

const secret = () => randomBytes(32).toString('base64');
const DEPLOYMENT = {
  ENVIRONMENT: 'production',
  DATABASE_URL: 'postgres://nobody@localhost/none',
  ...{ CREDENTIALS_PEPPER: secret(), SECRETS_KEY: secret() },
  PUBLIC_API_URL: 'http://localhost:4010/v1',
  PUBLIC_AUTH_URL: 'http://localhost:4010/oauth2/token',
  PAYMENT_LINK_BASE: 'http://localhost:4010/pay',
  E_TRANSFER_NETWORK: 'bank-transfer',
  ...{ BANK_REFUNDS_DIR: '/refunds', BANK_SFTP_PAYMENTS: '/in' },
  BANK_SFTP_ACCOUNTS: 'DE89370400440532013000',
};
const STEPS = [
  ...['connect to', 'compare the key', 'sign in as', 'list /out', 'read a file in /out'],
  ...['list /done', 'write to /in', 'rename in /in', 'remove from /in'],
];

interface Planted {
  readonly fault: string;
  readonly settings?: () => Promise<Record<string, string>> | Record<string, string>;
  readonly misdeed?: SftpBank['misdeed'];
  /** The one step that fails. */
  readonly step: string;
  /** Its sentence: what happened, and who can correct it. */
  readonly says: RegExp;
  /** The steps that work; left out: all but the step and those that need it. */
  readonly works?: readonly string[];
}

/** The steps that cannot be tried without another one. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'connect to': STEPS,
  'compare the key': STEPS.slice(1),
  'sign in as': STEPS.slice(2),
  'list /out': ['read a file in /out'],
  'write to /in': ['rename in /in', 'remove from /in'],
};

const PASSPHRASE = 'four words of a letter';
const { generateKeyPairSync } = ssh2.utils;
const pairOf = (pair: ReturnType<typeof generateKeyPairSync>) => ({
  ...pair,
  private: pair.private.trimEnd(),
});
const LOCKED = pairOf(
  generateKeyPairSync('ed25519', { passphrase: PASSPHRASE, cipher: 'aes256-ctr', rounds: 4 }),
);

const SILENT = 'a server that says nothing';
const YOU = 'Correct it in the settings of this service';
const answers =
  (request: string, place: string, code: Awaited<ReturnType<SftpBank['misdeed']>>) =>
  (asked: string, path: string) =>
    asked === request && path.startsWith(place) ? code : undefined;

describe('payreq bank connection check', () => {
  let remote: SftpBank;
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  const old = new ssh2.Server(
    {
      hostKeys: [generateKeyPairSync('ed25519').private],
      algorithms: { kex: ['diffie-hellman-group1-sha1'] },
    },
    (client) => client.on('error', () => {}),
  ).listen(0, '127.0.0.1');
  before(async () => {
    remote = await startSftpBank();
    for (const folder of ['/out', '/in', '/done']) {
      remote.put(folder, Buffer.alloc(0), FOLDER_MODE);
    }
    remote.put('/out/one.xml', Buffer.from('<Document/>'));
    for (const each of [silent, old]) if (!each.address()) await once(each, 'listening');
  });
  after(async () => {
    silent.close();
    old.close();
    await remote?.stop();
  });
  afterEach(() => {
    remote.misdeed = () => undefined;
    remote.offersSftp = true;
    mock.timers.reset();
  });

  const check = (settings: Record<string, string> = {}, ...args: string[]) => {
    const given = { BANK_SFTP_AFTER: 'move:/done', ...remote.settings, ...settings };
    return runCli(['bank', 'connection', 'check', ...args], { ...DEPLOYMENT, ...given });
  };
  const server = (address: string) => ({ BANK_SFTP_URL: `sftp://shop@${address}` });

  it('tries each step, and leaves no file behind', async () => {
    const { exitCode, stdout, stderr } = await check();
    assert.equal(exitCode, 0, stdout + stderr);
    const words = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/)[0]);
    assert.deepEqual(
      words,
      STEPS.map(() => 'ok'),
    );
    assert.deepEqual(
      [...remote.files.keys()].filter((path) => path.startsWith('/in/')),
      [],
    );
  });

  it('shows the key of a server before BANK_SFTP_HOST_KEY is set', async () => {
    const key = remote.settings.BANK_SFTP_HOST_KEY ?? '';
    const { stdout } = await check({ BANK_SFTP_HOST_KEY: '' }, '--show-host-key');
    assert.ok(stdout.startsWith(`The server of connection 1 shows ${key}.\n`), stdout);
    const without = await check({ BANK_SFTP_HOST_KEY: '' });
    assert.match(without.stderr, /BANK_SFTP_HOST_KEY is not set/);
  });

  for (const [name, key] of [
    ['an ed25519 key with a passphrase', LOCKED],
    ...([256, 384, 521] as const).map(
      (bits) =>
        [`an ecdsa key of ${bits} bits`, pairOf(generateKeyPairSync('ecdsa', { bits }))] as const,
    ),
    ['an RSA key of 3072 bits', pairOf(generateKeyPairSync('rsa', { bits: 3072 }))],
  ] as const) {
    it(`signs in with ${name}`, async () => {
      remote.known.keys.push(key.public);
      const passphrase = key === LOCKED && { BANK_SFTP_KEY_PASSPHRASE: PASSPHRASE };
      const { exitCode, stdout } = await check({ BANK_SFTP_KEY: key.private, ...passphrase });
      remote.known.keys.pop();
      assert.equal(exitCode, 0, stdout);
    });
  }

  it('signs in with a password in place of a key', async () => {
    remote.known.password = 'of the bank’s letter';
    const settings = { BANK_SFTP_KEY: '', BANK_SFTP_PASSWORD: remote.known.password };
    const { exitCode, stdout } = await check(settings);
    assert.equal(exitCode, 0, stdout);
    assert.ok(!stdout.includes(remote.known.password));
  });

  it('trusts each key of BANK_SFTP_HOST_KEY while a bank changes its key', async () => {
    const [own, other] = [remote.settings.BANK_SFTP_HOST_KEY, `SHA256:${'A'.repeat(43)}`];
    for (const keys of [`${own},${other}`, `${other}, ${own}=`]) {
      assert.equal((await check({ BANK_SFTP_HOST_KEY: keys })).exitCode, 0, keys);
    }
  });

  const planted: readonly Planted[] = [
    {
      fault: 'a name that no server has',
      settings: () => server('bank.invalid'),
      step: 'connect to',
      says: /no server has the name.*bank’s letter, then ask who runs your network/,
    },
    {
      fault: 'a closed port',
      settings: async () => server(`127.0.0.1:${await freePort()}`),
      step: 'connect to',
      says: /cannot be reached\. Ask who runs your network, then the bank/,
    },
    {
      fault: SILENT,
      settings: () => server(`127.0.0.1:${(silent.address() as AddressInfo).port}`),
      step: 'connect to',
      says: /did not answer for 30 seconds\. The bank corrects it/,
    },
    {
      fault: 'a server that knows old algorithms alone',
      settings: () => server(`127.0.0.1:${(old.address() as AddressInfo).port}`),
      step: 'connect to',
      says: /no algorithm in common\. The bank corrects it/,
    },
    {
      fault: 'another host key',
      settings: () => ({ BANK_SFTP_HOST_KEY: `SHA256:${'A'.repeat(43)}` }),
      step: 'compare the key',
      says: /nothing was sent\. Ask the bank by telephone/,
    },
    {
      fault: 'a key that the bank does not know',
      settings: () => ({
        BANK_SFTP_KEY: generateKeyPairSync('ed25519').private.trimEnd(),
      }),
      step: 'sign in as',
      says: /refuses the user, the key or the password\. Ask the bank whether they are registered/,
    },
    {
      fault: 'a password that the bank does not know',
      settings: () => ({ BANK_SFTP_KEY: '', BANK_SFTP_PASSWORD: 'a guess' }),
      step: 'sign in as',
      says: /refuses the user, the key or the password/,
    },
    ...['', 'another'].map((passphrase) => ({
      fault: `a key with the passphrase "${passphrase}", which is not its own`,
      settings: () => ({ BANK_SFTP_KEY: LOCKED.private, BANK_SFTP_KEY_PASSPHRASE: passphrase }),
      step: 'sign in as',
      works: [],
      says: new RegExp(`passphrase does not open the private key, or none is set\\. ${YOU}`),
    })),
    {
      fault: 'a server without SFTP',
      settings: () => {
        remote.offersSftp = false;
        return {};
      },
      step: 'sign in as',
      says: /takes the sign-in and offers no SFTP\. The bank corrects it/,
    },
    {
      fault: 'a key that is too short',
      settings: () => ({
        BANK_SFTP_KEY: generateKeyPairSync('rsa', { bits: 2048 }).private.trimEnd(),
      }),
      step: 'sign in as',
      works: [],
      says: new RegExp(`RSA of 3072 bits\\. ${YOU}`),
    },
    {
      fault: 'a folder of statements that does not exist',
      misdeed: answers('OPENDIR', '/out', 'NO_SUCH_FILE'),
      step: 'list /out',
      says: new RegExp(`no such folder.*${YOU}`),
    },
    {
      fault: 'a folder of statements without the right to list it',
      misdeed: answers('OPENDIR', '/out', 'PERMISSION_DENIED'),
      step: 'list /out',
      says: /denies it\. Ask the bank for the right to this folder/,
    },
    {
      fault: 'a statement without the right to read it',
      misdeed: answers('OPEN', '/out', 'PERMISSION_DENIED'),
      step: 'read a file in /out',
      says: /denies it\. Ask the bank for the right to this folder/,
    },
    {
      fault: 'a folder of BANK_SFTP_AFTER that does not exist',
      misdeed: answers('OPENDIR', '/done', 'NO_SUCH_FILE'),
      step: 'list /done',
      says: new RegExp(`no such folder.*${YOU}`),
    },
    {
      fault: 'a folder of payments that does not exist',
      misdeed: answers('OPEN', '/in', 'NO_SUCH_FILE'),
      step: 'write to /in',
      says: new RegExp(`no such folder.*${YOU}`),
    },
    {
      fault: 'a folder of payments without the right to write',
      misdeed: answers('OPEN', '/in', 'PERMISSION_DENIED'),
      step: 'write to /in',
      says: /denies it\. Ask the bank for the right to this folder/,
    },
    {
      fault: 'a full disk',
      misdeed: answers('WRITE', '/in', 'FAILURE'),
      step: 'write to /in',
      says: /its disk or your quota may be full\. The bank corrects it/,
    },
    {
      fault: 'a folder of payments without the right to rename',
      misdeed: answers('RENAME', '/in', 'PERMISSION_DENIED'),
      step: 'rename in /in',
      says: /denies it\. Ask the bank for the right to this folder/,
    },
    {
      fault: 'a folder of payments without the right to remove',
      misdeed: answers('REMOVE', '/in', 'PERMISSION_DENIED'),
      step: 'remove from /in',
      says: /denies it\. Ask the bank for the right to this folder/,
    },
  ];

  for (const { fault, settings, misdeed, step, says, works } of planted) {
    it(`names the step of ${fault}, and who corrects it`, async () => {
      if (misdeed) remote.misdeed = misdeed;
      const given = (await settings?.()) ?? {};
      if (fault === SILENT) {
        mock.timers.enable({ apis: ['setTimeout'] });
        silent.once('connection', () => setImmediate(() => mock.timers.tick(30_000)));
      }
      const { exitCode, stdout } = await check(given);
      assert.equal(exitCode, 1);
      const lines = stdout.split('\n');
      const failed = lines.filter((line) => line.startsWith('failed'));
      assert.equal(failed.length, 1, stdout);
      assert.ok(failed[0]?.includes(step), stdout);
      assert.match(stdout, says);
      const untried = [step, ...(NEEDS[step] ?? [])];
      const wanted = works ?? STEPS.filter((each) => !untried.includes(each));
      const passed = lines.filter((line) => line.startsWith('ok'));
      assert.deepEqual(
        passed.map((line) => STEPS.find((each) => line.includes(each))),
        wanted,
      );
      const left = [...remote.files.keys()].filter((path) => path.startsWith('/in/'));
      assert.equal(left.length, step.startsWith('remove') ? 1 : 0);
      for (const path of left) remote.files.delete(path);
    });
  }
});
