import type { FastifyInstance } from 'fastify';
import type { ReadPage } from '#database/lists/read-pages.ts';
import {
  answerPages,
  type ListRouteDeps as RouteDeps,
  registerListRoute,
} from '#merchants/lists/list-route.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { type PublicSettings, renderPaymentRequest } from '#payment-requests/model/render-json.ts';
import { LIST_OPERATION } from './operations.ts';
import { paymentRequestList } from './payment-request-list.ts';
import type { ListQuery } from './schemas.ts';

export interface ListRoutesDeps extends Omit<RouteDeps, 'publicApiUrl'> {
  readonly readPage: ReadPage<ListQuery, PaymentRequest>;
  readonly settings: PublicSettings;
}

/** A merchant's payment requests, as pages of JSON or all of them as CSV (contract §4, List). */
export function registerListRoutes(app: FastifyInstance, deps: ListRoutesDeps): void {
  const { readPage, clock, settings } = deps;
  const list = paymentRequestList(clock, settings);
  registerListRoute(
    app,
    { ...deps, publicApiUrl: settings.publicApiUrl },
    {
      list,
      operation: LIST_OPERATION,
      answerPage: answerPages(settings, list, readPage, (row) =>
        renderPaymentRequest(row, settings),
      ),
    },
  );
}
