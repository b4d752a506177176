import { join } from 'node:path';
import { ensureInstalled } from '../toolchain/install-folder.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';

/** Installs what the service is measured beside. No other command needs it. */
export async function ensureBenchPeers() {
  await ensureInstalled(join(ROOT, 'bench', 'peers'), 'the peers of the measurements');
}
