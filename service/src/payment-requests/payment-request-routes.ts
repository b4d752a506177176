import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Database } from '#database/database.ts';
import { schemaFaults } from '#http/field-faults.ts';
import { dropAbsentMembers, unknownMemberFaults } from '#http/optional-members.ts';
import type { Clock } from '#lib/clock.ts';
import { isId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#merchants/scopes.ts';
import { type CreateDeps, createPaymentRequest } from './create-payment-request.ts';
import { type PaymentRequest, paymentRequestAt } from './payment-request.ts';
import { type PublicAddresses, renderPaymentRequest } from './payment-request-body.ts';
import { NewPaymentRequestSchema } from './payment-request-schemas.ts';
import { findPaymentRequest } from './payment-request-store.ts';

export interface PaymentRequestRoutesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly addresses: PublicAddresses;
  readonly create: CreateDeps;
  /** Lets a call with one of the scopes pass and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestAsyncHookHandler;
}

/** The payment-request calls (interface specification, Endpoints; contract §4). */
export function registerPaymentRequestRoutes(
  app: FastifyInstance,
  deps: PaymentRequestRoutesDeps,
): void {
  const base = new URL(`${deps.addresses.publicApiUrl}/payment-requests`).pathname;

  app.post(
    base,
    {
      onRequest: deps.requireMerchant('payment_request/write'),
      preValidation: async (request) => {
        requireJson(request);
        dropAbsentMembers(request.body, NewPaymentRequestSchema);
      },
      schema: { body: NewPaymentRequestSchema },
      // The rules that no schema can say are judged as well, so that all faults are told at once.
      attachValidation: true,
    },
    async (request, reply) => {
      const faults = [
        ...schemaFaults(request.validationError?.validation),
        ...(isStrict(request) ? unknownMemberFaults(request.body, NewPaymentRequestSchema) : []),
      ];
      const body = membersOf(request.body);
      const created = await createPaymentRequest(deps.create, request.merchant, body, faults);
      return reply
        .code(201)
        .header('location', `${deps.addresses.publicApiUrl}/payment-requests/${created.id}`)
        .header('etag', etag(created))
        .type('application/json; charset=utf-8')
        .send(renderPaymentRequest(created, deps.addresses));
    },
  );

  app.get<{ Params: { id: string } }>(
    `${base}/:id`,
    { onRequest: deps.requireMerchant('payment_request/read') },
    async (request, reply) => {
      const found = await findOwn(deps.db, request.merchant.id, request.params.id);
      const current = paymentRequestAt(found, deps.clock.now());
      reply.header('etag', etag(current));
      if (matchesEtag(request.headers['if-none-match'], current)) return reply.code(304).send();
      return reply
        .type('application/json; charset=utf-8')
        .send(renderPaymentRequest(current, deps.addresses));
    },
  );
}

/** A payment request of this merchant; another merchant's does not exist for it (contract §4). */
async function findOwn(db: Database, merchantId: string, id: string): Promise<PaymentRequest> {
  const found = isId(id) ? await findPaymentRequest(db, id) : null;
  if (!found || found.merchant.id !== merchantId) throw new Problem('PAYMENT_REQUEST_NOT_FOUND');
  return found;
}

/** A POST without any body has no media type either; the call needs one. */
function requireJson(request: FastifyRequest): void {
  if (request.body === undefined || request.body === null) {
    const contentType = request.headers['content-type'];
    throw new Problem(contentType === undefined ? 'UNSUPPORTED_MEDIA_TYPE' : 'VALIDATION_ERROR', {
      ...(contentType !== undefined && {
        errors: [{ field: '', code: 'INVALID_TYPE', message: 'Give the body as an object.' }],
      }),
    });
  }
}

/** The members of a body that is an object; a body of another type has its fault already. */
function membersOf(body: unknown): Record<string, unknown> {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return isObject ? (body as Record<string, unknown>) : {};
}

/** RFC 7240: the caller asks to be told of members that would be ignored. */
function isStrict({ headers }: FastifyRequest): boolean {
  return [headers.prefer ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .some((preference) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference));
}

function etag(paymentRequest: PaymentRequest): string {
  return `"${paymentRequest.version}"`;
}

function matchesEtag(header: string | undefined, paymentRequest: PaymentRequest): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(etag(paymentRequest));
}
