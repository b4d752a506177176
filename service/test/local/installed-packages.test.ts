import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { linkPackages } from './link-packages.ts';
import { copyProject, type LocalProject, WITHOUT_PROC } from './local-project.ts';

let project: LocalProject;
beforeEach(async () => {
  project = await copyProject();
});
afterEach(() => project.remove());

/** What is said about the dependencies, where there is no npm: every try to install fails. */
function ensureDependencies(scope: 'RUN' | 'ALL'): string {
  const program = `
    import { ensureDependencies } from './scripts/toolchain/dependencies.mjs';
    import { createProgress } from './scripts/lib/progress.mjs';
    await ensureDependencies(createProgress(), process.execPath, '${scope}')
      .catch((error) => console.log(error.message));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: project.folder, env: { PATH: dirname('/nowhere/npm') }, encoding: 'utf8' },
  );
  return stdout + stderr;
}

describe('the installation of the dependencies', { skip: WITHOUT_PROC }, () => {
  it('takes the packages without the tools of development as whole for npm start', () => {
    linkPackages(project.folder, ({ dev }) => !dev);
    assert.match(ensureDependencies('RUN'), /Dependencies: unchanged/);
  });

  it('adds the tools of development for the tests', () => {
    linkPackages(project.folder, ({ dev }) => !dev);
    assert.match(ensureDependencies('ALL'), /npm is not on PATH/);
  });

  it('installs for npm start, too, where its PostgreSQL is missing', () => {
    linkPackages(project.folder, ({ dev, optional }) => !dev && !optional);
    assert.match(ensureDependencies('RUN'), /npm is not on PATH/);
  });

  it('installs for npm start, too, where nothing is installed', () => {
    rmSync(join(project.folder, 'node_modules'));
    assert.match(ensureDependencies('RUN'), /npm is not on PATH/);
  });
});
