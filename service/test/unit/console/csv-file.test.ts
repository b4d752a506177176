import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { NO_READ_AHEAD } from '#console/shell/file-streams.ts';
import { RunningStreams } from '#merchants/lists/running-streams.ts';

async function* endless() {
  for (;;) yield 'a line\r\n';
}

/** A file of rows without an end, and whether its lease was given back. */
function openFile(files = new RunningStreams()) {
  const over = Promise.withResolvers<void>();
  const content = Readable.from(endless(), NO_READ_AHEAD);
  files.watch(content, async () => over.resolve());
  return { content, over: over.promise, files };
}

describe('a CSV file of the console', () => {
  it('gives the lease of its stream back when the browser goes away', async () => {
    const { content, over } = openFile();
    content.once('readable', () => content.destroy());
    await over;
  });

  it('ends with an error when the service stops, so that the browser sees it is incomplete', async () => {
    const { content, over, files } = openFile();
    const failed = new Promise<Error>((resolve) => content.once('error', resolve));
    content.resume();
    await files.stop();
    await over;
    assert.match((await failed).message, /the service stops/);
  });
});
