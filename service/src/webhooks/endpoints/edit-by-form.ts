import type { Database } from '#database/database.ts';
import { dropAbsentMembers } from '#http/json/normalise-body.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { findMerchant } from '#merchants/merchant-store.ts';
import { changeEndpoint, checkEndpointUpdate } from './change.ts';
import { findOwnEndpoint } from './find-own.ts';
import { checkNewEndpoint, type EndpointChangeDeps, registerEndpoint } from './register.ts';
import {
  type EndpointUpdateBody,
  EndpointUpdateSchema,
  type NewEndpointBody,
  NewEndpointSchema,
} from './schemas.ts';

/** Finds the faults of a value by a schema of the API's calls. */
export type FindFaults = (schema: object, value: unknown) => readonly FieldFault[];

export interface EditEndpointDeps extends EndpointChangeDeps {
  readonly db: Database;
  /** Wakes the senders of all processes; after a commit. */
  readonly wakeSenders: () => void;
}

/**
 * Registers an endpoint as a form describes it, by the rules of the API's call.
 *
 * @throws Problem VALIDATION_ERROR, DUPLICATE_WEBHOOK_ENDPOINT, TOO_MANY_WEBHOOK_ENDPOINTS,
 *         MERCHANT_SUSPENDED
 */
export async function addEndpoint(
  deps: EditEndpointDeps,
  merchantId: string,
  body: Partial<NewEndpointBody>,
  findFaults: FindFaults,
): Promise<{ readonly id: string }> {
  const merchant = await findActiveMerchant(deps, merchantId);
  const members = { ...body };
  dropAbsentMembers(members, NewEndpointSchema);
  const faults = findFaults(NewEndpointSchema, members);
  const asked = await checkNewEndpoint(deps, merchant, members, faults);
  return deps.db.transaction((tx) => registerEndpoint(tx, deps, merchantId, asked));
}

export interface EditedEndpoint {
  /** The endpoint has moved to another origin, with new credentials and a new signing secret. */
  readonly hasNewSecrets: boolean;
}

/**
 * Changes an endpoint as a form describes it, by the rules of the API's call.
 *
 * @throws Problem VALIDATION_ERROR, WEBHOOK_ENDPOINT_NOT_FOUND, DUPLICATE_WEBHOOK_ENDPOINT,
 *         MERCHANT_SUSPENDED
 */
export async function editEndpoint(
  deps: EditEndpointDeps,
  merchantId: string,
  id: string,
  patch: Partial<EndpointUpdateBody>,
  findFaults: FindFaults,
): Promise<EditedEndpoint> {
  const merchant = await findActiveMerchant(deps, merchantId);
  const current = await findOwnEndpoint(deps.db, merchantId, id);
  const faults = findFaults(EndpointUpdateSchema, patch);
  const checked = await checkEndpointUpdate(deps, { merchant, current }, patch, faults);
  const { body, isResumed } = await deps.db.transaction((tx) =>
    changeEndpoint(tx, deps, merchantId, id, checked),
  );
  if (isResumed) deps.wakeSenders();
  return { hasNewSecrets: body.password !== undefined && patch.password === undefined };
}

async function findActiveMerchant({ db }: EditEndpointDeps, id: string): Promise<Merchant> {
  const merchant = await findMerchant(db, id);
  if (merchant?.status !== 'ACTIVE') throw new Problem('MERCHANT_SUSPENDED');
  return merchant;
}
