import { readFileSync } from 'node:fs';

const MEMORY_FLAGS = readFileSync(new URL('node-memory-flags', import.meta.url), 'utf8');

/**
 * How the service's processes are run. V8 lets its heap grow by the machine's memory, and collects
 * late where there is much: 300 MB under load of which 60 were in use. A process needs less than
 * 200 MB with all its places taken, each with the largest body; with 512 it stays near what it
 * uses. What is young is kept in two halves of 8 MiB instead of 16 and more: 100 MB less under
 * load, at no cost that can be measured, where 4 MiB cost a third more CPU for each call. What was
 * compiled once is kept: see compile-cache.mjs. ./payreq reads the file of the memory flags, too.
 */
export const NODE_FLAGS = [
  ...MEMORY_FLAGS.trim().split('\n'),
  `--import=${new URL('compile-cache.mjs', import.meta.url)}`,
];
