// Loaded into every process of a run of tests. A test file tells its results through a pipe that is
// written without waiting, and --test-force-exit ends the process while some are still on their way
// (nodejs/node#64833): the tests have run, but neither their number nor the name of one that failed
// is told. Written with waiting, all of them have arrived by then.
/** @typedef {{ readonly setBlocking?: (isBlocking: boolean) => void }} Handle */
if (process.env.NODE_TEST_CONTEXT) {
  // There is no public way. Where a release of Node.js takes this one away, our test of it says so.
  const { _handle: handle } = /** @type {{ _handle?: Handle }} */ (process.stdout);
  handle?.setBlocking?.(true);
}
