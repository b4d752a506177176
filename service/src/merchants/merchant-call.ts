import type { FastifySchema, onRequestHookHandler, preValidationHookHandler } from 'fastify';
import type { QuerySchema } from '#database/lists/list.ts';
import { prepareJsonBody, prepareMergePatch, prepareOptionalJsonBody } from '#http/json/call.ts';
import type { ObjectSchema } from '#http/json/normalise-body.ts';
import { prepareQuery } from '#http/json/query.ts';
import type { Scope } from './scopes.ts';

export interface MerchantCallDeps {
  /** Admits calls that have one of the scopes, and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestHookHandler;
}

/** The description of a merchant's call. */
export type MerchantOperation = FastifySchema & { readonly scopes: readonly Scope[] };

/** The options of a merchant's route, which follow from the description of its call. */
export function merchantCall({ requireMerchant }: MerchantCallDeps, operation: MerchantOperation) {
  const preValidation = preparationOf(operation);
  return {
    onRequest: requireMerchant(...operation.scopes),
    schema: operation,
    // The use case adds the faults that no schema finds, so that one answer names all faults.
    ...(preValidation && { preValidation, attachValidation: true }),
  };
}

/** null: the call has no body and no parameters but its path. */
function preparationOf({
  body,
  bodyTypes,
  isBodyOptional,
  querystring,
}: FastifySchema): preValidationHookHandler | null {
  if (querystring) return prepareQuery(querystring as QuerySchema);
  if (!body) return null;
  if (bodyTypes?.includes('application/merge-patch+json')) return prepareMergePatch(body);
  return isBodyOptional ? prepareOptionalJsonBody(body) : prepareJsonBody(body as ObjectSchema);
}
