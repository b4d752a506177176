// Loaded into every process of a run of tests. Node.js writes to a pipe without waiting, and
// --test-force-exit ends a process while results are still in its memory (nodejs/node#64833): a
// failed test is then neither counted nor named. A blocking pipe has received everything by then,
// also where its reader is slow.
/** @typedef {{ readonly setBlocking?: (isBlocking: boolean) => void }} Handle */
// Node.js has no public way. Should a release remove this one, npm-test.test.ts fails.
const { _handle: handle } = /** @type {{ _handle?: Handle }} */ (process.stdout);
handle?.setBlocking?.(true);
