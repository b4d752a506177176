import {
  accountKeyOf,
  parseAccount,
  readAccountNumber,
  sharedKeyOf,
} from '#lib/bank/account-number.ts';
import { SCHEME_NAMES } from '#lib/bank/account-schemes.ts';
import type { AfterFetch, BankConnection, RemoteFiles } from '#lib/bank/bank-connection.ts';
import { readIban } from '#lib/bank/iban.ts';
import { withoutBrackets } from './read-addresses.ts';
import { list, oneOf, wholeNumber } from './read-values.ts';
import { camelCase, optionalSetting, type Setting, setting } from './setting.ts';

/** Nine banks are more than any deployment has named; each costs a loop and a connection. */
const NUMBERS = ['', '2_', '3_', '4_', '5_', '6_', '7_', '8_', '9_'] as const;
const PREFIX = 'BANK_SFTP_';
const DEFAULT_PORT = 22;

/** The settings of one connection, without their prefix. */
const ONE = {
  URL: optionalSetting({
    meaning: 'the bank’s SFTP server, as sftp://user@host:22; no password stands in it',
    read: readServer,
  }),
  KEY: optionalSetting({
    meaning: 'the private key for the bank’s server: ed25519, ecdsa, or RSA of 3072 bits or more',
    secret: true,
    isPrivate: true,
    read: readPrivateKey,
  }),
  KEY_PASSPHRASE: optionalSetting({
    meaning: 'the passphrase of that key, where it has one',
    secret: true,
    isPrivate: true,
    read: (text) => text,
  }),
  PASSWORD: optionalSetting({
    meaning: 'the password for the bank’s server, instead of a key',
    secret: true,
    isPrivate: true,
    read: (text) => text,
  }),
  HOST_KEY: setting({
    meaning: 'the fingerprint of the server’s key, as SHA256:…; several, separated by commas',
    fallback: '',
    read: list(readFingerprint),
  }),
  ACCOUNTS: setting({
    meaning:
      'the accounts of this connection, separated by commas: IBANs, or SCHEME:bank:number as ' +
      'CA:00312345:1234567; only they count from its files',
    fallback: '',
    read: list(readAccount),
  }),
  STATEMENTS: optionalSetting({
    meaning: 'the folder of the statements on the server, with a pattern, as /out/*.xml',
    read: readRemoteFiles,
  }),
  REPORTS: optionalSetting({
    meaning: 'the folder of pain.002 with a pattern; default: that of the statements',
    read: readRemoteFiles,
  }),
  PAYMENTS: optionalSetting({
    meaning: 'the folder of the server that takes payment files (pain.001); empty: none leaves',
    read: readFolder,
  }),
  RELEASE: setting({
    meaning: 'person: a payment file waits for its release; bank: the bank asks for signatures',
    fallback: 'person',
    read: oneOf(['person', 'bank']),
  }),
  AFTER: setting({
    meaning: 'what happens to a statement that is read: leave, delete or move:FOLDER',
    fallback: 'leave',
    read: readAfter,
  }),
  EVERY: setting({
    meaning: 'the minutes between two looks at the bank’s server',
    // Banks ask not to be called more often, and instant payments want minutes.
    fallback: '5',
    read: wholeNumber(1, 1_440),
  }),
} as const;

type One = typeof ONE;
type Named<Infix extends string> = {
  readonly [Name in keyof One as `BANK_SFTP_${Infix}${Name}`]: One[Name];
};

/** `BANK_SFTP_URL` to `BANK_SFTP_9_EVERY`. */
export const BANK_CONNECTION_SETTINGS = Object.fromEntries(
  NUMBERS.flatMap((infix) =>
    Object.entries(ONE).map(([name, each]: [string, Setting<unknown>]) => [
      `${PREFIX}${infix}${name}`,
      { ...each, isFurther: infix !== '' },
    ]),
  ),
) as Named<(typeof NUMBERS)[number]>;

/** The values of a connection's settings, by the names of `ONE`. */
type ReadOne = { readonly [Name in keyof One]: ReturnType<One[Name]['read']> };

/** The prefix and the settings of each connection. */
function readAll(given: (name: string) => unknown): readonly [string, ReadOne][] {
  return NUMBERS.map((infix) => [
    `${PREFIX}${infix}`,
    Object.fromEntries(
      Object.keys(ONE).map((name) => [name, given(`${PREFIX}${infix}${name}`)]),
    ) as ReadOne,
  ]);
}

/** The connections that are set, of settings in camelCase. */
export function connectionsOf(values: Readonly<Record<string, unknown>>): BankConnection[] {
  const found = readAll((name) => values[camelCase(name)]);
  return found.flatMap(([, one], at) => (one.URL ? [connectionOf(one, one.URL, at + 1)] : []));
}

function connectionOf(
  one: ReadOne,
  server: NonNullable<ReadOne['URL']>,
  number: number,
): BankConnection {
  const { KEY: key, KEY_PASSPHRASE: passphrase, PASSWORD: password } = one;
  const incoming = [one.STATEMENTS, one.REPORTS].filter((each) => each !== null);
  return {
    ...{ number, ...server, key, passphrase, password, incoming },
    ...{ hostKeys: one.HOST_KEY, accounts: one.ACCOUNTS, payments: one.PAYMENTS },
    ...{ release: one.RELEASE, after: one.AFTER, everyMinutes: one.EVERY },
  };
}

/** Faults between the settings of each connection, and between connections. */
export function faultsOfConnections(values: ReadonlyMap<string, unknown>): string[] {
  const owners = new Map<string, string>();
  return readAll((name) => values.get(name)).flatMap(([prefix, one]) => {
    // An unreadable setting is a fault of its own.
    if (Object.values(one).some((each) => each === undefined)) return [];
    if (!one.URL) return faultsWithoutServer(prefix, one);
    const faults: string[] = [];
    const say = (isFault: boolean, sentence: string) => isFault && faults.push(sentence);
    say(
      (one.KEY === null) === (one.PASSWORD === null),
      `${prefix}URL needs either ${prefix}KEY_FILE or ${prefix}PASSWORD_FILE.`,
    );
    say(
      one.KEY_PASSPHRASE !== null && one.KEY === null,
      `${prefix}KEY_PASSPHRASE is set, and ${prefix}KEY is not: there is no key to open.`,
    );
    say(
      one.HOST_KEY.length === 0,
      `${prefix}HOST_KEY is not set: nothing proves that the server is the bank’s.`,
    );
    say(
      one.STATEMENTS === null && one.PAYMENTS === null,
      `${prefix}URL needs ${prefix}STATEMENTS, ${prefix}PAYMENTS or both.`,
    );
    say(
      one.PAYMENTS !== null && one.ACCOUNTS.length === 0,
      `${prefix}ACCOUNTS is not set: ${prefix}PAYMENTS needs the accounts that pay there.`,
    );
    say(
      one.PAYMENTS !== null && values.get('BANK_REFUNDS_DIR') === null,
      `BANK_REFUNDS_DIR is not set: ${prefix}PAYMENTS needs its journal, which shows after a ` +
        'restore of the database which refunds have left.',
    );
    const target = 'folder' in one.AFTER ? one.AFTER.folder : null;
    say(
      [one.STATEMENTS, one.REPORTS].some((read) => read !== null && read.folder === target),
      `${prefix}AFTER moves files into ${target}, which this connection reads: they would be ` +
        'taken again and again.',
    );
    for (const account of one.ACCOUNTS) {
      const owner = owners.get(account);
      say(
        owner !== undefined && owner !== prefix,
        `${prefix}ACCOUNTS names …${account.slice(-4)}, which ${owner}ACCOUNTS has: an account ` +
          'belongs to one connection.',
      );
      owners.set(account, prefix);
    }
    return faults;
  });
}

function faultsWithoutServer(prefix: string, one: ReadOne): string[] {
  const { KEY, KEY_PASSPHRASE, PASSWORD, STATEMENTS, PAYMENTS, REPORTS } = one;
  const texts = [KEY, KEY_PASSPHRASE, PASSWORD, STATEMENTS, PAYMENTS, REPORTS];
  const isGiven = texts.some((each) => each !== null);
  return isGiven || one.HOST_KEY.length > 0 || one.ACCOUNTS.length > 0
    ? [`${prefix}URL is not set, and other settings of the connection are. Set both, or neither.`]
    : [];
}

function readServer(text: string) {
  const url = URL.parse(text);
  const form = 'must be sftp://user@host:22';
  let user = '';
  try {
    user = decodeURIComponent(url?.username ?? '');
  } catch {
    // A % that begins no code: there is no user.
  }
  if (url?.protocol !== 'sftp:' || url.hostname === '' || user === '') {
    throw new Error(form);
  }
  if (url.password !== '') throw new Error(`${form}, without a password`);
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    throw new Error(`${form}, without a path`);
  }
  return {
    host: withoutBrackets(url.hostname),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    user,
  };
}

function readPrivateKey(text: string): string {
  if (!/^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw new Error('must be a private key, as ssh-keygen -t ed25519 writes it');
  }
  return `${text}\n`;
}

/** SHA-256 in base64, as OpenSSH prints it. */
function readFingerprint(text: string): string {
  const found = text.replace(/=+$/, '');
  if (!/^SHA256:[A-Za-z0-9+/]{43}$/.test(found)) {
    throw new Error(`must be SHA256: and 43 characters, as ssh-keygen -lf prints, not "${text}"`);
  }
  return found;
}

/** The key of an account, so that leading zeros and a British IBAN make no difference. */
export function readAccount(text: string): string {
  const { scheme, bank, number } = parseAccount(text);
  if (scheme !== 'IBAN') {
    const account = SCHEME_NAMES.includes(scheme) && readAccountNumber(scheme, bank, number);
    if (typeof account === 'object') return accountKeyOf(account);
    throw new Error(`has "${text}", which is no account such as CA:00312345:1234567`);
  }
  const reading = readIban(text);
  if ('fault' in reading) throw new Error(`has "${text}", which is no IBAN (${reading.fault})`);
  return sharedKeyOf(reading.iban);
}

/** A path of the server: absolute, or from the folder of the sign-in. */
function readFolder(text: string): string {
  const parts = text.split('/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: such names are refused
  if (parts.includes('..') || /[\x00-\x1f\x7f]/.test(text)) {
    throw new Error(`must be a folder such as /in, not "${text}"`);
  }
  return text.replace(/(?<=.)\/+$/, '');
}

function readRemoteFiles(text: string): RemoteFiles {
  const at = text.lastIndexOf('/');
  const pattern = text.slice(at + 1);
  if (pattern === '') throw new Error(`must end in a pattern, as /out/*.xml, not "${text}"`);
  const folder = readFolder(at < 0 ? '.' : text.slice(0, at) || '/');
  if (/[*?]/.test(folder)) throw new Error(`has a pattern in its folder: "${text}"`);
  return { folder, pattern };
}

function readAfter(text: string): AfterFetch {
  if (text === 'leave' || text === 'delete') return { act: text };
  if (!text.startsWith('move:') || text === 'move:') {
    throw new Error(`must be leave, delete or move:FOLDER, not "${text}"`);
  }
  return { act: 'move', folder: readFolder(text.slice('move:'.length)) };
}
