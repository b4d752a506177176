import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { callAt, settingsOf } from '../../support/service/service.ts';
import { spawnService } from '../../support/service/spawned-service.ts';
import { isDebian } from './debian-root.ts';
import { ROOT, runIn } from './release-copy.ts';

const { buildInCheckout } = await import(
  new URL('../../../../scripts/release/build-release.mjs', import.meta.url).href
);
const UNIT = readFileSync(join(ROOT, 'deploy/systemd/payment-requests-api@.service'), 'utf8');
const FILTER = fileURLToPath(new URL('run-with-system-calls.py', import.meta.url));
const PYTHON = '/usr/bin/python3';
/** The rights that NoNewPrivileges= and the empty CapabilityBoundingSet= of the unit leave. */
const WITHOUT_RIGHTS = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];
const NOT_HERE = isDebian() ? false : 'this needs Debian, and root';

describe('the sandbox of the systemd units', { skip: NOT_HERE }, () => {
  let folder: string;
  let database: TestDatabase;
  before(async () => {
    if (runIn('/', PYTHON, '-c', 'import seccomp').exitCode !== 0) {
      const { exitCode, output } = runIn('/', 'apt-get', '-qq', 'install', '-y', 'python3-seccomp');
      assert.equal(exitCode, 0, output);
    }
    mkdirSync(join(ROOT, '.local'), { recursive: true });
    folder = mkdtempSync(join(ROOT, '.local', 'release-'));
    buildInCheckout(folder);
    database = await createTestDatabase('sandbox');
  });
  after(async () => {
    await database?.drop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** payreq serve with the rights, system calls and /proc that the units leave it. */
  function serveInside(allowed: string, denied: string) {
    const inside = [
      `mount -t proc -o subset=pid,hidepid=invisible proc /proc`,
      `exec setpriv ${WITHOUT_RIGHTS.join(' ')} ${PYTHON} '${FILTER}' ${allowed} ${denied} "$0" "$@"`,
    ];
    return spawnService({
      command: ['unshare', '--mount', 'sh', '-ec', inside.join('\n'), join(folder, 'payreq')],
      env: settingsOf('sandbox', database.url),
    });
  }

  it('leaves a process what it needs to serve and to stop', async () => {
    const [, allowed = ''] = /^SystemCallFilter=(@\S+)$/m.exec(UNIT) ?? [];
    const [, denied = ''] = /^SystemCallFilter=~(@\S+)$/m.exec(UNIT) ?? [];
    for (const line of ['ProtectProc=invisible', 'ProcSubset=pid', 'CapabilityBoundingSet=']) {
      assert.ok(UNIT.includes(`\n${line}\n`), line);
    }
    const service = serveInside(allowed, denied);
    const { url } = await service.started();
    assert.equal((await callAt(`${url}/docs`, 'GET', {})).status, 200);
    service.child.kill('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
  });

  it('would stop a process that a needed call is refused', async () => {
    const service = serveInside('@system-service', '@network-io');
    const [exitCode] = await service.ended();
    assert.notEqual(exitCode, 0);
  });
});
