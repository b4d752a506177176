import { NoAnswerError } from '../errors/no-answer-error.ts';

export interface StreamLimits {
  /** Ends the connection of the call. */
  readonly ending: AbortController;
  /** The limit of the silence between two pieces. */
  readonly idleMs: number;
  readonly signal: AbortSignal | undefined;
  readonly host: string;
  /** Runs once, at the end of the stream. */
  readonly release: () => void;
}

/**
 * Passes on the body of an answer piece by piece, without reading ahead. The caller's own pauses do
 * not count as silence.
 *
 * @returns a stream that fails with a NoAnswerError when the body breaks off or falls silent
 */
export function readStream(
  body: ReadableStream<Uint8Array>,
  { ending, idleMs, signal, host, release }: StreamLimits,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          ending.abort();
        }, idleMs);
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
          release();
        } catch (error) {
          release();
          controller.error(reasonOf(error, isLate));
        } finally {
          clearTimeout(timer);
        }
      },
      cancel() {
        release();
        ending.abort();
      },
    },
    { highWaterMark: 0 },
  );

  function reasonOf(error: unknown, isLate: boolean): unknown {
    if (signal?.aborted) return signal.reason;
    return isLate
      ? new NoAnswerError('TIMEOUT', `${host} was silent for ${idleMs} ms.`, error)
      : new NoAnswerError('NETWORK_ERROR', `The answer of ${host} broke off.`, error);
  }
}
