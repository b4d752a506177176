import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { NO_READ_AHEAD } from '#console/shell/file-streams.ts';
import type { ConsoleFile, Visit } from '#console/shell/visit.ts';
import type { DatabaseDeps } from '#database/database.ts';
import { readPrimary } from '#database/replica/overview-reads.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { RunningStreams } from '#merchants/lists/running-streams.ts';
import { CSV_TYPE, csvName } from '#merchants/lists/send-csv-stream.ts';
import { streamRows } from '#merchants/lists/stream-rows.ts';
import { schemaFaults } from './list-page.ts';
import type { ListSpec } from './list-spec.ts';
import { callParameters, readListState } from './list-state.ts';

/** The rows of a file that no call of merchants bounds: some 20 MB. */
const MOST_ROWS = 50_000;

export interface ListFileDeps extends DatabaseDeps {
  readonly running: RunningStreams;
}

/**
 * All rows of a list that match, as a CSV file that is sent while they are read.
 * @throws Problem VALIDATION_ERROR, or RATE_LIMITED while the merchant has another stream
 */
export async function listFile(
  spec: ListSpec,
  { db, clock, running }: ListFileDeps,
  visit: Visit,
  request: FastifyRequest,
): Promise<ConsoleFile> {
  const { rows, reads = readPrimary(db) } = spec;
  const { parameters, faults } = callParameters(spec, readListState(spec, visit.query), visit);
  throwFaults(faults.map((fault) => ({ ...fault, message: '' })));
  const { limit: _, ...filters } = parameters;
  const merchantId = visit.merchant?.id ?? null;
  const file = { fileName: csvName(rows.name, clock), type: CSV_TYPE };
  // An answer to HEAD has headers only, so no row is read.
  if (request.method === 'HEAD') return { ...file, content: '' };
  const found = schemaFaults(spec, request, filters);
  const all = rows.readAll(merchantId, filters, found);
  const streamed = {
    merchantId,
    csv: rows.csv,
    all,
    ...(!rows.schema && { most: MOST_ROWS }),
  };
  const { chunks, end } = await streamRows({ db, reads }, streamed, {
    // The person's session was read for this call; a file takes minutes at most.
    checkAgain: async () => {},
    onTooSlow: () => content.destroy(new Error('the browser takes the CSV file too slowly')),
  });
  const content = Readable.from(chunks, NO_READ_AHEAD);
  running.watch(content, end);
  return { ...file, content };
}
