import type { CallOptions } from './call-options.js';
import { type MerchantCalls } from './calls/merchant-calls.js';
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
export declare function startExport(calls: MerchantCalls, path: string, fallbackName: string, options: CallOptions): Promise<CsvExport>;
/** Reads a stream as text; a character may span two pieces. */
export declare function readText(stream: ReadableStream<Uint8Array>): AsyncGenerator<string>;
