// The reporter of a trial: the first test that fails ends it, and is named on the standard output.
import { writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';

export default async function* stopAtFailure(source: AsyncIterable<TestEvent>) {
  for await (const { type, data } of source) {
    if (type !== 'test:fail') continue;
    writeSync(1, data.name);
    process.exit(1);
  }
  yield '';
}
