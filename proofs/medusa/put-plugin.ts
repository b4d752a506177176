import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../../scripts/toolchain/install-folder.mjs';

export const PLUGIN = fileURLToPath(new URL('../../plugins/medusa', import.meta.url));
const WITH_TOOLCHAIN = fileURLToPath(new URL('../../scripts/with-toolchain.mjs', import.meta.url));

/** Installs Medusa, checks the types of the plug-in against it, and packs and installs that. */
export async function putPlugin(): Promise<void> {
  await ensureInstalled(PLUGIN, 'Medusa, some 670 MB');
  run(process.execPath, [WITH_TOOLCHAIN, 'tsc', '--noEmit', '-p', PLUGIN]);
  const folder = mkdtempSync(join(tmpdir(), 'medusa-plugin-'));
  try {
    run('npm', ['pack', '--pack-destination', folder]);
    const [tarball = ''] = readdirSync(folder);
    run('tar', ['xzf', join(folder, tarball), '-C', folder]);
    const place = join(PLUGIN, 'node_modules', '@payment-requests', 'medusa');
    rmSync(place, { recursive: true, force: true });
    mkdirSync(join(place, '..'), { recursive: true });
    cpSync(join(folder, 'package'), place, { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The types of Medusa take half a minute, and several on a busy machine. */
const LONGEST_RUN_MS = 5 * 60_000;

function run(command: string, args: readonly string[]): void {
  const options = { cwd: PLUGIN, encoding: 'utf8', timeout: LONGEST_RUN_MS } as const;
  const { status, stdout, stderr } = spawnSync(command, args, options);
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${stdout}${stderr}`);
}
