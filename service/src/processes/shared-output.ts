import pino from 'pino';
import { MOST_BUFFERED_BYTES } from '#telemetry/log/log.ts';

/**
 * POSIX writes up to PIPE_BUF bytes (on Linux) to a pipe in one piece: processes that share the
 * pipe then never tear each other's lines. pino buffers whole lines up to this size.
 */
const MOST_OF_A_WRITE_BYTES = 4_096;

/** Standard output for the log of a process that shares the output with others. */
export function sharedOutput(): pino.DestinationStream {
  return pino.destination({
    fd: 1,
    sync: false,
    maxLength: MOST_BUFFERED_BYTES,
    maxWrite: MOST_OF_A_WRITE_BYTES,
  });
}
