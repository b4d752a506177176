import type { FastifyInstance } from 'fastify';
import type { Executor } from '#database/database.ts';
import { readJsonCall } from '#http/json/call.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { type MerchantOperation, merchantCall } from '#merchants/merchant-call.ts';
import { answerEndpointCall, type CallAnswer } from '#webhooks/endpoints/answer-call.ts';
import type { ById, EndpointRoutesDeps } from '#webhooks/endpoints/routes.ts';
import { EmptyBodySchema } from '#webhooks/endpoints/schemas.ts';

export interface Action {
  readonly schema: MerchantOperation;
  readonly act: (tx: Executor, merchant: Merchant, id: string) => Promise<CallAnswer>;
}

/**
 * Registers a POST on one endpoint or delivery whose body has no members (delivery §3). It is
 * answered once for its Idempotency-Key; the senders are woken after the commit.
 */
export function registerAction(
  app: FastifyInstance,
  path: string,
  deps: EndpointRoutesDeps,
  { schema, act }: Action,
): void {
  app.post<ById>(path, merchantCall(deps, schema), (request, reply) => {
    const { merchant, params } = request;
    const { faults } = readJsonCall(request, EmptyBodySchema);
    const work = async (tx: Executor) => {
      throwFaults(faults);
      return act(tx, merchant, params.id);
    };
    return answerEndpointCall(deps, request, reply, work, deps.wakeSenders);
  });
}
