// Loaded into every process of a run of tests. A test file writes its results to a pipe without
// waiting, and --test-force-exit ends the process while results are still in its memory
// (nodejs/node#64833): a failed test is then neither counted nor named. A blocking pipe has
// received all results by then.
/** @typedef {{ readonly setBlocking?: (isBlocking: boolean) => void }} Handle */
if (process.env.NODE_TEST_CONTEXT) {
  // Node.js has no public way. Should a release remove this one, npm-test.test.ts fails.
  const { _handle: handle } = /** @type {{ _handle?: Handle }} */ (process.stdout);
  handle?.setBlocking?.(true);
}
