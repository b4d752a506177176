// The runner loads no --import of its own; a reporter it does load.
import './report-whole.mjs';

/**
 * @typedef {object} OmittedTest a test or a whole suite that is skipped or to do
 * @property {string} name @property {string} file an absolute path @property {number} line
 * @property {string} reason empty when the test gives none
 */
/** @typedef {import('node:test/reporters').TestEvent} TestEvent */
/** @typedef {Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data']} Result */

/**
 * A reporter of node:test that writes the totals of the whole run and every omitted test, as JSON.
 * The totals of node:test leave a skipped suite out, so the omitted tests are counted here.
 * @param {AsyncIterable<TestEvent>} source
 */
export default async function* resultReporter(source) {
  /** @type {OmittedTest[]} */
  const omitted = [];
  for await (const { type, data } of source) {
    if (type === 'test:pass' || type === 'test:fail') omitted.push(...omissionOf(data));
    // A summary that names a file holds the totals of that file.
    if (type !== 'test:summary' || data.file !== undefined) continue;
    // The published types lack `failed`.
    const counts = /** @type {typeof data.counts & { failed: number }} */ (data.counts);
    const { passed, failed, cancelled } = counts;
    yield JSON.stringify({ passed, failed: failed + cancelled, omitted });
  }
}

/** @param {Result} result @returns {OmittedTest[]} one or none */
function omissionOf({ name, file = '', line = 0, skip, todo }) {
  const mark = skip ?? todo;
  if (mark === undefined || mark === false) return [];
  return [{ name, file, line, reason: typeof mark === 'string' ? mark : '' }];
}
