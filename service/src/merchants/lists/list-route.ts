import type { FastifyInstance } from 'fastify';
import type { WholeList } from '#database/lists/list.ts';
import type { ReadPage } from '#database/lists/read-pages.ts';
import { stateLag, stateReplicaLag } from '#http/headers/state-replica-lag.ts';
import { renderPage } from '#http/json/page-body.ts';
import { queryFaults } from '#http/json/query.ts';
import { requireMediaType } from '#http/negotiation/choose-media-type.ts';
import type { Clock } from '#lib/clock.ts';
import type { FieldFault } from '#lib/problem.ts';
import { type MerchantCallDeps, type MerchantOperation, merchantCall } from '../merchant-call.ts';
import { createCsvSender } from './send-csv-stream.ts';
import { type StreamDeps, streamRows } from './stream-rows.ts';

export interface ListRouteDeps extends StreamDeps, MerchantCallDeps {
  readonly clock: Clock;
  readonly publicApiUrl: string;
}

/** A page as it is answered. */
interface PageAnswer {
  /** JSON. */
  readonly body: string | Buffer;
  /** Seconds behind the primary at most; null: the primary answered. */
  readonly lagSeconds: number | null;
}

export interface ListRoute<Query, Row> {
  readonly list: WholeList<Query, Row>;
  /** A list whose operation answers `text/csv` too is sent as CSV to callers who prefer it. */
  readonly operation: MerchantOperation;
  answerPage(
    merchantId: string,
    query: Partial<Query>,
    faults: readonly FieldFault[],
  ): Promise<PageAnswer>;
}

/** The call of a merchant's list: a page of JSON, or all rows as CSV (contract §4, List). */
export function registerListRoute<Query, Row>(
  app: FastifyInstance,
  deps: ListRouteDeps,
  { list, operation, answerPage }: ListRoute<Query, Row>,
): void {
  const { csv, name } = list;
  const hasCsv = 'text/csv' in (operation.answers?.[200]?.content ?? {});
  const sendCsv = createCsvSender(app, name, deps.clock);
  app.get<{ Querystring: Partial<Query> }>(
    new URL(`${deps.publicApiUrl}/${name}`).pathname,
    merchantCall(deps, operation),
    async (request, reply) => {
      const { merchant } = request;
      const query = request.query as Partial<Query>;
      const faults = queryFaults(request);
      if (hasCsv) reply.header('vary', 'Accept');
      const types = ['application/json', 'text/csv'] as const;
      if (hasCsv && requireMediaType(request.headers.accept, types) === 'text/csv') {
        const all = list.readAll(merchant.id, query, faults);
        const stated = { db: deps.db, reads: stateReplicaLag(deps.reads, reply) };
        return sendCsv(request, reply, (calls) =>
          streamRows(stated, { merchantId: merchant.id, csv, all }, calls),
        );
      }
      const { body, lagSeconds } = await answerPage(merchant.id, query, faults);
      stateLag(reply, lagSeconds);
      return reply.type('application/json; charset=utf-8').send(body);
    },
  );
}

/** Answers pages whose rows are rendered as JSON, each page once for equal calls. */
export function answerPages<Query extends object, Row>(
  { publicApiUrl }: Pick<ListRouteDeps, 'publicApiUrl'>,
  { name, schema }: WholeList<Query, Row>,
  readPage: ReadPage<Query, Row>,
  render: (row: Row) => string,
): ListRoute<Query, Row>['answerPage'] {
  const address = `${publicApiUrl}/${name}`;
  return async (merchantId, query, faults) => {
    const { result: page, lagSeconds } = await readPage(merchantId, query, faults);
    const parameters = JSON.stringify(query);
    if (page.rendered?.parameters !== parameters) {
      const { data, nextCursor } = page;
      const texts = { data: data.map(render), nextCursor };
      const body = Buffer.from(renderPage(texts, address, schema, { ...query }));
      page.rendered = { parameters, body };
    }
    return { body: page.rendered.body, lagSeconds };
  };
}
