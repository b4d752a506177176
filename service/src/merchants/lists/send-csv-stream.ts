import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { releasePermit } from '#http/overload/pending-responses.ts';
import type { Clock } from '#lib/clock.ts';
import { RunningStreams } from './running-streams.ts';
import type { CsvStream, StreamCalls } from './stream-rows.ts';

/** Starts a stream, and answers a call with it. */
export type SendCsvStream = (
  request: FastifyRequest,
  reply: FastifyReply,
  start: (calls: StreamCalls) => Promise<CsvStream>,
) => Promise<FastifyReply>;

/**
 * Makes the sender of CSV streams of one route. A listener that closes destroys running streams, so
 * that callers see that the list is incomplete.
 *
 * @param name begins the file's name, as in `payment-requests`
 */
export function createCsvSender(app: FastifyInstance, name: string, clock: Clock): SendCsvStream {
  const running = new RunningStreams();
  app.addHook('preClose', () => running.stop());

  return async (request, reply, start) => {
    const headers = csvHeaders(name, clock);
    // An answer to HEAD has headers only, so no row is read.
    if (request.method === 'HEAD') return reply.headers(headers).send(Readable.from([]));
    releasePermit(reply.raw);
    const found = await start({
      checkAgain: request.checkMerchantAgain,
      onTooSlow: () => stream.destroy(new Error('the caller takes the CSV stream too slowly')),
    });
    // No read-ahead: the stream reads the next batch after the connection has taken this batch.
    const stream = Readable.from(found.chunks, { objectMode: false, highWaterMark: 1 });
    stream.once('error', (error) => {
      request.fault = error;
    });
    running.watch(stream, found.end);
    return reply.headers(headers).send(stream);
  };
}

/** The headers of a CSV file whose name has the time of the call. */
export function csvHeaders(name: string, clock: Clock) {
  return {
    'content-type': CSV_TYPE,
    'content-disposition': `attachment; filename="${csvName(name, clock)}"`,
  };
}

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** The name of a CSV file, with the time of the call. */
export function csvName(name: string, clock: Clock): string {
  const timestamp = clock
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+/g, '');
  return `${name}-${timestamp}.csv`;
}
