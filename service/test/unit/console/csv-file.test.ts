import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { createCsvFiles } from '#console/lists/specs/csv-file.ts';
import { systemClock } from '#lib/clock.ts';

async function* endless() {
  for (;;) yield 'a line\r\n';
}

/** A file of rows without an end, and whether its lease was given back. */
async function openFile(files = createCsvFiles(systemClock)) {
  const over = Promise.withResolvers<void>();
  const end = async () => over.resolve();
  const { content } = await files.make('rows', async () => ({ chunks: endless(), end }));
  assert.ok(content instanceof Readable);
  return { content, over: over.promise, files };
}

describe('a CSV file of the console', () => {
  it('gives the lease of its stream back when the browser goes away', async () => {
    const { content, over } = await openFile();
    content.once('readable', () => content.destroy());
    await over;
  });

  it('ends with an error when the service stops, so that the browser sees it is incomplete', async () => {
    const { content, over, files } = await openFile();
    const failed = new Promise<Error>((resolve) => content.once('error', resolve));
    content.resume();
    await files.stop();
    await over;
    assert.match((await failed).message, /the service stops/);
  });
});
