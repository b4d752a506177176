import type { FastifyInstance } from 'fastify';
import { registerEntryRoutes } from './entries/routes.ts';
import { type ReportRoutesDeps, registerReportRoutes } from './report/routes.ts';

export type LedgerRoutesDeps = ReportRoutesDeps;

/** A merchant's ledger and its reports (contract §11). */
export function registerLedgerRoutes(app: FastifyInstance, deps: LedgerRoutesDeps): void {
  registerEntryRoutes(app, deps);
  registerReportRoutes(app, deps);
}
