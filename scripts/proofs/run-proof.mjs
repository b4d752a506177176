// Runs a proof, such as `npm run chaos`, under Node.js 24. It installs the Debian programs of the
// proof, runs proofs/<name>/run.ts, and ends with the exit code of that program.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, mayInstall } from '../debian/install-packages.mjs';
import { describeFailure, Failure } from '../lib/failure.mjs';
import { createStop, stopFromOutside } from '../start/shutdown.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';
import { PROOFS } from './debian-packages.mjs';

const [name = '', ...args] = process.argv.slice(2);
const stop = createStop();
stopFromOutside(stop);
try {
  await ensurePrograms();
  process.exitCode = await runProof();
} catch (failure) {
  console.error(`The proof ${name} failed: ${describeFailure(failure)}`);
  process.exitCode = 1;
}
process.exit();

async function ensurePrograms() {
  const isMissing = (/** @type {{ program: string }} */ { program }) => !existsSync(program);
  const needed = PROOFS[name];
  if (!needed) throw new Failure(`There is no proof of this name: ${Object.keys(PROOFS)}.`);
  const missing = needed.filter(isMissing).map((each) => each.package);
  if (missing.length === 0) return;
  if (mayInstall()) {
    console.error(`apt-get install ${missing.join(' ')}, once …`);
    await installPackages(missing, stop.signal);
  }
  const still = needed.filter(isMissing).map((each) => each.package);
  if (still.length > 0) throw new Failure(`Install these Debian packages: ${still.join(' ')}.`);
}

/** A signal goes to the proof, which stops what it has started. @returns {Promise<number>} */
function runProof() {
  const script = join(ROOT, 'proofs', name, 'run.ts');
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const end = () => child.kill('SIGTERM');
  stop.signal.addEventListener('abort', end);
  if (stop.signal.aborted) end();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (exited) => resolve(exited ?? 1));
  });
}
