import type { FastifyInstance, FastifySchema } from 'fastify';
import { readPrimary } from '#database/replica/overview-reads.ts';
import { entryMembers } from '#ledger/model/stored-entry.ts';
import { type ListRouteDeps, registerListRoute } from '#merchants/lists/list-route.ts';
import examples from './examples.json' with { type: 'json' };
import { type EntriesDeps, ledgerList, readEntries } from './read-entries.ts';
import { type EntriesQuery, EntriesQuerySchema, LedgerEntriesSchema } from './schemas.ts';

export type LedgerRoutesDeps = ListRouteDeps & EntriesDeps;

/** The ledger of a merchant, as pages of JSON or as one CSV stream (contract §11, Ledger). */
export function registerEntryRoutes(app: FastifyInstance, deps: LedgerRoutesDeps): void {
  const { db, timeZone, publicApiUrl } = deps;
  const list = ledgerList(timeZone);
  registerListRoute(
    app,
    { ...deps, reads: readPrimary(db) },
    {
      list,
      operation: OPERATION,
      async answerPage(merchantId, query, faults) {
        const page = await readEntries(deps, merchantId, query, faults);
        const body = bodyOf(page, `${publicApiUrl}/${list.name}`, query);
        return { body: JSON.stringify(body), lagSeconds: null };
      },
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
  examples: examples.listLedgerEntries,
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
