import { noteAnswer } from './answers.ts';
import type { CallOptions } from './call-options.ts';
import { limitsOf, type MerchantCalls } from './calls/merchant-calls.ts';
import { problemOf } from './calls/send-call.ts';

/** A list as CSV, piece by piece. */
export interface CsvExport extends AsyncIterable<string> {
  /** The name that the service proposes, such as `payment-requests-20260301T120000Z.csv`. */
  readonly fileName: string;
  /**
   * The bytes (UTF-8), for a file or another stream. Read it, iterate over the export, or cancel
   * it: until then the call holds a connection.
   */
  readonly stream: ReadableStream<Uint8Array>;
}

/**
 * Starts an export.
 * @param fallbackName the file's name when the answer proposes none
 */
export async function startExport(
  calls: MerchantCalls,
  path: string,
  fallbackName: string,
  options: CallOptions,
): Promise<CsvExport> {
  const answer = await calls.call({
    method: 'GET',
    path,
    headers: { accept: 'text/csv, application/problem+json' },
    isStreamed: true,
    ...limitsOf(options),
  });
  const { stream, headers } = answer;
  if (!stream) throw problemOf(answer);
  const [, fileName = fallbackName] =
    /filename="([\w.-]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return noteAnswer({ fileName, stream, [Symbol.asyncIterator]: () => readText(stream) }, answer);
}

/** Reads a stream as text; a character may span two pieces. */
export async function* readText(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const text = decoder.decode(value, { stream: true });
      if (text !== '') yield text;
    }
    isOver = true;
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  } finally {
    // A reader that stops early ends the call.
    if (!isOver) await reader.cancel().catch(() => {});
  }
}
