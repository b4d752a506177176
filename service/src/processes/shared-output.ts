import pino from 'pino';
import { MOST_BUFFERED_BYTES } from '#telemetry/log/log.ts';

/** What POSIX writes to a pipe in one piece (PIPE_BUF on Linux): processes that share it then never
 *  tear each other's lines. pino gathers whole lines up to this. */
const MOST_OF_A_WRITE_BYTES = 4_096;

/** Standard output for the log of one process among several that share it. */
export function sharedOutput(): pino.DestinationStream {
  return pino.destination({
    fd: 1,
    sync: false,
    maxLength: MOST_BUFFERED_BYTES,
    maxWrite: MOST_OF_A_WRITE_BYTES,
  });
}
