import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { readConfig } from '../../src/config.ts';
import { SETTINGS, type SettingName } from '../../src/settings.ts';

const FOLDER = fileURLToPath(new URL('../../../deploy/systemd/', import.meta.url));
const API = 'payment-requests-api@.service';
const BACKGROUND = 'payment-requests-background.service';
const MIGRATION = 'payment-requests-migrate.service';
const JOB = 'payment-requests-job@.service';
const MAIL = 'payment-requests-failed@.service';
const UNITS = [API, BACKGROUND, MIGRATION, JOB];
/** Settings that only some deployments have: a credential without a file would stop the unit. */
const OPTIONAL = [
  'DATABASE_REPLICA_URL',
  'MAIL_SMTP_URL',
  'MAIL_DKIM_KEY',
  'CONSOLE_OIDC_CLIENT_SECRET',
  'SECRETS_KEY_PREVIOUS',
  'CREDENTIALS_PEPPER_PREVIOUS',
  'SMS_TOKEN',
  'SMS_RECEIPT_TOKEN',
  'BANK_SFTP_KEY',
  'BANK_SFTP_KEY_PASSPHRASE',
  'BANK_SFTP_PASSWORD',
];
const SECRETS = Object.entries(SETTINGS)
  .filter(
    ([, setting]) =>
      'secret' in setting && setting.secret && !('isFurther' in setting && setting.isFurther),
  )
  .map(([name]) => name);
/** After a drain: time for the last log lines (docs/operations/upgrade.md). */
const BEYOND_GRACE_SECONDS = 10;

/** The values of each name, in order, as systemd reads them. */
function read(unit: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const line of readFileSync(join(FOLDER, unit), 'utf8').split('\n')) {
    const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name) values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
}

function environmentOf(unit: string): Record<string, string | undefined> {
  return parseEnv((read(unit).get('Environment') ?? []).join('\n'));
}

describe('the systemd units', () => {
  it('are those of the install page and of the jobs', () => {
    const units = readdirSync(FOLDER).filter((name) => name.endsWith('.service'));
    assert.deepEqual(units.sort(), [...UNITS, MAIL].sort());
  });

  it('run each job of the page, and send a mail after a failure', () => {
    const script = readFileSync(join(FOLDER, 'run-job'), 'utf8');
    const page = readFileSync(join(FOLDER, '../../docs/operations/jobs.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `([\w-]+)` \| (?:daily|often) \|/gm)];
    const cases = [...script.matchAll(/^ {2}([a-z-]+)\) /gm)].map(([, name]) => name);
    assert.deepEqual(cases, [...documented.map(([, name]) => name), 'mail']);
    for (const [, timer, job] of page.matchAll(/payment-requests-(\w+)@([\w-]+)\.timer/g)) {
      assert.ok(
        documented.some(([row]) => row === `| \`${job}\` | ${timer} |`),
        job,
      );
    }
    assert.deepEqual(read(JOB).get('OnFailure'), ['payment-requests-failed@%n.service']);
    const ran = [JOB, MAIL].map((unit) => read(unit).get('ExecStart')?.[0]?.split('/run-job ')[1]);
    assert.deepEqual(ran, ['%i', 'mail %i']);
  });

  for (const unit of [API, BACKGROUND]) {
    it(`${unit} waits for the whole drain, and restarts what a restart can help`, () => {
      const values = read(unit);
      const env = environmentOf(unit);
      const drain = Number(env.SHUTDOWN_DELAY_SECONDS) + Number(env.SHUTDOWN_GRACE_SECONDS);
      assert.deepEqual(values.get('TimeoutStopSec'), [`${drain + BEYOND_GRACE_SECONDS}`]);
      assert.deepEqual(values.get('KillMode'), ['mixed']);
      assert.deepEqual(values.get('Restart'), ['on-failure']);
      assert.deepEqual(values.get('RestartPreventExitStatus'), ['78 2']);
    });
  }

  for (const unit of UNITS) {
    it(`${unit} gets each secret as a credential, and no secret in its environment`, () => {
      const loaded = (read(unit).get('LoadCredential') ?? []).map((text) => text.split(':')[0]);
      const env = environmentOf(unit);
      const required = SECRETS.filter((name) => !OPTIONAL.includes(name));
      for (const name of required) {
        const credential = name.toLowerCase().replaceAll('_', '-');
        assert.equal(env[`${name}_FILE`], `%d/${credential}`);
        assert.ok(loaded.includes(credential), name);
      }
      assert.equal(loaded.length, required.length);
      const text = readFileSync(join(FOLDER, unit), 'utf8');
      for (const name of OPTIONAL) assert.ok(text.includes(name), name);
      for (const name of SECRETS) assert.equal(env[name], undefined, name);
    });
  }
  for (const unit of [...UNITS, MAIL]) {
    it(`${unit} has the sandbox of the others`, () => {
      assert.equal(sandboxOf(unit), sandboxOf(API));
      assert.match(sandboxOf(unit), /^SystemCallFilter=~@privileged$/m);
    });
  }

  it('give the migration alone the database’s owner', () => {
    const owner = '/etc/payment-requests/credentials/owner-database-url';
    for (const unit of UNITS) {
      const isOwner = readFileSync(join(FOLDER, unit), 'utf8').includes(owner);
      assert.equal(isOwner, unit === MIGRATION, unit);
    }
    for (const unit of [API, BACKGROUND]) {
      assert.match(read(unit).get('ExecStart')?.[0] ?? '', / serve --no-migrate --roles \w+$/);
    }
  });
});

describe('the example of the settings file', () => {
  it('is a complete configuration, once the secrets have values', () => {
    const values = parseEnv(readFileSync(join(FOLDER, 'payment-requests.env.example'), 'utf8'));
    const names = Object.keys(values).map((name) => name.replace(/_FILE$/, '') as SettingName);
    for (const name of names) assert.ok(SETTINGS[name], name);
    const plain = Object.entries(values).filter(([name]) => !name.endsWith('_FILE'));
    const key = () => randomBytes(32).toString('base64');
    const config = readConfig({
      ...Object.fromEntries(plain),
      DATABASE_URL: 'postgres://payreq_runtime@localhost/payments',
      SECRETS_KEY: key(),
      CREDENTIALS_PEPPER: key(),
      OPS_TOKEN: 'a-token-of-this-test-that-is-long-enough',
    });
    assert.equal(config.environment, 'sandbox');
  });
});

/** The lines from the account to the end of the section. */
function sandboxOf(unit: string): string {
  const text = readFileSync(join(FOLDER, unit), 'utf8');
  return text.slice(text.indexOf('\nUser=')).split('\n[Install]')[0]?.trim() ?? '';
}
