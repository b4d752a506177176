import type { Executor } from '#database/database.ts';
import type { FieldFault } from '#lib/problem.ts';
import { newSigningSecret } from '#merchants/new-secret.ts';
import { auditEndpoint } from './change-endpoint.ts';
import { boxEndpointSecret, throwFaults } from './check-endpoint.ts';
import { endpointMembers } from './endpoint-body.ts';
import { lockOwnEndpoint } from './find-own-endpoint.ts';
import type { EndpointChangeNeeds } from './register-endpoint.ts';
import { rotateEndpointSecret } from './webhook-endpoint-store.ts';

/** webhook-delivery, Headers: a day to put the new one in place. */
const USUAL_OVERLAP_HOURS = 24;

/**
 * Gives an endpoint a new signing secret, answered this once. The one before it signs as well until
 * the overlap's end; one older than that signs no more.
 *
 * @throws Problem WEBHOOK_ENDPOINT_NOT_FOUND, VALIDATION_ERROR
 */
export async function rotateSecret(
  tx: Executor,
  needs: EndpointChangeNeeds,
  merchantId: string,
  {
    id,
    overlapHours = USUAL_OVERLAP_HOURS,
    faults,
  }: {
    readonly id: string;
    readonly overlapHours: number | undefined;
    readonly faults: readonly FieldFault[];
  },
) {
  throwFaults(faults);
  const { id: ownId } = await lockOwnEndpoint(tx, merchantId, id);
  const signingSecret = newSigningSecret();
  const box = boxEndpointSecret(needs, ownId, 'signing_secret', signingSecret);
  const endpoint = await rotateEndpointSecret(tx, ownId, box, overlapHours);
  await auditEndpoint(tx, needs, endpoint, 'WEBHOOK_SECRET_ROTATED', { overlapHours });
  return endpointMembers(needs.secretsKey, endpoint, { signingSecret });
}
