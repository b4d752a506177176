import { createRequire } from 'node:module';
import { after, before, describe } from 'node:test';
import { ROOT } from '../toolchain/toolchain.mjs';
import { startCpuNote } from './note-cpu.mjs';

/**
 * Runs several test files in this process, one after the other, each as a suite under its path: the
 * hooks of a file then belong to its suite alone. Each file is loaded by `require`, synchronously,
 * because node:test gives a test to the suite whose function is running.
 *
 * @param {readonly string[]} files paths from the project's folder
 */
export function runBatch(files) {
  const require = createRequire(`${ROOT}/`);
  for (const file of files) {
    describe(file, () => {
      let noteCpu = () => {};
      before(() => {
        noteCpu = startCpuNote(file);
      });
      require(`${ROOT}/${file}`);
      after(() => noteCpu());
    });
  }
}
