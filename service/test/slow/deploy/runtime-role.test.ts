import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { spawnCli } from '../../commands/run-cli.ts';
import { startTlsPostgres, type TlsPostgres } from '../../support/network/tls-postgres.ts';
import { settingsOf } from '../../support/service/service.ts';
import { type SpawnedService, spawnService } from '../../support/service/spawned-service.ts';
import { createTestAuthority } from '../../support/webhooks/https-listener.ts';

const SCRIPT = fileURLToPath(
  new URL('../../../../deploy/docker/create-runtime-role.sh', import.meta.url),
);
/** Quotes and a backslash: the script must not build SQL from them. */
const PASSWORD = "it's \\a \"password'";

let postgres: TlsPostgres;
let folder: string;
let query: string;
let service: SpawnedService | undefined;

before(async () => {
  const authority = await createTestAuthority();
  postgres = await startTlsPostgres(authority, ['localhost']);
  // pg_hba.conf of docs/operations/database.md permits no connection without TLS.
  await postgres.allowOnly('hostssl');
  const ca = await postgres.keep('ca.pem', authority.caPem);
  query = `sslmode=verify-full&sslrootcert=${ca}`;
  folder = mkdtempSync(join(tmpdir(), 'runtime-role-'));
  writeFileSync(join(folder, 'runtime-password'), PASSWORD);
});
after(async () => {
  service?.signalGroup('SIGKILL');
  if (folder) rmSync(folder, { recursive: true });
  await postgres?.stop();
});

describe('deploy/docker/create-runtime-role.sh, on a server that wants TLS', () => {
  it('makes the role of payreq serve, which owns nothing', async () => {
    const owner = new URL(postgres.url({ query }));
    const create = `create database payments`;
    const env = {
      PATH: process.env.PATH,
      PGHOST: owner.hostname,
      PGPORT: owner.port,
      PGPASSWORD: owner.password,
      PGSSLMODE: 'verify-full',
      PGSSLROOTCERT: owner.searchParams.get('sslrootcert') ?? '',
      RUNTIME_PASSWORD_FILE: join(folder, 'runtime-password'),
    };
    execFileSync('psql', ['-q', '-U', 'postgres', '-c', create], { env });
    execFileSync(SCRIPT, { env, stdio: 'inherit' });

    const base = { ...settingsOf('sandbox', ''), RUNTIME_ROLE: 'payreq_runtime' };
    const migrated = await spawnCli(['migrate'], {
      ...base,
      DATABASE_URL: postgres.url({ query }),
    });
    assert.equal(migrated.exitCode, 0, migrated.stderr);
    const runtime = postgres.url({
      user: 'payreq_runtime',
      password: encodeURIComponent(PASSWORD),
      query,
    });
    const migrating = await spawnCli(['migrate'], { ...base, DATABASE_URL: runtime });
    assert.equal(migrating.exitCode, 78, migrating.stderr);
    service = spawnService({ args: ['--no-migrate'], env: { ...base, DATABASE_URL: runtime } });
    const { opsUrl } = await service.started();
    assert.equal((await fetch(`${opsUrl}/health/ready`)).status, 200);
  });
});
