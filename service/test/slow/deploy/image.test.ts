import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { settingsOf } from '../../support/service/service.ts';
import { type SpawnedService, spawnService } from '../../support/service/spawned-service.ts';
import { copyForRelease, type ReleaseCopy, ROOT, VERSION } from './release-copy.ts';

/** A health check that hangs must end the test. */
const CHECK_MS = 30_000;
const INSTALLED = '/opt/payment-requests';

// A line that ends with a backslash goes on.
const dockerfile = readFileSync(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8').replace(
  /\\\n\s*/g,
  '',
);
const instruction = (name: string) =>
  new RegExp(`^${name} (.*)$`, 'm').exec(dockerfile)?.[1] ?? `no ${name}`;
const imageEnv = Object.fromEntries(
  [...instruction('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
const [uid = 0, gid = 0] = instruction('USER').split(':').map(Number);
// Only root can become another account.
const account = process.getuid?.() === 0 ? { uid, gid } : {};

let copy: ReleaseCopy;
let folder: string;
let database: TestDatabase;
let service: SpawnedService | undefined;

/** The text of an instruction, in the folders of this test. */
const moved = (text: string) =>
  text.replaceAll(INSTALLED, join(folder, 'image')).replaceAll('/tmp/release', folder);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'image-'));
  chmodSync(folder, 0o755);
  copy = copyForRelease();
  copy.describeVersion();
  copy.namePublisher();
  const made = copy.run('npm', '--silent', 'run', 'release');
  assert.equal(made.exitCode, 0, made.output);
  for (const file of ['SHA256SUMS', `payment-requests-${VERSION}.tgz`]) {
    cpSync(join(copy.folder, 'release', file), join(folder, file));
  }
  database = await createTestDatabase('sandbox');
});
after(async () => {
  service?.signalGroup('SIGKILL');
  copy?.remove();
  rmSync(folder, { recursive: true, force: true });
  await database?.drop();
});

describe('deploy/docker/Dockerfile', () => {
  it('copies files that npm run release makes, and that reach the builder', () => {
    const [, sources = ''] = /^COPY (release\/.*) \.\/$/m.exec(dockerfile) ?? [];
    const names = sources.replaceAll(/\$\{VERSION\}/g, VERSION).split(' ');
    for (const name of names) assert.ok(readFileSync(join(copy.folder, name)).length > 0);
    const ignored = readFileSync(join(ROOT, 'deploy/docker/Dockerfile.dockerignore'), 'utf8');
    const kept = [...ignored.matchAll(/^!(.*)$/gm)].map(([, pattern = '']) => pattern);
    const isKept = (name: string) =>
      kept.some((pattern) => new RegExp(`^${pattern.replace('*', '[^/]*')}$`).test(name));
    assert.deepEqual(names.filter(isKept), names);
  });

  it('unpacks the release by its own commands, and refuses a changed tarball', () => {
    const run = () =>
      spawnSync('sh', ['-ec', moved(instruction('RUN'))], {
        cwd: folder,
        env: { PATH: process.env.PATH, VERSION },
        encoding: 'utf8',
      });
    const tarball = join(folder, `payment-requests-${VERSION}.tgz`);
    execFileSync('cp', [tarball, `${tarball}.kept`]);
    execFileSync('sh', ['-c', `echo more >> ${tarball}`]);
    assert.notEqual(run().status, 0);
    execFileSync('mv', [`${tarball}.kept`, tarball]);
    const { status, stderr } = run();
    assert.equal(status, 0, stderr);
  });

  it('starts the service as its user, healthy, and drains it at its signal', async () => {
    const [program = '', ...args] = JSON.parse(moved(instruction('ENTRYPOINT')));
    assert.equal(program, 'node');
    const [port, opsPort] = [await freePort(), await freePort()];
    const env = {
      ...settingsOf('sandbox', database.url),
      ...imageEnv,
      PORT: `${port}`,
      OPS_PORT: `${opsPort}`,
    };
    service = spawnService({ command: [process.execPath, ...args], env, ...account });
    await service.started();
    const [, health = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    const [, ...check] = JSON.parse(health);
    const options = { env, timeout: CHECK_MS, ...account };
    assert.equal(spawnSync(process.execPath, check, options).status, 0);
    service.child.kill(instruction('STOPSIGNAL') as NodeJS.Signals);
    assert.deepEqual(await service.ended(), [0, null]);
    assert.notEqual(spawnSync(process.execPath, check, options).status, 0);
  });
});
