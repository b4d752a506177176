import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './copy-tree.ts';

const FOLDER = join(ROOT, 'proofs/mutation/instrumenter');

/** Installs what places the mutants, exactly as its lock file names it, without its scripts. */
export async function ensureInstrumenter(): Promise<void> {
  if (existsSync(join(FOLDER, 'node_modules/@stryker-mutator/instrumenter'))) return;
  console.error('Installing the instrumenter (proofs/mutation/instrumenter).');
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--include=dev', '--prefer-offline'], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  });
  const code = await new Promise((resolve, reject) => {
    npm.on('error', reject);
    npm.on('exit', resolve);
  });
  if (code !== 0) throw new Error(`npm ci ended with ${code}`);
}
