import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { migrate } from '#database/schema/migrate.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { type CliFailure, reportError } from '../../../src/commands/cli/report-error.ts';
import { readDatabaseUrl } from '../../../src/settings/read-database-url.ts';
import { startTlsPostgres, type TlsPostgres } from '../../support/network/tls-postgres.ts';
import { settingsOf } from '../../support/service/service.ts';
import { createTestAuthority, type TestAuthority } from '../../support/webhooks/https-listener.ts';
import { refusedServe } from '../refused-serve.ts';
import { runCli } from '../run-cli.ts';

let postgres: TlsPostgres;
let authority: TestAuthority;

before(async () => {
  authority = await createTestAuthority();
  postgres = await startTlsPostgres(authority, ['localhost']);
  await postgres.sql('CREATE DATABASE payments');
  await postgres.sql("CREATE ROLE powerless LOGIN PASSWORD 'powerless'");
  await postgres.sql("CREATE ROLE standby SUPERUSER LOGIN PASSWORD 'standby'");
  // A standby refuses writes as a session does that may only read.
  await postgres.sql('ALTER ROLE standby SET default_transaction_read_only = on');
});
after(() => postgres?.stop());

/** The end of `payreq migrate` on a database address. */
async function migrateTo(url: string): Promise<CliFailure> {
  try {
    await migrate({ url: readDatabaseUrl(url), environment: 'sandbox', transitions: TRANSITIONS });
    return { exitCode: 0, lines: [] };
  } catch (error) {
    return reportError(error);
  }
}

function assertOneSentence({ lines }: CliFailure, sentence: RegExp): void {
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /^The database cannot be used: [^\n]+\.$/);
  assert.match(lines[0] ?? '', sentence);
}

describe('the address of the database', () => {
  const faults: readonly (readonly [string, () => string, number, RegExp])[] = [
    [
      'a wrong password',
      () => postgres.url({ password: 'wrong' }),
      78,
      /refuses the user or the password of DATABASE_URL \(28P01\)/,
    ],
    [
      'a missing database',
      () => postgres.url({ database: 'nope' }),
      78,
      /the database that DATABASE_URL names does not exist \(3D000\)/,
    ],
    [
      'a user without rights',
      () => postgres.url({ user: 'powerless', password: 'powerless' }),
      78,
      /lacks a right, permission denied for schema public \(42501\)/,
    ],
    [
      'a standby',
      () => postgres.url({ user: 'standby', password: 'standby' }),
      69,
      /it is read-only: a standby, or a demoted primary \(25006\)/,
    ],
    [
      'a host name that does not resolve',
      () => postgres.url({ host: 'nowhere.invalid' }),
      69,
      /its host name does not resolve/,
    ],
    ['a port where nothing listens', () => postgres.url({ port: 1 }), 69, /nothing listens at its/],
  ];
  for (const [what, url, exitCode, sentence] of faults) {
    it(`names ${what} in one sentence`, async () => {
      const told = await migrateTo(url());
      assertOneSentence(told, sentence);
      assert.equal(told.exitCode, exitCode);
    });
  }

  it('names a HOST that is no address of this machine', async () => {
    const env = settingsOf('sandbox', postgres.url());
    const ran = await refusedServe([], { ...env, HOST: '192.0.2.1' });
    assert.equal(ran.exitCode, 78);
    assert.match(ran.stderr, /HOST or OPS_HOST is 192\.0\.2\.1, no address of this machine/);
  });
});

describe('sslmode, as libpq means it', () => {
  const modes: readonly (readonly [string, () => Promise<string>, RegExp | null])[] = [
    ['disable', async () => postgres.url({ query: 'sslmode=disable' }), null],
    ['require', async () => postgres.url({ query: 'sslmode=require' }), null],
    ['require by address', async () => at('127.0.0.1', 'sslmode=require'), null],
    ['require with the CA', async () => at('localhost', `sslmode=require&${await ca()}`), null],
    [
      'require with another CA',
      async () => at('localhost', `sslmode=require&${await otherCa()}`),
      /certificate is not of (a trusted|the) CA/,
    ],
    ['verify-ca', async () => at('localhost', `sslmode=verify-ca&${await ca()}`), null],
    ['verify-ca by address', async () => at('127.0.0.1', `sslmode=verify-ca&${await ca()}`), null],
    [
      'verify-ca with another CA',
      async () => at('localhost', `sslmode=verify-ca&${await otherCa()}`),
      /certificate is not of (a trusted|the) CA/,
    ],
    ['verify-full', async () => at('localhost', `sslmode=verify-full&${await ca()}`), null],
    [
      'verify-full by an address that the certificate does not name',
      async () => at('127.0.0.1', `sslmode=verify-full&${await ca()}`),
      /certificate names another host than DATABASE_URL/,
    ],
    [
      'verify-full with the public CAs',
      async () => at('localhost', 'sslmode=verify-full'),
      /certificate is not of a trusted CA: name the CA in sslrootcert/,
    ],
  ];
  for (const [mode, url, fault] of modes) {
    it(`${fault ? 'refuses' : 'connects with'} ${mode}`, async () => {
      const told = await migrateTo(await url());
      if (fault === null) return assert.deepEqual(told, { exitCode: 0, lines: [] });
      assertOneSentence(told, fault);
      assert.equal(told.exitCode, 78);
    });
  }

  it('prints no warning of a library', async () => {
    const env = settingsOf('sandbox', postgres.url({ query: 'sslmode=require' }));
    const ran = await runCli(['migrate'], env);
    assert.deepEqual([ran.exitCode, ran.stderr], [0, '']);
  });

  it('encrypts with require, and does not with disable', async () => {
    assert.equal(await postgres.isEncrypted('sslmode=require'), true);
    assert.equal(await postgres.isEncrypted('sslmode=disable'), false);
    assert.equal(await postgres.isEncrypted(''), false);
  });

  it('says that the server wants TLS, or has none', async () => {
    await postgres.allowOnly('hostssl');
    const plain = await migrateTo(postgres.url());
    assertOneSentence(plain, /it refuses connections without TLS: add sslmode to DATABASE_URL/);
    assert.equal(plain.exitCode, 78);
    await postgres.allowOnly('host');
    await postgres.switchTls('off');
    const encrypted = await migrateTo(postgres.url({ query: 'sslmode=require' }));
    assertOneSentence(encrypted, /it has no TLS, which the sslmode of DATABASE_URL asks for/);
    assert.equal(encrypted.exitCode, 78);
  });
});

function at(host: string, query: string): string {
  return postgres.url({ host, query });
}

/** The CA of the server's certificate. */
async function ca(): Promise<string> {
  return `sslrootcert=${await postgres.keep('ca.pem', authority.caPem)}`;
}

async function otherCa(): Promise<string> {
  const name = `${randomBytes(4).toString('hex')}.pem`;
  const { caPem } = await createTestAuthority();
  return `sslrootcert=${await postgres.keep(name, caPem)}`;
}
