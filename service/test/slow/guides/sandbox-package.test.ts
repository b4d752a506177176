import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeSnippets } from '../../support/documents/guide-snippets.ts';
import { eventually } from '../../support/eventually.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const RUNNERS = fileURLToPath(new URL('test-runners', import.meta.url));
const scripts = (path: string) => import(pathToFileURL(join(ROOT, 'scripts', path)).href);
/** An installation and a start on a machine that does other work take half a minute. */
const LONGEST_RUN_MS = 180_000;

const SNIPPETS = [
  'sandbox.cjs',
  'node-test.test.mjs',
  'vitest.config.mjs',
  'vitest.setup.mjs',
  'vitest.test.mjs',
  'jest.config.cjs',
  'jest.setup.cjs',
  'jest.teardown.cjs',
  'jest.test.cjs',
  'playwright.config.mjs',
  'playwright.setup.mjs',
  'playwright.test.mjs',
];

let project: string;
let tarball: string;

function run(command: string, ...args: string[]) {
  const started = Date.now();
  // A test runner within a test would run nothing.
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, CI: '1' };
  const ran = spawnSync(command, args, {
    cwd: project,
    encoding: 'utf8',
    env,
    timeout: LONGEST_RUN_MS,
  });
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  return { exitCode: ran.status, output: `${ran.stdout}${ran.stderr}`, seconds };
}

before(async () => {
  const { ensureInstalled } = await scripts('toolchain/install-folder.mjs');
  await ensureInstalled(RUNNERS, 'the runners of the examples');
  project = mkdtempSync(join(RUNNERS, '.local-project-'));
  const { buildSandboxPackage } = await scripts('release/sandbox-package.mjs');
  const folder = join(project, 'package');
  await buildSandboxPackage(folder);
  const packed = run('npm', 'pack', folder, `--pack-destination=${project}`);
  assert.equal(packed.exitCode, 0, packed.output);
  tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
  rmSync(folder, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  writeSnippets(project, SNIPPETS);
  const installed = run('npm', 'install', '--prefer-offline', '--no-audit', `./${tarball}`);
  assert.equal(installed.exitCode, 0, installed.output);
  for (const name of ['vitest', 'jest', '@playwright']) {
    symlinkSync(join(RUNNERS, 'node_modules', name), join(project, 'node_modules', name));
  }
});
after(() => {
  if (project) rmSync(project, { recursive: true, force: true });
});

describe('the sandbox of a test run', () => {
  const bin = (name: string) => join(RUNNERS, 'node_modules', name);
  const runners: [string, string[]][] = [
    ['node:test', ['--test', 'node-test.test.mjs']],
    ['Vitest', [bin('vitest/vitest.mjs'), 'run']],
    ['Jest', [bin('jest/bin/jest.js'), '--ci']],
    ['Playwright', [bin('@playwright/test/cli.js'), 'test']],
  ];
  for (const [name, args] of runners) {
    it(`runs the example of ${name}`, (t) => {
      const { exitCode, output, seconds } = run(process.execPath, ...args);
      assert.equal(exitCode, 0, output);
      t.diagnostic(`${name}: ${seconds} s`);
    });
  }

  it('says why it did not start', () => {
    const program = 'node_modules/.bin/payment-requests-sandbox';
    const { exitCode, output } = run('env', 'WEBHOOK_CA_FILE=nowhere.pem', program);
    assert.equal(exitCode, 1);
    assert.match(output, /^payment-requests-sandbox: The sandbox ended .*WEBHOOK_CA_FILE/s);
  });

  it('ends by npm exec when its runner is killed', async (t) => {
    const started = Date.now();
    const command = ['exec', '--yes', `--package=./${tarball}`, '--', 'payment-requests-sandbox'];
    const text = `
      const { spawn } = require('node:child_process');
      const stdio = ['ignore', 'inherit', 'inherit'];
      spawn('npm', ${JSON.stringify(command)}, { stdio });
      setInterval(() => {}, 1000);`;
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const runner: ChildProcess = spawn(process.execPath, ['-e', text], {
      cwd: project,
      stdio: [...stdio],
    });
    let printed = '';
    for await (const chunk of runner.stdout ?? []) {
      printed += chunk;
      if (printed.includes('\n')) break;
    }
    t.diagnostic(`ready after ${((Date.now() - started) / 1_000).toFixed(1)} s`);
    const { baseUrl, merchantsUrl, pid } = JSON.parse(printed);
    const make = async () =>
      (await (await fetch(merchantsUrl, { method: 'POST' })).json()) as { merchantId: string };
    assert.notEqual((await make()).merchantId, (await make()).merchantId);
    runner.kill('SIGKILL');
    await once(runner, 'exit');
    await eventually(() => !isAlive(pid), 'the sandbox is gone');
    await assert.rejects(fetch(baseUrl));
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
