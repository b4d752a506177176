import type { FastifyInstance, FastifySchema } from 'fastify';
import type { OverviewReads } from '#database/replica/overview-reads.ts';
import { stateReplicaLag } from '#http/headers/state-replica-lag.ts';
import { queryFaults } from '#http/json/query.ts';
import { requireMediaType } from '#http/negotiation/choose-media-type.ts';
import type { LedgerRoutesDeps } from '#ledger/entries/routes.ts';
import { dateBefore, isDate, nextDate } from '#ledger/model/day.ts';
import type { FieldFault } from '#lib/problem.ts';
import { csvHeaders } from '#merchants/lists/send-csv-stream.ts';
import { merchantCall } from '#merchants/merchant-call.ts';
import examples from './examples.json' with { type: 'json' };
import { makeReport, type ReportDeps } from './make-report.ts';
import { reportCsv, reportMembers } from './render-report.ts';
import { type ReportQuery, ReportQuerySchema, ReportSchema } from './schemas.ts';

export interface ReportRoutesDeps extends LedgerRoutesDeps, ReportDeps {
  readonly reads: OverviewReads;
}

/** The reconciliation report of a merchant (contract §11, Reconciliation report). */
export function registerReportRoutes(app: FastifyInstance, deps: ReportRoutesDeps): void {
  app.get<{ Querystring: Partial<ReportQuery> }>(
    new URL(`${deps.publicApiUrl}/reports/reconciliation`).pathname,
    merchantCall(deps, OPERATION),
    async (request, reply) => {
      const { merchant, query } = request;
      reply.header('vary', 'Accept');
      const type = requireMediaType(request.headers.accept, ['application/json', 'text/csv']);
      const { date = dateBefore(deps.clock.now(), deps.timeZone), since } = query;
      const faults = [...queryFaults(request), ...dayFaults(date, deps)];
      const { result: report } = await stateReplicaLag(deps.reads, reply).read((db) =>
        makeReport({ ...deps, db }, merchant.id, { date, since }, faults),
      );
      if (type === 'text/csv') {
        return reply
          .headers(csvHeaders(`reconciliation-${report.date}`, deps.clock))
          .send(reportCsv(report, deps));
      }
      return reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(reportMembers(report, deps)));
    },
  );
}

/** A caller east of the service's time zone may have a later date: tomorrow is reported, too. */
function dayFaults(date: string, { clock, timeZone }: ReportRoutesDeps): FieldFault[] {
  const latest = nextDate(nextDate(dateBefore(clock.now(), timeZone)));
  if (!isDate(date) || date <= latest) return [];
  return [{ field: 'date', code: 'TOO_HIGH', message: 'Give date as a day that has begun.' }];
}

/** GET /reports/reconciliation. */
const OPERATION = {
  operationId: 'getReconciliationReport',
  summary: 'Reconcile a day',
  description:
    'The sums of your ledger before and after a day, its entries by type, payment requests ' +
    'without money, and money without a payment request. Entries that come late change the ' +
    'report of their day: ask with the nextCursor of the last report as since to see them.',
  tags: ['Ledger'],
  scopes: ['report/read'],
  querystring: ReportQuerySchema,
  answers: {
    200: {
      description: 'The report of the day; with Accept: text/csv a row for each sum and item.',
      headers: ['Content-Disposition', 'X-Replica-Lag'],
      content: { 'application/json': ReportSchema, 'text/csv': { type: 'string' } },
    },
  },
  problems: ['NOT_ACCEPTABLE'],
  examples: examples.getReconciliationReport,
} as const satisfies FastifySchema;
