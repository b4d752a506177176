import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { releasePermit } from '#http/overload/owed-answers.ts';
import type { Clock } from '#lib/clock.ts';
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
  const running = new Map<Readable, Promise<void>>();
  app.addHook('preClose', async () => {
    for (const stream of running.keys()) stream.destroy(new Error('the service stops'));
    await Promise.all(running.values());
  });

  function watch(stream: Readable, end: () => Promise<void>): void {
    const over = new Promise((resolve) => stream.once('close', resolve))
      .then(end)
      // A lease that cannot be given back expires.
      .catch(() => {})
      .then(() => void running.delete(stream));
    running.set(stream, over);
  }

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
    watch(stream, found.end);
    return reply.headers(headers).send(stream);
  };
}

/** The headers of a CSV file whose name has the time of the call. */
export function csvHeaders(name: string, clock: Clock) {
  const timestamp = clock
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+/g, '');
  return {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}-${timestamp}.csv"`,
  };
}
