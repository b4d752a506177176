import type { FastifyInstance, FastifySchema, onRequestHookHandler } from 'fastify';
import { prepareQuery, queryFaults } from '#http/json/query.ts';
import { requireMediaType } from '#http/negotiation/choose-media-type.ts';
import { entryMembers } from '#ledger/model/stored-entry.ts';
import type { Clock } from '#lib/clock.ts';
import { createCsvSender } from '#merchants/csv-streams/send-csv-stream.ts';
import type { Scope } from '#merchants/scopes.ts';
import { ENTRIES_EXAMPLES } from './examples.ts';
import { type EntriesDeps, readEntries, readStreamQuery, streamEntries } from './read-entries.ts';
import { type EntriesQuery, EntriesQuerySchema, LedgerEntriesSchema } from './schemas.ts';

export interface LedgerRoutesDeps extends EntriesDeps {
  readonly clock: Clock;
  readonly publicApiUrl: string;
  /** Admits calls that have one of the scopes, and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestHookHandler;
}

/** The ledger of a merchant, as pages of JSON or as one CSV stream (contract §11, Ledger). */
export function registerEntryRoutes(app: FastifyInstance, deps: LedgerRoutesDeps): void {
  const address = `${deps.publicApiUrl}/ledger-entries`;
  const sendCsv = createCsvSender(app, 'ledger-entries', deps.clock);
  app.get<{ Querystring: Partial<EntriesQuery> }>(
    new URL(address).pathname,
    {
      onRequest: deps.requireMerchant('report/read'),
      preValidation: prepareQuery(EntriesQuerySchema),
      schema: OPERATION,
      attachValidation: true,
    },
    async (request, reply) => {
      const { merchant, query } = request;
      const faults = queryFaults(request);
      reply.header('vary', 'Accept');
      switch (requireMediaType(request.headers.accept, ['application/json', 'text/csv'])) {
        case 'application/json': {
          const page = await readEntries(deps, merchant.id, query, faults);
          return reply
            .type('application/json; charset=utf-8')
            .send(JSON.stringify(bodyOf(page, address, query)));
        }
        case 'text/csv': {
          const asked = readStreamQuery(deps, merchant.id, query, faults);
          return sendCsv(request, reply, (calls) => streamEntries(deps, asked, calls));
        }
      }
    },
  );
}

/** GET /ledger-entries. */
const OPERATION = {
  operationId: 'listLedgerEntries',
  summary: 'Follow the ledger',
  description:
    'Every movement of your money, oldest first. Ask again with nextCursor as after, for ever: ' +
    'no entry is left out. With Accept: text/csv all that match are answered as CSV, without ' +
    'pages; the cursor of the last row is the next after.',
  tags: ['Ledger'],
  scopes: ['report/read'],
  querystring: EntriesQuerySchema,
  answers: {
    200: {
      description: 'The next entries; none when there are none yet.',
      headers: ['Content-Disposition'],
      content: { 'application/json': LedgerEntriesSchema, 'text/csv': { type: 'string' } },
    },
  },
  problems: ['NOT_ACCEPTABLE'],
  examples: ENTRIES_EXAMPLES,
} as const satisfies FastifySchema;

function bodyOf(
  { entries, hasMore, nextCursor, completeFrom }: Awaited<ReturnType<typeof readEntries>>,
  address: string,
  query: Partial<EntriesQuery>,
) {
  const hrefOf = (parameters: Partial<EntriesQuery>) => {
    const url = new URL(address);
    for (const [name, value] of Object.entries(parameters)) {
      for (const each of [value].flat()) url.searchParams.append(name, String(each));
    }
    return url.href;
  };
  const links = [
    { rel: 'self', href: hrefOf(query) },
    { rel: 'next', href: hrefOf({ ...query, after: nextCursor }) },
  ];
  const data = entries.map(entryMembers);
  return { data, hasMore, nextCursor, ...(completeFrom && { completeFrom }), links };
}
