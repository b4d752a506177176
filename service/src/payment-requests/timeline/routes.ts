import type { FastifyInstance } from 'fastify';
import { pageBody } from '#http/json/page-body.ts';
import { queryFaults } from '#http/json/query.ts';
import { type MerchantCallDeps, merchantCall } from '#merchants/merchant-call.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { TIMELINE_OPERATION } from './operation.ts';
import { readTimeline, type TimelineDeps } from './read-timeline.ts';
import { timelineEntryMembers } from './render-json.ts';
import { type TimelineQuery, TimelineQuerySchema } from './schemas.ts';

export interface TimelineRoutesDeps extends TimelineDeps, MerchantCallDeps {
  readonly settings: PublicSettings;
}

interface TimelineRoute {
  Params: { id: string };
  Querystring: Partial<TimelineQuery>;
}

/** The history of a payment request, in one list (contract §4, Timeline). */
export function registerTimelineRoutes(app: FastifyInstance, deps: TimelineRoutesDeps): void {
  const { publicApiUrl } = deps.settings;
  app.get<TimelineRoute>(
    `${new URL(publicApiUrl).pathname.replace(/\/$/, '')}/payment-requests/:id/timeline`,
    merchantCall(deps, TIMELINE_OPERATION),
    async (request, reply) => {
      const { merchant, params, query } = request;
      request.paymentRequestId = params.id;
      const faults = queryFaults(request);
      const page = await readTimeline(deps, merchant.id, params.id, query, faults);
      const data = page.data.map(timelineEntryMembers);
      const address = `${publicApiUrl}/payment-requests/${params.id}/timeline`;
      const body = pageBody({ ...page, data }, address, TimelineQuerySchema, query);
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
  );
}
