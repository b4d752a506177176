/** The payment requests of a list as CSV, piece by piece. */
export interface CsvExport extends AsyncIterable<string> {
    /** The name that the service proposes, such as `payment-requests-20260301T120000Z.csv`. */
    readonly fileName: string;
    /**
     * The bytes (UTF-8), for a file or another stream. Read it, iterate over the export, or cancel
     * it: until then the call holds a connection.
     */
    readonly stream: ReadableStream<Uint8Array>;
}
/** Reads a stream as text; a character may span two pieces. */
export declare function readText(stream: ReadableStream<Uint8Array>): AsyncGenerator<string>;
