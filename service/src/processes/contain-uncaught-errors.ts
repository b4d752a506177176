import { currentCall } from '#lib/call-context.ts';
import type { Log } from '#telemetry/log/log.ts';
import { countUncaughtError } from '#telemetry/uncaught-errors.ts';

/** Codes of Node.js for faults of one stream or connection; nothing else has changed. */
const OF_A_CONNECTION = /^(ERR_STREAM_\w+|ERR_HTTP_\w+|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT)$/;

export interface UncaughtErrorDeps {
  readonly log: Log;
  /** Drains the process, which then exits with 1; called again, it changes nothing. */
  readonly replaceProcess: (reason: string) => void;
}

/**
 * Decides about errors that no code caught (decision 0109). The log has each with its stack, and
 * the call's connection ends. A fault of that connection ends nothing more. Any other error may
 * have left a change half done: the process drains, and is replaced.
 */
export function containUncaughtErrors({ log, replaceProcess }: UncaughtErrorDeps): void {
  process.on('uncaughtException', (error: unknown) => {
    const call = currentCall();
    const isOfConnection = OF_A_CONNECTION.test(String((error as { code?: unknown })?.code));
    const outcome = call && isOfConnection ? 'connection_ended' : 'process_ended';
    countUncaughtError(outcome);
    log.fatal({ err: error, requestId: call?.requestId, outcome }, 'uncaught error');
    call?.connection.destroy();
    if (outcome === 'process_ended') replaceProcess('an uncaught error');
  });
}
