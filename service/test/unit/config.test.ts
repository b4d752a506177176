import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { payingConnection } from '#lib/bank/bank-connection.ts';
import { ConfigFaults, describeSettings, readConfig } from '../../src/config.ts';

const newKey = () => randomBytes(32).toString('base64');
const KEY = newKey();

const GOOD = {
  ENVIRONMENT: 'sandbox',
  DATABASE_URL: 'postgres://user:secret@localhost/payments',
  CREDENTIALS_PEPPER: newKey(),
  SECRETS_KEY: KEY,
  PUBLIC_API_URL: 'http://localhost:4010/v1',
  PUBLIC_AUTH_URL: 'http://localhost:4010/oauth2/token',
  PAYMENT_LINK_BASE: 'http://localhost:4010/pay',
};

function faultsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigFaults);
    return error.faults;
  }
}

describe('the configuration', () => {
  it('reads what is given and takes the defaults for the rest', () => {
    const config = readConfig(GOOD);
    assert.equal(config.environment, 'sandbox');
    assert.equal(config.port, 4010);
    assert.equal(config.opsPort, 4011);
    assert.equal(config.opsHost, '127.0.0.1');
    assert.equal(config.maxAmountCents, 1_000_000);
    assert.deepEqual(config.webhookAllowPorts, [443]);
    assert.deepEqual(config.webhookAllowCidrs, []);
    assert.equal(config.eTransferNetwork, null);
    assert.equal(config.timeZone, 'UTC');
    const ways = { connections: [], programRelease: 'person' };
    const folders = { filesDir: null, refundsDir: null, ...ways, calendar: 'CA' };
    const bank = { ...folders, keepDays: 30, maxAutomaticCents: 1_000_000, isDemo: false };
    assert.deepEqual(config.bank, bank);
    const canadian = readConfig({ ...GOOD, TIME_ZONE: 'america/toronto' });
    assert.equal(canadian.timeZone, 'America/Toronto');
    assert.ok(Object.isFrozen(config));
  });

  it('lists every fault at once', () => {
    const faults = faultsOf({
      ...GOOD,
      ENVIRONMENT: 'test',
      PORT: '99999',
      SECRETS_KEY: undefined,
    });
    assert.equal(faults.length, 3);
    assert.match(faults.join('\n'), /ENVIRONMENT must be sandbox or production/);
    assert.match(faults.join('\n'), /PORT must be a whole number/);
    assert.match(faults.join('\n'), /SECRETS_KEY is not set/);
  });

  it('knows a British account by its IBAN and by its scheme', () => {
    const connection = (infix: string, account: string) => ({
      [`BANK_SFTP_${infix}URL`]: 'sftp://shop@bank.example',
      [`BANK_SFTP_${infix}PASSWORD`]: 'secret',
      [`BANK_SFTP_${infix}HOST_KEY`]: `SHA256:${'A'.repeat(43)}`,
      [`BANK_SFTP_${infix}PAYMENTS`]: '/in',
      [`BANK_SFTP_${infix}ACCOUNTS`]: account,
    });
    const names = ['GB29NWBK60161331926819', 'GB:601613:31926819'] as const;
    const env = {
      ...{ ...GOOD, ENVIRONMENT: 'production', E_TRANSFER_NETWORK: 'bank-transfer' },
      ...{ BANK_FILES_DIR: '/files', BANK_REFUNDS_DIR: '/refunds', RETENTION_YEARS: '0' },
    };
    for (const [at, name] of names.entries()) {
      const one = { ...env, ...connection('', name) };
      const { connections } = readConfig(one).bank;
      for (const each of names) assert.equal(payingConnection(connections, each)?.number, 1);
      const both = { ...one, ...connection('2_', names[1 - at] ?? '') };
      assert.match(faultsOf(both).join(), /an account belongs to one connection/);
    }
  });

  it('refuses approvals without an identity provider: nobody could approve', () => {
    const provider = { CONSOLE_OIDC_ISSUER: 'https://id.example', CONSOLE_OIDC_CLIENT_ID: 'c' };
    const on = { ...GOOD, APPROVALS: 'yes', APPROVAL_REFUNDS_ABOVE: '250' };
    assert.match(faultsOf(on).join(), /APPROVALS is yes, and CONSOLE_OIDC_ISSUER is not set/);
    const { approvals } = readConfig({ ...on, ...provider, CONSOLE_ROLES: 'ops=operator' });
    assert.deepEqual(approvals, { isOn: true, refundsAboveCents: 25_000 });
    const off = { isOn: false, refundsAboveCents: 0 };
    assert.deepEqual(readConfig(GOOD).approvals, off);
  });

  const bad: readonly [string, string, RegExp][] = [
    ['DATABASE_URL', 'mysql://x', /postgres/],
    ['SECRETS_KEY', 'c2hvcnQ=', /32 random bytes/],
    ['PUBLIC_API_URL', 'https://pay.example/v1/', /final slash/],
    ['PAYMENT_LINK_BASE', 'ftp://pay.example', /begins with/],
    ['CURRENCY', 'JPY', /two decimals/],
    ['CELL', '0', /a whole number from 1 to 999/],
    ['CELL', '1000', /a whole number from 1 to 999/],
    ['CELL', 'c2', /a whole number from 1 to 999 in plain digits, not "c2"/],
    ['CELL', '02', /in plain digits/],
    ['CURRENCY', 'cad', /ISO 4217/],
    ['TIME_ZONE', 'Toronto', /must be an IANA time zone such as America\/Toronto, not "Toronto"/],
    ['TIME_ZONE', '-05:00', /IANA time zone/],
    ['TIME_ZONE', '', /IANA time zone/],
    ['MAX_AMOUNT', '10.005', /amount/],
    ['TRUSTED_PROXIES', '10.0.0.0/8,proxy', /"proxy"/],
    ['WEBHOOK_ALLOW_PORTS', '443,https', /whole number/],
    ['WEBHOOK_RETRY_SCHEDULE_SECONDS', '', /at least one/],
    ['RATE_LIMIT_WRITES', '-1', /whole number/],
    ['LOG_LEVEL', 'loud', /debug/],
    ['DATABASE_POOL_SIZE', '1', /from 2/],
    ['RETENTION_EVENTS_DAYS', '6', /from 7/],
    ['CONSOLE_OIDC_ISSUER', 'http://login.example', /begins with https/],
    ['CONSOLE_OIDC_ISSUER', 'https://login.example?x=1', /no query, fragment or user/],
    ['CONSOLE_OIDC_ISSUER', 'https://a:b@login.example', /no query, fragment or user/],
    ['CONSOLE_OIDC_SCOPES', 'profile', /must hold openid/],
    ['CONSOLE_ROLES', 'ops=root', /whose role is none/],
  ];
  for (const [name, value, words] of bad) {
    it(`refuses ${name}=${value}`, () => {
      const faults = faultsOf({ ...GOOD, [name]: value });
      assert.equal(faults.length, 1);
      assert.match(faults[0] ?? '', new RegExp(`^${name} `));
      assert.match(faults[0] ?? '', words);
    });
  }

  it('asks a production deployment for its network, and twice for the simulated one', () => {
    const production = { ...GOOD, ENVIRONMENT: 'production' };
    assert.match(faultsOf(production).join(), /must name its network/);
    const simulated = { ...production, E_TRANSFER_NETWORK: 'simulated' };
    assert.match(faultsOf(simulated).join(), /ALLOW_SIMULATED_NETWORK=yes/);
    assert.deepEqual(faultsOf({ ...simulated, ALLOW_SIMULATED_NETWORK: 'yes' }), []);
  });

  it('asks an identity provider for its client and the roles of its people', () => {
    const issuer = { ...GOOD, CONSOLE_OIDC_ISSUER: 'https://login.example/' };
    const faults = faultsOf(issuer);
    assert.equal(faults.length, 2);
    assert.match(faults.join('\n'), /^CONSOLE_OIDC_CLIENT_ID is not set/m);
    assert.match(faults.join('\n'), /^CONSOLE_ROLES is not set/m);
    const whole = { ...issuer, CONSOLE_OIDC_CLIENT_ID: 'console', CONSOLE_ROLES: 'ops=operator' };
    assert.deepEqual(faultsOf(whole), []);
    assert.deepEqual(faultsOf({ ...whole, CONSOLE_OIDC_ISSUER: 'http://localhost:9000' }), []);
  });

  it('reads the settings of bank transfers', () => {
    const { bank, eTransferNetwork } = readConfig({
      ...GOOD,
      ENVIRONMENT: 'production',
      E_TRANSFER_NETWORK: 'bank-transfer',
      CURRENCY: 'EUR',
      BANK_FILES_DIR: '/var/lib/statements',
      BANK_FILES_KEEP: '7',
      BANK_MAX_AUTOMATIC: '250.50',
      BANK_REFUNDS_DIR: '/var/lib/refunds',
      BANK_DEMO: 'yes',
    });
    assert.equal(eTransferNetwork, 'bank-transfer');
    const ways = { connections: [], programRelease: 'person' };
    const read = { keepDays: 7, maxAutomaticCents: 25_050, isDemo: true, ...ways };
    const calendar = 'TARGET';
    const folders = { filesDir: '/var/lib/statements', refundsDir: '/var/lib/refunds' };
    assert.deepEqual(bank, { ...folders, ...read, calendar });
  });

  it('is described with secrets blanked', () => {
    const described = JSON.stringify(describeSettings(GOOD));
    assert.ok(!described.includes('secret@'));
    assert.ok(!described.includes(KEY));
    assert.ok(described.includes('http://localhost:4010/v1'));
  });
});
