import type { FastifyInstance } from 'fastify';
import type { Database } from '#database/database.ts';
import { registerJsonBody } from '#http/json/body.ts';
import { readJsonCall } from '#http/json/call.ts';
import { queryFaults } from '#http/json/query.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { type MerchantCallDeps, merchantCall } from '#merchants/merchant-call.ts';
import { answerEndpointCall, sendJson } from './answer-call.ts';
import { changeEndpoint, checkEndpointUpdate } from './change.ts';
import { findOwnEndpoint } from './find-own.ts';
import { renderEndpointList } from './list.ts';
import {
  DELETE_ENDPOINT_OPERATION,
  LIST_ENDPOINTS_OPERATION,
  READ_ENDPOINT_OPERATION,
  REGISTER_OPERATION,
  UPDATE_ENDPOINT_OPERATION,
} from './operations.ts';
import { checkNewEndpoint, type EndpointChangeDeps, registerEndpoint } from './register.ts';
import { removeEndpoint } from './remove.ts';
import { endpointMembers } from './render-json.ts';
import { EndpointUpdateSchema, NewEndpointSchema } from './schemas.ts';

export interface EndpointRoutesDeps extends EndpointChangeDeps, MerchantCallDeps {
  readonly db: Database;
  readonly publicApiUrl: string;
  /** Wakes the senders of all processes; after a commit. */
  readonly wakeSenders: () => void;
}

export interface ById {
  Params: { id: string };
}

/** A merchant's webhook endpoints (delivery §3). */
export function registerEndpointRoutes(app: FastifyInstance, deps: EndpointRoutesDeps): void {
  const path = new URL(`${deps.publicApiUrl}/webhook-endpoints`).pathname;
  registerCollection(app, path, deps);
  registerReading(app, path, deps);
  app.register(async (scope) => registerChange(scope, path, deps));
}

function registerCollection(app: FastifyInstance, path: string, deps: EndpointRoutesDeps): void {
  app.get(path, merchantCall(deps, LIST_ENDPOINTS_OPERATION), async (request, reply) => {
    throwFaults(queryFaults(request));
    return sendJson(reply, await renderEndpointList(deps, request.merchant.id));
  });
  app.post(path, merchantCall(deps, REGISTER_OPERATION), async (request, reply) => {
    readIdempotentCall(request);
    const { members, faults } = readJsonCall(request, NewEndpointSchema);
    const asked = await checkNewEndpoint(deps, request.merchant, members, faults);
    return answerEndpointCall(deps, request, reply, async (tx) => {
      const body = await registerEndpoint(tx, deps, request.merchant.id, asked);
      const headers = { location: `${deps.publicApiUrl}/webhook-endpoints/${body.id}` };
      return { status: 201, body, headers };
    });
  });
}

function registerReading(app: FastifyInstance, path: string, deps: EndpointRoutesDeps): void {
  const { db, secretsKey } = deps;
  app.get<ById>(
    `${path}/:id`,
    merchantCall(deps, READ_ENDPOINT_OPERATION),
    async (request, reply) => {
      const found = await findOwnEndpoint(db, request.merchant.id, request.params.id);
      return sendJson(reply, endpointMembers(secretsKey, found));
    },
  );
  app.delete<ById>(
    `${path}/:id`,
    merchantCall(deps, DELETE_ENDPOINT_OPERATION),
    async (request, reply) => {
      const { merchant, params } = request;
      await db.transaction((tx) => removeEndpoint(tx, deps, merchant.id, params.id));
      return reply.code(204).send();
    },
  );
}

function registerChange(scope: FastifyInstance, path: string, deps: EndpointRoutesDeps): void {
  registerJsonBody(scope, { mediaTypes: ['application/json', 'application/merge-patch+json'] });
  scope.patch<ById>(
    `${path}/:id`,
    merchantCall(deps, UPDATE_ENDPOINT_OPERATION),
    async (request, reply) => {
      const { merchant, params } = request;
      const { members, faults } = readJsonCall(request, EndpointUpdateSchema);
      // Another merchant's id says nothing about the fields, as in every other call.
      const current = await findOwnEndpoint(deps.db, merchant.id, params.id);
      const patch = await checkEndpointUpdate(deps, { merchant, current }, members, faults);
      const { body, isResumed } = await deps.db.transaction((tx) =>
        changeEndpoint(tx, deps, merchant.id, params.id, patch),
      );
      if (isResumed) deps.wakeSenders();
      return sendJson(reply, body);
    },
  );
}
