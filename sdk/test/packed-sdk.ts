import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
/** An installation takes a few seconds; a busy machine takes several times as long. */
const COMMAND_MS = 60_000;
/** The Node.js of the test comes first, then the programs of this project. */
const PATH = [dirname(process.execPath), join(ROOT, 'node_modules', '.bin'), process.env.PATH];

export interface PackedSdk {
  /** The copy of sdk/ after `npm pack`. */
  readonly folder: string;
  readonly tarball: string;
  /** Makes another project that installs only the packed SDK from its tarball. */
  installInto(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Packs a copy of sdk/, because packing changes package.json for a moment. The copy has no
 * node_modules beside it, as in a fresh clone.
 */
export async function packSdk(): Promise<PackedSdk> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'payment-requests-sdk-')));
  const folder = join(top, 'sdk');
  await cp(join(ROOT, 'sdk'), folder, {
    recursive: true,
    filter: (path) => !/\/(test|node_modules)$/.test(path),
  });
  const { stdout } = await runCommand('npm', ['pack', '--json'], folder);
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  const tarball = join(folder, filename);
  return {
    folder,
    tarball,
    async installInto(name, files) {
      // Below the copy, Node would find the packages of its node_modules without an installation.
      const project = await realpath(await mkdtemp(join(tmpdir(), `${name}-`)));
      projects.push(project);
      const manifest = { name, version: '1.0.0', private: true, type: 'module' };
      await writeFile(join(project, 'package.json'), JSON.stringify(manifest));
      const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
      await runCommand('npm', ['install', ...quiet, tarball], project);
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(project, path)), { recursive: true });
        await writeFile(join(project, path), text);
      }
      return project;
    },
    async remove() {
      for (const path of [top, ...projects]) await rm(path, { recursive: true, force: true });
    },
  };
}

const projects: string[] = [];

/** Runs a program of this project or npm; throws an error with its output. */
export async function runCommand(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const env = { ...process.env, PATH: PATH.join(':'), NO_COLOR: '1' };
  try {
    return await run(command, [...args], { cwd, env, timeout: COMMAND_MS });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    const output = `${stdout ?? ''}${stderr ?? ''}`;
    throw new Error(`${command} ${args.join(' ')} failed: ${output}`, { cause: error });
  }
}
