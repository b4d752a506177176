import { after, before, describe } from 'node:test';
import { startCpuNote } from './note-cpu.mjs';

/**
 * Runs several test files in this process, one after the other, each as a suite under its path: the
 * hooks of a file then belong to its suite alone. Each file is loaded synchronously, because
 * node:test gives a test to the suite whose function is running.
 *
 * @param {readonly (readonly [file: string, load: () => void])[]} files
 */
export function runBatch(files) {
  for (const [file, load] of files) {
    describe(file, () => {
      let noteCpu = () => {};
      before(() => {
        noteCpu = startCpuNote(file);
      });
      load();
      after(() => noteCpu());
    });
  }
}
