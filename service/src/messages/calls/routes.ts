import type { FastifyInstance } from 'fastify';
import type { Database } from '#database/database.ts';
import { readJsonCall } from '#http/json/call.ts';
import { pageBody } from '#http/json/page-body.ts';
import { queryFaults } from '#http/json/query.ts';
import { answerOnce } from '#idempotency/answer-once.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { sendStoredAnswer } from '#idempotency/send-stored-answer.ts';
import { type MerchantCallDeps, merchantCall } from '#merchants/merchant-call.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import { MESSAGE_LIST } from './message-list.ts';
import { LIST_MESSAGES_OPERATION, SEND_MESSAGE_OPERATION } from './operations.ts';
import { messageMembers } from './render-json.ts';
import { type MessageQuery, MessageQuerySchema, NewMessageSchema } from './schemas.ts';
import { type SendAgainDeps, sendAgain } from './send-again.ts';

export interface MessageRoutesDeps extends SendAgainDeps, MerchantCallDeps {
  readonly db: Database;
  readonly publicApiUrl: string;
}

interface MessageRoute {
  Params: { id: string };
  Querystring: Partial<MessageQuery>;
}

/** The messages to the payer of a payment request: list, and send again (messages §2). */
export function registerMessageRoutes(app: FastifyInstance, deps: MessageRoutesDeps): void {
  const { db, publicApiUrl } = deps;
  const base = `${publicApiUrl}/payment-requests`;
  const path = `${new URL(base).pathname}/:id/messages`;
  app.get<MessageRoute>(
    path,
    merchantCall(deps, LIST_MESSAGES_OPERATION),
    async (request, reply) => {
      const { merchant, params, query } = request;
      request.paymentRequestId = params.id;
      const { id } = await findOwnPaymentRequest(db, merchant.id, params.id);
      const page = await MESSAGE_LIST.readPage(db, id, query, queryFaults(request));
      const data = page.data.map(messageMembers);
      const body = pageBody(
        { ...page, data },
        `${base}/${params.id}/messages`,
        MessageQuerySchema,
        query,
      );
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
  );
  app.post<MessageRoute>(
    path,
    merchantCall(deps, SEND_MESSAGE_OPERATION),
    async (request, reply) => {
      const { id } = request.params;
      request.paymentRequestId = id;
      const { members: body, faults } = readJsonCall(request, NewMessageSchema);
      const answer = await answerOnce(db, readIdempotentCall(request), async (tx) => {
        const message = await sendAgain(tx, deps, request.merchant.id, { id, body, faults });
        const headers = { 'content-type': 'application/json; charset=utf-8' };
        return { status: 201, headers, body: JSON.stringify(messageMembers(message)) };
      });
      return sendStoredAnswer(reply, answer);
    },
  );
}
