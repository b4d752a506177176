/**
 * A reporter of node:test that tells only the totals of the whole run, as JSON.
 * @param {AsyncIterable<import('node:test/reporters').TestEvent>} source
 */
export default async function* countReporter(source) {
  for await (const event of source) {
    // A summary that names a file is that file's own.
    if (event.type !== 'test:summary' || event.data.file !== undefined) continue;
    yield JSON.stringify(event.data.counts);
  }
}
