import { readFileSync } from 'node:fs';

const MEMORY_FLAGS = readFileSync(new URL('node-memory-flags', import.meta.url), 'utf8');

/**
 * Flags of the service's processes. V8 sizes its heap by the machine's memory, and collects late
 * when there is much: 300 MB under load, of which 60 were in use. A process needs less than 200 MB
 * with all permits taken, each for the largest body; a limit of 512 MB keeps it near its use. The
 * young generation has two halves of 8 MiB instead of 16 and more: 100 MB less under load, at no
 * cost that can be measured. With 4 MiB, each call cost a third more CPU. ./payreq reads the file
 * of the memory flags, too. For the compile cache see compile-cache.mjs.
 *
 * V8 allocates objects in old space where earlier objects of that place in the code grew old
 * (allocation-site pretenuring). Objects of a call die young there, and retain the young objects
 * that they refer to. Each create left 6 kB in old space: at 1,700 creates a second V8 collected
 * the whole heap every 1.1 s, which took 5 to 17 ms.
 *
 * A process collects its heap once after its start (service/src/processes/free-start-memory.ts).
 */
export const NODE_FLAGS = [
  ...MEMORY_FLAGS.trim().split('\n'),
  `--import=${new URL('compile-cache.mjs', import.meta.url)}`,
];
