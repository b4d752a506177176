import type { FastifyInstance, FastifySchema } from 'fastify';
import { pageBody } from '#http/json/page-body.ts';
import { queryFaults } from '#http/json/query.ts';
import { type MerchantCallDeps, merchantCall } from '#merchants/merchant-call.ts';
import {
  JSON_TYPE,
  PaymentRequestParamsSchema,
  READ_SCOPES,
  TAGS,
} from '#payment-requests/model/operation-parts.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { TimelineSchema } from './answer-schemas.ts';
import examples from './examples.json' with { type: 'json' };
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

/** GET /payment-requests/{id}/timeline (contract §4, Timeline). */
const TIMELINE_OPERATION = {
  operationId: 'readTimeline',
  summary: 'Read the timeline of a payment request',
  description:
    'A list, oldest first: status changes with their cause, openings of the link (the first ' +
    '20), the payer’s steps, cancellations, updates, and each webhook attempt with what the ' +
    'listener answered.',
  tags: TAGS,
  scopes: READ_SCOPES,
  params: PaymentRequestParamsSchema,
  querystring: TimelineQuerySchema,
  answers: {
    200: { description: 'A page of timeline entries.', content: { [JSON_TYPE]: TimelineSchema } },
  },
  problems: ['PAYMENT_REQUEST_NOT_FOUND'],
  examples: examples.readTimeline,
} as const satisfies FastifySchema;
