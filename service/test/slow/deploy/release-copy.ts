import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
export const VERSION: string = readJson(join(ROOT, 'package.json')).version;
export const TARBALL = `payment-requests-${VERSION}.tgz`;
/** npm ci and two passes over 6,000 files, on a machine with other work to do. */
const COMMAND_MS = 10 * 60_000;

export interface Ran {
  readonly exitCode: number | null;
  readonly output: string;
}

/** A commit of the project in a folder of its own, from which releases are made. */
export interface ReleaseCopy {
  readonly folder: string;
  /** Runs a program in the copy, under this Node.js. */
  run(program: string, ...args: readonly string[]): Ran;
  /** Adds the section without which no version is released, and commits it. */
  describeVersion(): void;
  /** Gives the packages addresses in place of the placeholders, and commits them. */
  namePublisher(): void;
  remove(): void;
}

export function copyForRelease(): ReleaseCopy {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'release-')));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: ROOT,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const path of `${listed}`.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
  const run = (program: string, ...args: readonly string[]) => runIn(folder, program, ...args);
  const commit = () => {
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    for (const args of [
      ['add', '-A'],
      [...author, 'commit', '-q', '--no-gpg-sign', '-m', 'Test'],
    ]) {
      const { exitCode, output } = run('git', ...args);
      if (exitCode !== 0) throw new Error(output);
    }
  };
  // Its CHANGELOG.md has no section of the version, also where the project's has one.
  const changelog = join(folder, 'CHANGELOG.md');
  const changes = readFileSync(changelog, 'utf8').replace(`\n## ${VERSION}\n`, '\n## Unreleased\n');
  writeFileSync(changelog, changes);
  run('git', 'init', '-q');
  // The folder's own .gitignore names a folder, and this is a link.
  appendFileSync(join(folder, '.git', 'info', 'exclude'), 'node_modules\n');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  commit();
  return {
    folder,
    run,
    describeVersion() {
      const section = `\n## ${VERSION}\n\n- First.\n\n## `;
      writeFileSync(changelog, changes.replace('\n## ', section));
      commit();
    },
    namePublisher() {
      for (const path of [
        'scripts/release/publisher.json',
        'sdk/package.json',
        'clients/python/pyproject.toml',
      ]) {
        const file = join(folder, path);
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll('example.com', 'payreq.dev'));
      }
      commit();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs a program under this Node.js, without the settings of the npm that runs the tests. */
export function runIn(folder: string, program: string, ...args: readonly string[]): Ran {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: environment(),
    timeout: COMMAND_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { exitCode: status, output: `${stdout}${stderr}${error ?? ''}` };
}

function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  return { ...Object.fromEntries(own), PATH: path };
}

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds
export function readJson(path: string): any {
  return JSON.parse(readFileSync(path, 'utf8'));
}
