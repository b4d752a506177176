import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { settingsOf } from '../support/service/service.ts';
import { spawnService } from '../support/service/spawned-service.ts';
import { linkPackages } from './link-packages.ts';
import { copyProject, type LocalProject, WITHOUT_PROC } from './local-project.ts';

/** Only root can become another user; others lock themselves out. */
const isRoot = process.getuid?.() === 0;
/** An unprivileged user of every Linux. */
const NOBODY = 65_534;

let project: LocalProject;
beforeEach(async () => {
  project = await copyProject();
});
afterEach(() => project.remove());

interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Types ./payreq, where nothing but this Node.js is on PATH: every try to install fails. */
function payreq(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  uid?: number,
): Promise<Ran> {
  const bin = join(project.folder, '..', 'bin');
  mkdirSync(bin, { recursive: true });
  for (const [name, path] of [['node', process.execPath] as const, ...SHELL_TOOLS]) {
    if (!existsSync(join(bin, name))) symlinkSync(path, join(bin, name));
  }
  const child = spawn(join(project.folder, 'payreq'), args, {
    env: { PATH: bin, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

const SHELL_TOOLS = ['sh', 'cat', 'dirname', 'readlink'].map(
  (name) => [name, `/bin/${name}`] as const,
);

/** Leaves in node_modules what `npm ci --omit=dev --omit=optional` would install. */
function omitDevelopment(): void {
  linkPackages(project.folder, ({ dev, optional }) => !dev && !optional);
}

describe('./payreq', { skip: WITHOUT_PROC }, () => {
  it('installs nothing where the production dependencies are there', async () => {
    omitDevelopment();
    const ran = await payreq(['--version']);
    assert.deepEqual([ran.exitCode, ran.stderr], [0, '']);
    assert.match(ran.stdout, /^\d+\.\d+\.\d+(-rc\.\d+)?\n$/);
    assert.ok(!existsSync(join(project.folder, 'node_modules', '.installed-lock')));
  });

  it('installs what is missing elsewhere, and says what keeps it from that', async () => {
    rmSync(join(project.folder, 'node_modules'));
    const ran = await payreq(['--version']);
    assert.equal(ran.exitCode, 1);
    assert.match(ran.stderr, /^payreq failed: npm is not on PATH/m);
  });

  it('installs nothing in production, and says what to run', async () => {
    rmSync(join(project.folder, 'node_modules'));
    const before = readdirSync(project.folder);
    const ran = await payreq(['--version'], { NODE_ENV: 'production' });
    assert.equal(ran.exitCode, 78);
    assert.match(ran.stderr, /installs nothing in production: run npm ci --omit=dev --omit=optio/);
    assert.deepEqual(readdirSync(project.folder), before);
  });

  it('works for a user who may not write its folder', async () => {
    omitDevelopment();
    const folders = ['', 'node_modules', 'service', 'scripts'].map((name) =>
      join(project.folder, name),
    );
    for (const folder of folders) chmodSync(folder, isRoot ? 0o755 : 0o555);
    chmodSync(dirname(project.folder), 0o755);
    const ran = await payreq(['--version'], {}, isRoot ? NOBODY : undefined);
    for (const folder of folders) chmodSync(folder, 0o755);
    assert.deepEqual([ran.exitCode, ran.stderr], [0, '']);
  });

  it('names a settings file that is not there, and ends with 78', async () => {
    const ran = await payreq(['--env-file', '/nope', 'config']);
    assert.deepEqual(ran, {
      exitCode: 78,
      stdout: '',
      stderr: 'The settings file "/nope" cannot be read (ENOENT).\n',
    });
  });

  it('is replaced by the service, which has the flags of its memory', async () => {
    const service = spawnService({
      command: [join(project.folder, 'payreq')],
      env: settingsOf('sandbox', 'postgres://127.0.0.1:1/away'),
    });
    const { pid } = await service.line('waiting for the database');
    assert.equal(pid, service.pid);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    assert.ok(command.includes('--max-old-space-size=512'), command.join(' '));
    assert.ok(command.includes('--max-semi-space-size=8'), command.join(' '));
    assert.ok(command.includes('--no-allocation-site-pretenuring'), command.join(' '));
    service.signalGroup('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
  });
});
