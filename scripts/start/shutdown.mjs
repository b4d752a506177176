/**
 * @typedef {object} Stop
 * @property {AbortSignal} signal aborted as soon as a stop is asked for
 * @property {Promise<StopReason>} requested
 * @property {(reason: StopReason) => void} request the first reason counts
 * @property {(undo: () => unknown) => void} onStop what is to be undone, the last first
 * @property {() => Promise<void>} undoAll
 */
/**
 * Why it stops: a sentence for the person, and what ended it. A clean stop has no failure.
 * @typedef {{ sentence: string, failure?: unknown, signal?: NodeJS.Signals }} StopReason
 */

/** Collects the request to stop, its reason, and the steps to undo. @returns {Stop} */
export function createStop() {
  const controller = new AbortController();
  /** @type {PromiseWithResolvers<StopReason>} */
  const { promise, resolve } = Promise.withResolvers();
  /** @type {(() => unknown)[]} */
  const undoings = [];
  return {
    signal: controller.signal,
    requested: promise,
    request(reason) {
      resolve(reason);
      controller.abort(reason);
    },
    onStop: (undo) => undoings.push(undo),
    async undoAll() {
      for (let undo = undoings.pop(); undo; undo = undoings.pop()) await undo();
    },
  };
}

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Stops at a signal, at our parent's death and at a fault of ours.
 * @param {Stop} stop
 */
export function stopFromOutside(stop) {
  for (const signal of SIGNALS) {
    process.on(signal, () => stop.request({ sentence: 'Stopping …', signal }));
  }
  process.on('disconnect', () => stop.request({ sentence: 'Stopping: npm start has ended …' }));
  process.on('uncaughtException', (failure) => stop.request({ sentence: 'Stopping …', failure }));
  process.on('unhandledRejection', (failure) => stop.request({ sentence: 'Stopping …', failure }));
  // The reader of our output may end before us: a failed write must not keep the others running.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}

/**
 * 0 after a clean stop of what was ready; a start that never came to that has not done its job.
 * @param {StopReason} reason @param {boolean} isReady @returns {number}
 */
export function exitCodeOf({ failure, signal }, isReady) {
  if (failure) return 1;
  if (isReady) return 0;
  return signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1;
}
