import { Readable } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
} from 'fastify';
import type { Database } from '#database/database.ts';
import { pageBody } from '#http/json/page-body.ts';
import { prepareQuery, queryFaults } from '#http/json/query.ts';
import { chooseMediaType } from '#http/negotiation/choose-media-type.ts';
import { releasePermit } from '#http/overload/owed-answers.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#merchants/scopes.ts';
import { type PublicSettings, paymentRequestMembers } from '#payment-requests/model/render-json.ts';
import { listPaymentRequests } from './list-payment-requests.ts';
import { LIST_OPERATION } from './operations.ts';
import { type ListQuery, ListQuerySchema } from './schemas.ts';
import { readStreamQuery, streamPaymentRequests } from './stream-csv.ts';

export interface ListRoutesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: PublicSettings;
  /** Admits calls that have one of the scopes, and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestAsyncHookHandler;
}

interface ListRoute {
  Querystring: Partial<ListQuery>;
}

/** A merchant's payment requests, as pages of JSON or all of them as CSV (contract §4, List). */
export function registerListRoutes(app: FastifyInstance, deps: ListRoutesDeps): void {
  const { settings } = deps;
  const streams = watchStreams(app);
  app.get<ListRoute>(
    new URL(`${settings.publicApiUrl}/payment-requests`).pathname,
    {
      onRequest: deps.requireMerchant('payment_request/read'),
      preValidation: prepareQuery(ListQuerySchema),
      schema: LIST_OPERATION,
      // The use case adds the faults that no schema finds, so that one answer names all faults.
      attachValidation: true,
    },
    (request, reply) => {
      reply.header('vary', 'Accept');
      switch (chooseMediaType(request.headers.accept, ['application/json', 'text/csv'])) {
        case 'application/json':
          return sendPage(deps, request, reply);
        case 'text/csv':
          return sendStream(deps, request, reply, streams);
        default:
          throw new Problem('NOT_ACCEPTABLE');
      }
    },
  );
}

async function sendPage(
  deps: ListRoutesDeps,
  request: FastifyRequest<ListRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { merchant, query } = request;
  const page = await listPaymentRequests(deps, merchant.id, query, queryFaults(request));
  const { settings } = deps;
  const data = page.data.map((each) => paymentRequestMembers(each, settings));
  const address = `${settings.publicApiUrl}/payment-requests`;
  const body = pageBody({ ...page, data }, address, ListQuerySchema, query);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

async function sendStream(
  deps: ListRoutesDeps,
  request: FastifyRequest<ListRoute>,
  reply: FastifyReply,
  streams: RunningStreams,
): Promise<FastifyReply> {
  const { merchant, method } = request;
  const filters = readStreamQuery(merchant.id, request.query, queryFaults(request));
  const timestamp = deps.clock
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+/g, '');
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="payment-requests-${timestamp}.csv"`,
  };
  // An answer to HEAD has headers only, so no row is read.
  if (method === 'HEAD') return reply.headers(headers).send(Readable.from([]));
  releasePermit(reply.raw);
  const found = await streamPaymentRequests(deps, merchant.id, filters, {
    checkAgain: request.checkMerchantAgain,
    onTooSlow: () => stream.destroy(new Error('the caller takes the CSV stream too slowly')),
  });
  // No read-ahead: the stream reads the next batch after the connection has taken this batch.
  const stream = Readable.from(found.chunks, { objectMode: false, highWaterMark: 1 });
  stream.once('error', (error) => {
    request.fault = error;
  });
  streams.add(stream, found.end);
  return reply.headers(headers).send(stream);
}

interface RunningStreams {
  /** `end` runs after every end of the stream. */
  add(stream: Readable, end: () => Promise<void>): void;
}

/** Destroys running streams when the listener closes: callers see that the list is incomplete. */
function watchStreams(app: FastifyInstance): RunningStreams {
  const running = new Map<Readable, Promise<void>>();
  app.addHook('preClose', async () => {
    for (const stream of running.keys()) stream.destroy(new Error('the service stops'));
    await Promise.all(running.values());
  });
  return {
    add(stream, end) {
      const over = new Promise((resolve) => stream.once('close', resolve))
        .then(end)
        // A lease that cannot be given back expires.
        .catch(() => {})
        .then(() => void running.delete(stream));
      running.set(stream, over);
    },
  };
}
