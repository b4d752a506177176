import { Readable } from 'node:stream';
import { NO_READ_AHEAD } from '#console/shell/file-streams.ts';
import type { ConsoleFile } from '#console/shell/visit.ts';
import type { Clock } from '#lib/clock.ts';
import type { CsvStream, StreamCalls } from '#merchants/csv-streams/stream-rows.ts';

/** Starts a stream, and makes the file that is sent while the rows are read. */
export type MakeCsvFile = (
  name: string,
  start: (calls: StreamCalls) => Promise<CsvStream>,
) => Promise<ConsoleFile>;

export interface CsvFiles {
  readonly make: MakeCsvFile;
  /** Ends the files that are being sent, so that their readers see that a file is incomplete. */
  stop(): Promise<void>;
}

/** Makes the CSV files of the console's lists, through the streams of the calls. */
export function createCsvFiles(clock: Clock): CsvFiles {
  const running = new Map<Readable, Promise<void>>();

  function watch(stream: Readable, end: () => Promise<void>): void {
    const over = new Promise((resolve) => stream.once('close', resolve))
      .then(end)
      // A lease that cannot be given back expires.
      .catch(() => {})
      .then(() => void running.delete(stream));
    running.set(stream, over);
  }

  return {
    async make(name, start) {
      const { chunks, end } = await start({
        // The person's session was read for this call; a file takes minutes at most.
        checkAgain: async () => {},
        onTooSlow: () => stream.destroy(new Error('the browser takes the CSV file too slowly')),
      });
      const stream = Readable.from(chunks, NO_READ_AHEAD);
      watch(stream, end);
      return csvFile(name, clock, stream);
    },
    async stop() {
      for (const stream of running.keys()) stream.destroy(new Error('the service stops'));
      await Promise.all(running.values());
    },
  };
}

/** A CSV file whose name has the time of the call. */
export function csvFile(name: string, clock: Clock, content: ConsoleFile['content']): ConsoleFile {
  const timestamp = clock
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+/g, '');
  const type = 'text/csv; charset=utf-8; header=present';
  return { fileName: `${name}-${timestamp}.csv`, type, content };
}
