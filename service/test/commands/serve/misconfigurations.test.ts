import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fastify from 'fastify';
import { type CliFailure, reportError } from '../../../src/commands/cli/report-error.ts';
import { doubtfulSettings, readConfig } from '../../../src/config.ts';

type Settings = Readonly<Record<string, string | undefined>>;

interface Misconfiguration {
  readonly settings: Settings;
  /** Words of the one sentence that an operator reads. */
  readonly sentence: RegExp;
}

const newKey = () => randomBytes(32).toString('base64');
const PASSWORD = 'hidden-word';
const folder = mkdtempSync(join(tmpdir(), 'misconfigurations-'));

const SANDBOX = {
  ENVIRONMENT: 'sandbox',
  DATABASE_URL: `postgres://payments:${PASSWORD}@localhost/payments`,
  CREDENTIALS_PEPPER: newKey(),
  SECRETS_KEY: newKey(),
  PUBLIC_API_URL: 'https://pay.example/v1',
  PUBLIC_AUTH_URL: 'https://pay.example/oauth2/token',
  PAYMENT_LINK_BASE: 'https://pay.example/pay',
};
const PRODUCTION = {
  ...SANDBOX,
  ENVIRONMENT: 'production',
  E_TRANSFER_NETWORK: 'simulated',
  ALLOW_SIMULATED_NETWORK: 'yes',
};
const BANK = {
  ...SANDBOX,
  ENVIRONMENT: 'production',
  E_TRANSFER_NETWORK: 'bank-transfer',
  CURRENCY: 'EUR',
  BANK_FILES_DIR: '/var/lib/statements',
};
/** A connection for statements, and what it needs to send payment files, too. */
const SFTP = {
  ...BANK,
  BANK_SFTP_URL: 'sftp://shop@bank.example',
  BANK_SFTP_PASSWORD: PASSWORD,
  BANK_SFTP_HOST_KEY: `SHA256:${'A'.repeat(43)}`,
  BANK_SFTP_STATEMENTS: '/out/*.xml',
};
const ACCOUNT = 'DE89370400440532013000';
const PAYING = {
  BANK_SFTP_PAYMENTS: '/in',
  BANK_SFTP_ACCOUNTS: ACCOUNT,
  BANK_REFUNDS_DIR: '/var/lib/refunds',
};
const SECOND = {
  BANK_SFTP_2_URL: 'sftp://shop@other.example:2222',
  BANK_SFTP_2_PASSWORD: PASSWORD,
  BANK_SFTP_2_HOST_KEY: SFTP.BANK_SFTP_HOST_KEY,
  BANK_SFTP_2_STATEMENTS: '*.xml',
};
const KEY_OF_TEXT = Buffer.from('change-me change-me-now 12345678').toString('base64');
const COUNTING = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64');
// All different, in no order: nothing but the repetition is wrong.
const HALF = Buffer.from('9f03e1742bd85ac60f91b43d68fa17cc', 'hex');
const REPEATED = Buffer.concat([HALF, HALF]).toString('base64');
const db = (rest: string) => ({ DATABASE_URL: `postgres://${rest}` });
const file = (name: string) => join(folder, name);

const SMS_TOKEN = 'Zk3vQ8r1TgBn6yLw5pXc0sUe';

/** Each is the good sandbox configuration with these settings changed. */
const SANDBOX_ROWS: readonly (readonly [Settings, RegExp])[] = [
  [{ ENVIRONMENT: undefined }, /^ENVIRONMENT is not set: this deployment’s environment/],
  [{ ENVIRONMENT: 'test' }, /^ENVIRONMENT must be sandbox or production, not "test"/],
  [{ ENVIRONMENT: 'Production' }, /^ENVIRONMENT must be sandbox or production/],
  [{ DATABASE_URL: undefined }, /^DATABASE_URL is not set/],
  [{ DATABASE_URL: 'mysql://u:p@h/d' }, /^DATABASE_URL must be an address that begins with/],
  [{ DATABASE_URL: '/var/run/postgresql payments' }, /^DATABASE_URL must be an address/],
  [db(`u:${PASSWORD}#x@h/d`), /^DATABASE_URL has a # that is not escaped.*%23/],
  [db(`u:12#${PASSWORD}@h/d`), /^DATABASE_URL has a # that is not escaped/],
  [db(`u:${PASSWORD}/x@h/d`), /^DATABASE_URL cannot be parsed.*needs each written as its code/],
  [db(`u:5/${PASSWORD}@h/d`), /^DATABASE_URL cannot be parsed/],
  [db(`u:5?${PASSWORD}@h/d`), /^DATABASE_URL cannot be parsed/],
  [db(`u:a@${PASSWORD}@h/d`), /^DATABASE_URL cannot be parsed/],
  [db(`u:50%${PASSWORD}@h/d`), /^DATABASE_URL has a % that begins no code/],
  [db(`u:%ff${PASSWORD}@h/d`), /^DATABASE_URL has codes that are not UTF-8/],
  [db(`u:two words@h/d`), /^DATABASE_URL has a blank or a line end/],
  [db(`u:${PASSWORD}@one,two/d`), /^DATABASE_URL names several hosts: name one.*HAProxy/],
  [db(`u:${PASSWORD}@one:5432,two:5432/d`), /^DATABASE_URL names several hosts/],
  [db(`u:${PASSWORD}@h`), /^DATABASE_URL must name one database/],
  [db(`u:${PASSWORD}@h/d?sslmod=require`), /^DATABASE_URL has the parameter "sslmod"/],
  [db(`u:${PASSWORD}@h/d?sslmode=prefer`), /^DATABASE_URL has sslmode=prefer; it must be disable/],
  [db(`u:${PASSWORD}@h/d?sslmode=verify-ca`), /verify-ca, which needs sslrootcert/],
  [db(`u:${PASSWORD}@h/d?sslrootcert=/nope`), /has sslrootcert without sslmode/],
  [
    db(`u:${PASSWORD}@h/d?sslmode=verify-full&sslrootcert=/nope`),
    /has sslrootcert=\/nope, which cannot be read \(ENOENT\)/,
  ],
  [{ DATABASE_POOL_SIZE: '1' }, /^DATABASE_POOL_SIZE must be a whole number from 2 to 500/],
  [{ CREDENTIALS_PEPPER: undefined }, /^CREDENTIALS_PEPPER is not set/],
  [{ CREDENTIALS_PEPPER: 'c2hvcnQ=' }, /^CREDENTIALS_PEPPER must be 32 random bytes/],
  [{ CREDENTIALS_PEPPER: Buffer.alloc(32).toString('base64') }, /PEPPER is not random: its 32/],
  [{ CREDENTIALS_PEPPER: SANDBOX.SECRETS_KEY }, /^CREDENTIALS_PEPPER is the same key as SECRETS/],
  [{ SECRETS_KEY: 'f'.repeat(64) }, /^SECRETS_KEY must be 32 random bytes/],
  [{ SECRETS_KEY: KEY_OF_TEXT }, /^SECRETS_KEY is not random: its bytes are text.*openssl rand/],
  [{ SECRETS_KEY: COUNTING }, /^SECRETS_KEY is not random: it counts/],
  [{ SECRETS_KEY: REPEATED }, /^SECRETS_KEY is not random: its second half repeats/],
  [{ SECRETS_KEY_PREVIOUS: SANDBOX.SECRETS_KEY }, /^SECRETS_KEY_PREVIOUS is the same key as SECR/],
  [{ SECRETS_KEY_PREVIOUS: 'old' }, /^SECRETS_KEY_PREVIOUS must be 32 random bytes/],
  [
    { SECRETS_KEY: undefined, SECRETS_KEY_FILE: '/nope/key' },
    /^SECRETS_KEY_FILE names "\/nope\/key", which cannot be read \(ENOENT\)/,
  ],
  [{ SECRETS_KEY_FILE: '/nope/key' }, /^SECRETS_KEY and SECRETS_KEY_FILE are both set: keep one/],
  [{ DATABASE_URL: undefined, DATABASE_URL_FILE: folder }, /^DATABASE_URL_FILE .*not a regular f/],
  [{ OPS_TOKEN: undefined, OPS_TOKEN_FILE: file('empty') }, /^OPS_TOKEN_FILE names .*is empty/],
  [{ OPS_TOKEN: 'secret' }, /^OPS_TOKEN must be 24 random characters or more/],
  [{ OPS_TOKEN: 'a'.repeat(40) }, /^OPS_TOKEN must be 24 random characters or more/],
  [{ HOST: 'http://0.0.0.0' }, /^HOST must be an IP address or a host name without scheme/],
  [{ HOST: '0.0.0.0:4010' }, /^HOST must be an IP address or a host name/],
  [{ HOST: '256.1.1.1' }, /^HOST must be an IP address or a host name/],
  [{ HOST: '' }, /^HOST must be an IP address or a host name/],
  [{ PORT: '99999' }, /^PORT must be a whole number from 0 to 65534/],
  [{ PORT: '0x10' }, /^PORT must be a whole number .* in plain digits, not "0x10"/],
  [{ PORT: ' 4010' }, /^PORT must be a whole number .* in plain digits, not " 4010"/],
  [{ PORT: '04010' }, /^PORT must be a whole number/],
  [{ PORT: '4010', OPS_PORT: '4010' }, /^OPS_PORT is 4010, which is PORT/],
  [{ RATE_LIMIT_WRITES: '1e3' }, /^RATE_LIMIT_WRITES must be a whole number/],
  [{ RATE_LIMIT_READS: '+5' }, /^RATE_LIMIT_READS must be a whole number/],
  [{ RATE_LIMIT_TOKENS: '-1' }, /^RATE_LIMIT_TOKENS must be a whole number/],
  [{ SHUTDOWN_DELAY_SECONDS: '301' }, /^SHUTDOWN_DELAY_SECONDS must be a whole number from 0/],
  [{ SHUTDOWN_GRACE_SECONDS: '20s' }, /^SHUTDOWN_GRACE_SECONDS must be a whole number/],
  [{ RETENTION_EVENTS_DAYS: '6' }, /^RETENTION_EVENTS_DAYS must be a whole number from 7/],
  [{ MAX_AMOUNT: '1e6' }, /^MAX_AMOUNT must be an amount above zero such as 10000.00, not "1e6"/],
  [{ MAX_AMOUNT: '10.005' }, /^MAX_AMOUNT must be an amount/],
  [{ MAX_AMOUNT: '10,000.00' }, /^MAX_AMOUNT must be an amount/],
  [{ MAX_AMOUNT: '0' }, /^MAX_AMOUNT must be an amount above zero/],
  [{ CURRENCY: 'JPY' }, /^CURRENCY must be a currency with two decimals/],
  [{ CURRENCY: 'cad' }, /^CURRENCY must be an ISO 4217 code/],
  [{ PUBLIC_API_URL: 'https://pay.example/v1/' }, /^PUBLIC_API_URL must have no .* final slash/],
  [{ PUBLIC_AUTH_URL: 'pay.example/token' }, /^PUBLIC_AUTH_URL must be an address that begins/],
  [{ PAYMENT_LINK_BASE: 'ftp://pay.example' }, /^PAYMENT_LINK_BASE must be an address/],
  [{ PAYMENT_LINK_BASE: ' https://pay.example' }, /^PAYMENT_LINK_BASE must be an address/],
  [{ TRUSTED_PROXIES: '0.0.0.0/0' }, /^TRUSTED_PROXIES has "0.0.0.0\/0", which believes .* strang/],
  [{ TRUSTED_PROXIES: '::/0' }, /^TRUSTED_PROXIES has "::\/0", which believes/],
  [{ TRUSTED_PROXIES: '10.0.0.0/8,proxy' }, /^TRUSTED_PROXIES has "proxy", which is not a CIDR/],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /^TRUSTED_PROXIES has "10.0.0.0\/33", which is not a CIDR/],
  [{ TRUSTED_PROXIES: '10/8' }, /^TRUSTED_PROXIES has "10\/8", which is not a CIDR/],
  [{ WEBHOOK_CA_FILE: '/nope.pem' }, /^WEBHOOK_CA_FILE names "\/nope.pem".*cannot be read \(ENOE/],
  [{ WEBHOOK_CA_FILE: '/etc/passwd' }, /^WEBHOOK_CA_FILE .*which holds no PEM certificate/],
  [{ WEBHOOK_CA_FILE: folder }, /^WEBHOOK_CA_FILE .*which is not a regular file/],
  [{ WEBHOOK_CA_FILE: file('pipe') }, /^WEBHOOK_CA_FILE .*which is not a regular file/],
  [{ WEBHOOK_CA_FILE: '/dev/zero' }, /^WEBHOOK_CA_FILE .*which is not a regular file/],
  [{ WEBHOOK_CA_FILE: file('large') }, /^WEBHOOK_CA_FILE .*which is above 1024 KiB/],
  [{ WEBHOOK_CA_FILE: file('damaged.pem') }, /^WEBHOOK_CA_FILE .*holds a damaged certificate/],
  [{ WEBHOOK_ALLOW_CIDRS: 'localhost' }, /^WEBHOOK_ALLOW_CIDRS has "localhost", which is not/],
  [{ WEBHOOK_ALLOW_PORTS: '443,https' }, /^WEBHOOK_ALLOW_PORTS must be a whole number/],
  [{ WEBHOOK_RESOLVERS: 'dns.example' }, /^WEBHOOK_RESOLVERS has "dns.example", which is not/],
  [
    { WEBHOOK_RETRY_SCHEDULE_SECONDS: '' },
    /^WEBHOOK_RETRY_SCHEDULE_SECONDS must name at least one/,
  ],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be debug or info or warn or error/],
  [{ E_TRANSFER_NETWORK: 'interac' }, /^E_TRANSFER_NETWORK must be simulated or bank-transfer/],
  [
    { E_TRANSFER_NETWORK: 'bank-transfer', CURRENCY: 'EUR', BANK_FILES_DIR: '/var/files' },
    /^E_TRANSFER_NETWORK is bank-transfer, which takes real money: it is for production alone/,
  ],
  [{ BANK_FILES_DIR: 'statements' }, /^BANK_FILES_DIR must be an absolute path, not "statements"/],
  [{ BANK_FILES_KEEP: '0' }, /^BANK_FILES_KEEP must be a whole number from 1 to 3650/],
  [{ BANK_MAX_AUTOMATIC: '0' }, /^BANK_MAX_AUTOMATIC must be an amount above zero/],
  [{ BANK_REFUNDS_DIR: 'refunds' }, /^BANK_REFUNDS_DIR must be an absolute path, not "refunds"/],
  [{ BANK_DEMO: '1' }, /^BANK_DEMO must be yes or no, not "1"/],
  [{ BANK_DEMO: 'yes' }, /^BANK_DEMO is yes, which is for E_TRANSFER_NETWORK=bank-transfer alone/],
  [
    { FAILPOINT: 'ledger-insert' },
    /^FAILPOINT names no failpoint.* before\/ledger-insert, .*answer-ready/,
  ],
  [
    { FAILPOINT: 'answer-ready:0' },
    /^FAILPOINT must be answer-ready or answer-ready:n, with n from 1/,
  ],
  [{ FAILPOINT: 'answer-ready:x' }, /^FAILPOINT must be answer-ready or answer-ready:n/],
  [{ FAILPOINT: 'answer-ready:1:1' }, /^FAILPOINT must be answer-ready or answer-ready:n/],
  [
    { FAILPOINT: 'answer-ready', NODE_ENV: 'production' },
    /^FAILPOINT is set, which kills this process: .* NODE_ENV is production/,
  ],
  [
    { FAILPOINT: 'ledger-insert', NODE_ENV: 'production' },
    /^FAILPOINT is set, which kills this process: .* NODE_ENV is production/,
  ],
  [{ ALLOW_SIMULATED_NETWORK: 'true' }, /^ALLOW_SIMULATED_NETWORK must be yes or no/],
  [
    { PUBLIC_API_URL: SANDBOX.PUBLIC_AUTH_URL, PUBLIC_AUTH_URL: SANDBOX.PUBLIC_API_URL },
    /^PUBLIC_API_URL and PUBLIC_AUTH_URL are swapped: PUBLIC_API_URL is the address of the API/,
  ],
  [{ PUBLIC_API_URL: SANDBOX.PUBLIC_AUTH_URL }, /^PUBLIC_API_URL and PUBLIC_AUTH_URL are swapped/],
  [{ PUBLIC_AUTH_URL: SANDBOX.PUBLIC_API_URL }, /^PUBLIC_AUTH_URL has the path of PUBLIC_API_URL/],
  [
    { PUBLIC_API_URL: 'https://pay.example/api', PUBLIC_AUTH_URL: 'https://id.example/api' },
    /^PUBLIC_AUTH_URL has the path of PUBLIC_API_URL: each needs/,
  ],
  [
    { PAYMENT_LINK_BASE: SANDBOX.PUBLIC_API_URL },
    /^PAYMENT_LINK_BASE lies in the path of PUBLIC_A/,
  ],
  [{ PAYMENT_LINK_BASE: 'https://x.example/v1/p' }, /^PAYMENT_LINK_BASE lies in the path of PUBLI/],
  [{ PAYMENT_LINK_BASE: SANDBOX.PUBLIC_AUTH_URL }, /^PAYMENT_LINK_BASE lies in .* PUBLIC_AUTH_URL/],
  [
    { CONSOLE_ROLES: 'ops=operator' },
    /^CONSOLE_ROLES is set, and CONSOLE_OIDC_ISSUER is not set: .* Set both, or neither/,
  ],
  [{ CONSOLE_OIDC_CLIENT_ID: 'c' }, /^CONSOLE_OIDC_CLIENT_ID is set, and CONSOLE_OIDC_ISSUER is/],
  [
    { CONSOLE_OIDC_CLIENT_SECRET: PASSWORD },
    /^CONSOLE_OIDC_CLIENT_SECRET is set, and CONSOLE_OIDC/,
  ],
  [{ MAIL_FROM: 'a@pay.example' }, /^MAIL_FROM is set, and MAIL_SMTP_URL is not set: no/],
  [
    { MAIL_FROM: 'a@pay.example', MAIL_SMTP_URL: 'http://mail.example' },
    /^MAIL_SMTP_URL must be smtps/,
  ],
  [{ SMS_URL: 'https://relay.example' }, /^SMS_URL is set, and SMS_TOKEN is not set: the relay/],
  [{ SMS_TOKEN }, /^SMS_TOKEN is set, and SMS_URL is not set: no SMS leaves/],
  [{ SMS_URL: 'http://relay.example', SMS_TOKEN }, /^SMS_URL must begin with https:\/\/, but/],
  [{ SMS_URL: 'https://u:p@relay.example', SMS_TOKEN }, /^SMS_URL must have no user/],
  [{ SMS_URL: 'ftp://relay.example', SMS_TOKEN }, /^SMS_URL must be an address that begins/],
  [{ SMS_COUNTRY_CODE: '+1' }, /^SMS_COUNTRY_CODE must be the one to three digits/],
  [{ NOTICES_FROM: 'a@pay.example' }, /^NOTICES_FROM is called MAIL_FROM now: rename/],
  [
    { NOTICES_SMTP_URL: 'smtp://mail.example' },
    /^NOTICES_SMTP_URL is called MAIL_SMTP_URL now: rename the setting/,
  ],
  [{ BANK_FILES_DIR: '/var/in' }, /^BANK_FILES_DIR is set, and E_TRANSFER_NETWORK is not bank-tra/],
  [
    { BANK_REFUNDS_DIR: '/var/out' },
    /^BANK_REFUNDS_DIR is set, and E_TRANSFER_NETWORK is not bank/,
  ],
  [{ DATABASE_REPLICA_URL: SANDBOX.DATABASE_URL }, /^DATABASE_REPLICA_URL is the database of DATA/],
  [
    { DATABASE_REPLICA_URL: 'postgres://reader@localhost/payments' },
    /^DATABASE_REPLICA_URL is the database of DATABASE_URL, which is no replica of itself/,
  ],
];

/** Adds the fault to a good production configuration. */
const PRODUCTION_ROWS: readonly (readonly [Settings, RegExp])[] = [
  [{ E_TRANSFER_NETWORK: undefined }, /^E_TRANSFER_NETWORK is not set: .* must name its network/],
  [{ ALLOW_SIMULATED_NETWORK: undefined }, /needs ALLOW_SIMULATED_NETWORK=yes/],
  [{ PUBLIC_API_URL: 'http://pay.example/v1' }, /^PUBLIC_API_URL begins with http:\/\/.*https/],
  [{ PUBLIC_AUTH_URL: 'http://10.0.0.1/token' }, /^PUBLIC_AUTH_URL begins with http:\/\//],
  [{ PAYMENT_LINK_BASE: 'http://pay.example' }, /^PAYMENT_LINK_BASE begins with http:\/\//],
  [{ OPS_HOST: '0.0.0.0' }, /^OPS_HOST is 0.0.0.0, which other machines reach.* OPS_TOKEN/],
  [{ OPS_HOST: '::' }, /^OPS_HOST is ::, which other machines reach/],
  [{ WEBHOOK_ALLOW_CIDRS: '0.0.0.0/0' }, /^WEBHOOK_ALLOW_CIDRS has "0.0.0.0\/0".*private range/],
  [{ WEBHOOK_ALLOW_CIDRS: '10.0.0.0/7' }, /^WEBHOOK_ALLOW_CIDRS has "10.0.0.0\/7"/],
  [{ WEBHOOK_ALLOW_CIDRS: '169.254.0.0/16' }, /^WEBHOOK_ALLOW_CIDRS has "169.254.0.0\/16"/],
  [{ WEBHOOK_ALLOW_CIDRS: '::/0' }, /^WEBHOOK_ALLOW_CIDRS has "::\/0"/],
  [{ FAILPOINT: 'answer-ready' }, /^FAILPOINT is set, .* tests, and ENVIRONMENT is production/],
];

/** Adds the fault to a good connection to a bank. */
const SFTP_ROWS: readonly (readonly [Settings, RegExp])[] = [
  ...['https://bank.example', 'sftp://bank.example', 'shop@bank.example', 'sftp://s%zz@b'].map(
    (BANK_SFTP_URL) =>
      [{ BANK_SFTP_URL }, /^BANK_SFTP_URL must be sftp:\/\/user@host:22\.$/] as const,
  ),
  [
    { BANK_SFTP_URL: `sftp://shop:${PASSWORD}@bank.example` },
    /^BANK_SFTP_URL must be sftp:\/\/user@host:22, without a password/,
  ],
  [
    { BANK_SFTP_URL: 'sftp://shop@bank.example/out' },
    /^BANK_SFTP_URL must be sftp:\/\/user@host:22, without a path/,
  ],
  [{ BANK_SFTP_URL: '' }, /^BANK_SFTP_URL is not set, and other settings of the connection are/],
  [
    { BANK_SFTP_PASSWORD: undefined },
    /^BANK_SFTP_URL needs either BANK_SFTP_KEY_FILE or BANK_SFTP_PASSWORD_FILE/,
  ],
  [{ BANK_SFTP_KEY: '-----BEGIN OPENSSH PRIVATE KEY-----' }, /^BANK_SFTP_URL needs either BANK_S/],
  [{ BANK_SFTP_KEY: 'ssh-ed25519 AAAA' }, /^BANK_SFTP_KEY must be a private key, as ssh-keygen -t/],
  [
    { BANK_SFTP_KEY_PASSPHRASE: PASSWORD },
    /^BANK_SFTP_KEY_PASSPHRASE is set, and BANK_SFTP_KEY is/,
  ],
  [{ BANK_SFTP_HOST_KEY: '' }, /^BANK_SFTP_HOST_KEY is not set: nothing proves that the server is/],
  [{ BANK_SFTP_HOST_KEY: 'MD5:aa:bb' }, /^BANK_SFTP_HOST_KEY must be SHA256: and 43 characters/],
  [
    { BANK_SFTP_HOST_KEY: `${SFTP.BANK_SFTP_HOST_KEY},SHA256:AAAA` },
    /^BANK_SFTP_HOST_KEY must be .*, not "SHA256:AAAA"/,
  ],
  [
    { BANK_SFTP_STATEMENTS: '' },
    /^BANK_SFTP_URL needs BANK_SFTP_STATEMENTS, BANK_SFTP_PAYMENTS or/,
  ],
  [{ BANK_SFTP_STATEMENTS: '/out/' }, /^BANK_SFTP_STATEMENTS must end in a pattern, as \/out\/\*/],
  [{ BANK_SFTP_STATEMENTS: '/*/a.xml' }, /^BANK_SFTP_STATEMENTS has a pattern in its folder/],
  [{ BANK_SFTP_STATEMENTS: '../*.xml' }, /^BANK_SFTP_STATEMENTS must be a folder such as \/in/],
  [{ BANK_SFTP_REPORTS: '/reports/' }, /^BANK_SFTP_REPORTS must end in a pattern/],
  [{ BANK_SFTP_PAYMENTS: '/in/../out' }, /^BANK_SFTP_PAYMENTS must be a folder such as \/in, not/],
  [{ BANK_SFTP_PAYMENTS: '/in\n' }, /^BANK_SFTP_PAYMENTS must be a folder such as \/in, not/],
  [
    { ...PAYING, BANK_SFTP_ACCOUNTS: '' },
    /^BANK_SFTP_ACCOUNTS is not set: BANK_SFTP_PAYMENTS needs the accounts that pay there/,
  ],
  [
    { ...PAYING, BANK_REFUNDS_DIR: undefined },
    /^BANK_REFUNDS_DIR is not set: BANK_SFTP_PAYMENTS needs its journal/,
  ],
  [{ BANK_SFTP_ACCOUNTS: `${ACCOUNT},DE1` }, /^BANK_SFTP_ACCOUNTS has "DE1", which is no IBAN \(/],
  ...['CA:00312345:1', 'XX:1:12345'].map(
    (BANK_SFTP_ACCOUNTS) =>
      [
        { BANK_SFTP_ACCOUNTS },
        /^BANK_SFTP_ACCOUNTS has ".*", which is no account such as CA/,
      ] as const,
  ),
  [{ BANK_SFTP_RELEASE: 'nobody' }, /^BANK_SFTP_RELEASE must be person or bank, not "nobody"/],
  ...['keep', 'move:', 'move'].map(
    (BANK_SFTP_AFTER) =>
      [
        { BANK_SFTP_AFTER },
        /^BANK_SFTP_AFTER must be leave, delete or move:FOLDER, not "/,
      ] as const,
  ),
  [{ BANK_SFTP_AFTER: 'move:../x' }, /^BANK_SFTP_AFTER must be a folder such as \/in, not "..\/x"/],
  [{ BANK_SFTP_AFTER: 'move:/out/' }, /^BANK_SFTP_AFTER moves files into \/out, which this conn/],
  [
    { BANK_SFTP_REPORTS: '/reports/*', BANK_SFTP_AFTER: 'move:/reports' },
    /^BANK_SFTP_AFTER moves files into \/reports, which this connection reads/,
  ],
  ...['0', '1441', '2.5'].map(
    (BANK_SFTP_EVERY) =>
      [{ BANK_SFTP_EVERY }, /^BANK_SFTP_EVERY must be a whole number from 1 to 1440/] as const,
  ),
  [
    { ...SECOND, BANK_SFTP_2_HOST_KEY: undefined },
    /^BANK_SFTP_2_HOST_KEY is not set: nothing proves/,
  ],
  [{ BANK_SFTP_9_STATEMENTS: '/out/*' }, /^BANK_SFTP_9_URL is not set, and other settings of the/],
  [{ BANK_SFTP_3_KEY_PASSPHRASE: PASSWORD }, /^BANK_SFTP_3_URL is not set, and other settings/],
  [
    { ...SECOND, ...PAYING, BANK_SFTP_2_ACCOUNTS: ACCOUNT },
    /^BANK_SFTP_2_ACCOUNTS names …3000, which BANK_SFTP_ACCOUNTS has: an account belongs to one/,
  ],
  [
    { BANK_FILES_DIR: undefined, E_TRANSFER_NETWORK: 'simulated', ALLOW_SIMULATED_NETWORK: 'yes' },
    /^BANK_SFTP_URL is set, and E_TRANSFER_NETWORK is not bank-transfer/,
  ],
  ...['KEY', 'KEY_PASSPHRASE', 'PASSWORD'].flatMap((name) =>
    ['604', '602'].map(
      (mode) =>
        [
          { BANK_SFTP_PASSWORD: undefined, [`BANK_SFTP_${name}_FILE`]: file(`secret-${mode}`) },
          new RegExp(`^BANK_SFTP_${name}_FILE names .*, which every user may read: chmod o-rwx`),
        ] as const,
    ),
  ),
];

/** Starts, with one warning: it may be meant. */
const DOUBTFUL_ROWS: readonly (readonly [Settings, RegExp])[] = [
  [{ PAYMENT_LINK_BASE: 'https://p.example/p' }, /^PAYMENT_LINK_BASE is on p.example, and PUBLIC_/],
  [{ PUBLIC_AUTH_URL: 'https://id.example/token' }, /^PUBLIC_AUTH_URL is on id.example, and PUBL/],
  [{ DATABASE_REPLICA_LAG: '5' }, /^DATABASE_REPLICA_LAG is set, and DATABASE_REPLICA_URL is not/],
  [{ CONSOLE_ROLES_CLAIM: 'roles' }, /^CONSOLE_ROLES_CLAIM is set, and CONSOLE_OIDC_ISSUER is not/],
  [{ CONSOLE_OIDC_SCOPES: 'openid' }, /^CONSOLE_OIDC_SCOPES is set, and CONSOLE_OIDC_ISSUER is no/],
  [{ BANK_FILES_KEEP: '7' }, /^BANK_FILES_KEEP is set, and E_TRANSFER_NETWORK is not bank-transf/],
  [{ BANK_MAX_AUTOMATIC: '7' }, /^BANK_MAX_AUTOMATIC is set, and E_TRANSFER_NETWORK is not bank-t/],
  [{ APPROVAL_REFUNDS_ABOVE: '7' }, /^APPROVAL_REFUNDS_ABOVE is set, and APPROVALS is not yes: no/],
  [{ ALLOW_SIMULATED_NETWORK: 'yes' }, /^ALLOW_SIMULATED_NETWORK is set, and E_TRANSFER_NETWORK i/],
  [
    { E_TRANSFER_NETWORK: 'simulated' },
    /^E_TRANSFER_NETWORK is set, and ENVIRONMENT is not produc/,
  ],
];

const GOOD: readonly (readonly [string, Settings])[] = [
  ['the sandbox', SANDBOX],
  ['production', PRODUCTION],
  ['bank transfers in euros', BANK],
  ['bank transfers in Canadian dollars', { ...BANK, CURRENCY: undefined }],
  ['a connection to a bank', SFTP],
  ['two connections that pay', { ...SFTP, ...PAYING, ...SECOND, BANK_SFTP_AFTER: 'move:/done' }],
  ...['secret-600', 'secret-640'].map((name): [string, Settings] => [
    `a key in a file of the service and its group: ${name}`,
    { ...SFTP, BANK_SFTP_PASSWORD: undefined, BANK_SFTP_KEY_FILE: file(name) },
  ]),
  ['bank transfers in US dollars', { ...BANK, CURRENCY: 'USD' }],
  ['bank transfers in Swiss francs', { ...BANK, CURRENCY: 'CHF' }],
  ['bank transfers in Czech crowns', { ...BANK, CURRENCY: 'CZK', BANK_DEMO: 'yes' }],
  [
    'production on this machine alone, over http',
    {
      ...PRODUCTION,
      PUBLIC_API_URL: 'http://localhost:4110/v1',
      PUBLIC_AUTH_URL: 'http://127.0.0.1:4110/oauth2/token',
      PAYMENT_LINK_BASE: 'http://[::1]:4110/pay',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128,10.1.0.0/16,fd00::/8',
      OPS_HOST: '::1',
    },
  ],
  ['a token for the operators', { ...PRODUCTION, OPS_HOST: '0.0.0.0', OPS_TOKEN: newKey() }],
  ['escaped characters', { ...SANDBOX, ...db('u:a%23b%2Fc%40d%25@h:5432/d?sslmode=require') }],
  ['an IPv6 database', { ...SANDBOX, ...db('u:p@[::1]:5432/d') }],
  ['a socket', { ...SANDBOX, ...db('u:p@/d?host=/var/run/postgresql') }],
  ['a weak key that is replaced', { ...SANDBOX, SECRETS_KEY_PREVIOUS: KEY_OF_TEXT }],
  ['a name as host', { ...SANDBOX, HOST: 'localhost' }],
  ['a failpoint in the sandbox', { ...SANDBOX, FAILPOINT: 'after/ledger-insert:2' }],
  ['a secret from a file', { ...SANDBOX, SECRETS_KEY: undefined, SECRETS_KEY_FILE: file('key') }],
];

function told(settings: Settings): CliFailure {
  try {
    readConfig(settings);
    return { exitCode: 0, lines: [] };
  } catch (error) {
    return reportError(error);
  }
}

describe('a misconfiguration', () => {
  const key = newKey();
  before(() => {
    writeFileSync(file('empty'), '\n');
    writeFileSync(file('large'), 'a'.repeat(1_048_577));
    execFileSync('mkfifo', [file('pipe')]);
    writeFileSync(file('key'), `${key}\r\n`);
    for (const mode of ['600', '640', '604', '602']) {
      writeFileSync(file(`secret-${mode}`), '-----BEGIN OPENSSH PRIVATE KEY-----\n');
      chmodSync(file(`secret-${mode}`), `0${mode}`);
    }
    const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    writeFileSync(file('damaged.pem'), damaged);
  });
  after(() => rmSync(folder, { recursive: true }));

  const rows: readonly (Misconfiguration & { readonly name: string })[] = [
    { name: 'sandbox', good: SANDBOX, changes: SANDBOX_ROWS },
    { name: 'production', good: PRODUCTION, changes: PRODUCTION_ROWS },
    { name: 'SFTP', good: SFTP, changes: SFTP_ROWS },
  ].flatMap(({ name, good, changes }) =>
    changes.map(([change, sentence]) => {
      const words = Object.entries(change).map(([each, text]) => `${each}=${text ?? '(not set)'}`);
      const settings = { ...good, ...change };
      return { name: `${name} ${words.join(' ').slice(0, 90)}`, settings, sentence };
    }),
  );

  for (const { name, settings, sentence } of rows) {
    it(`ends with 78 and one sentence: ${name}`, () => {
      const { exitCode, lines } = told(settings);
      assert.equal(exitCode, 78);
      const [heading, fault = '', ...rest] = lines;
      assert.match(heading ?? '', /The configuration has faults/);
      assert.match(fault.replace(/^- /, ''), sentence);
      assert.match(fault, /\.$/);
      assert.deepEqual(rest, []);
      assert.ok(!fault.includes(PASSWORD), 'the password stays hidden');
    });
  }

  for (const [change, sentence] of DOUBTFUL_ROWS) {
    it(`starts with one warning: ${Object.entries(change)[0]?.join('=')}`, () => {
      const settings = { ...SANDBOX, ...change };
      assert.deepEqual(told(settings), { exitCode: 0, lines: [] });
      const [warning = '', ...rest] = doubtfulSettings(settings);
      assert.match(warning, sentence);
      assert.match(warning, /\.$/);
      assert.deepEqual(rest, []);
    });
  }

  it('gives no warning in a good configuration', () => {
    for (const settings of [SANDBOX, PRODUCTION, BANK]) {
      assert.deepEqual(doubtfulSettings(settings), []);
    }
  });

  for (const [name, settings] of GOOD) {
    it(`is not ${name}`, () => assert.deepEqual(told(settings), { exitCode: 0, lines: [] }));
  }

  it('leaves no range of proxies for the HTTP server to refuse', () => {
    for (const TRUSTED_PROXIES of ['10.0.0.0/8', '192.0.2.1,::1', 'fd00::/16', '2001:db8::1/128']) {
      const { trustedProxies } = readConfig({ ...SANDBOX, TRUSTED_PROXIES });
      assert.doesNotThrow(() => fastify({ trustProxy: [...trustedProxies] }));
    }
  });

  it('keeps the text of a secret file without its line end', () => {
    const settings = { ...SANDBOX, SECRETS_KEY: undefined, SECRETS_KEY_FILE: file('key') };
    assert.equal(readConfig(settings).secretsKey.current.toString('base64'), key);
  });
});
